/**
 * Opens resources from files. A port whose resources are read from files is one entry in `OPENERS`.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../core/errors.ts';
import type { Need, Resource, ResourcePort } from '../core/port.ts';
import { queryUpdater, tokenClassifiers } from '../models/ports.ts';
import { sha256 } from '../platform/sha256.ts';
import { LITE_WEIGHTS, shippedLitePath } from '../providers/efficient-rag-weights.ts';
import { shippedTreeHopPath, TREE_HOP_WEIGHTS } from '../providers/tree-hop/weights.ts';
import type { OpenedResource } from './opened-resources.ts';

/** Values of the options that name files, by port: `FILE`, or `NAME=FILE` for another id. */
export type ResourceFiles = Readonly<Record<string, readonly string[]>>;

interface FileOpener {
  readonly port: Pick<ResourcePort, 'name' | 'noun'>;
  /** Describes the file in errors. */
  readonly format: string;
  /** Id of a file without a name. */
  readonly id: string;
  /** Name of the file in the folder of a weights package. */
  readonly file?: string;
  /** Example of a strategy that names one, for errors. */
  readonly example: string;
  /** Reads the resource. Throws `InputError` if the bytes hold none. */
  read(bytes: Uint8Array, id: string, path: string): Promise<Resource>;
  /** Returns the path of a resource that is installed beside the package, for ids of needs. */
  installed?(id: string): Promise<string | undefined>;
}

/** Query updaters and token classifiers, by the option of their port's name. */
const OPENERS: readonly FileOpener[] = [
  {
    port: queryUpdater,
    format: 'a safetensors checkpoint of TreeHop',
    id: 'tree-hop',
    file: TREE_HOP_WEIGHTS,
    example: 'tree-hop(model=one)',
    async read(bytes, id) {
      const { readCheckpoint } = await import('../models/tree-hop/checkpoint.ts');
      const { treeHopUpdater } = await import('../models/tree-hop/tree-hop-updater.ts');
      return treeHopUpdater(readCheckpoint(bytes), { id });
    },
    async installed(id) {
      if (id !== 'tree-hop') return undefined;
      return shippedTreeHopPath();
    },
  },
  {
    port: tokenClassifiers,
    format: 'a checkpoint of EfficientRAG-lite',
    id: 'lite',
    file: LITE_WEIGHTS,
    example: 'efficient-rag(model=one)',
    async read(bytes, id, path) {
      const { readLite } = await import('../models/efficient-rag/lite-checkpoint.ts');
      const { liteClassifiers } = await import('../models/efficient-rag/lite-classifiers.ts');
      const { parseJson } = await import('../documents/records/json-text.ts');
      return liteClassifiers(readLite(parseJson(new TextDecoder().decode(bytes), path)).model, id);
    },
    async installed(id) {
      if (id !== 'lite') return undefined;
      return shippedLitePath();
    },
  },
];

/** Names of the ports whose resources are read from files. */
export const FILE_PORTS: readonly string[] = OPENERS.map(({ port }) => port.name);

/**
 * Opens the files in order, and for needs of other ids what is installed beside the package.
 * Throws `InputError`: `missing-file`, `duplicate-name`, or that of a file that cannot be read.
 */
export async function openResourceFiles(
  files: ResourceFiles,
  needs: readonly Need[] = [],
): Promise<OpenedResource[]> {
  const opened: OpenedResource[] = [];
  for (const opener of OPENERS) {
    const ofPort: OpenedResource[] = [];
    for (const text of files[opener.port.name] ?? [])
      ofPort.push(await openedFile(opener, text, ofPort));
    for (const { port, id } of needs) {
      if (port.name !== opener.port.name || id === undefined) continue;
      if (ofPort.some(({ resource }) => resource.id === id)) continue;
      const path = await opener.installed?.(id);
      if (path !== undefined) ofPort.push(await opening(opener, id, path));
    }
    opened.push(...ofPort);
  }
  return opened;
}

const NAMED = /^([\p{L}_][\p{L}\p{N}_.-]*)=(.+)$/u;

async function openedFile(
  opener: FileOpener,
  text: string,
  before: readonly OpenedResource[],
): Promise<OpenedResource> {
  const [, name, path] = (existsSync(text) ? null : NAMED.exec(text)) ?? [];
  const id = name ?? opener.id;
  const { port, example } = opener;
  if (before.some(({ resource }) => resource.id === id))
    throw new InputError('duplicate-name', `Two ${several(port.noun)} have the name "${id}"`, {
      hint: `Name them: --${port.name} one=FILE --${port.name} other=FILE, and in the strategy ${example}.`,
    });
  return opening(opener, id, path ?? text);
}

const several = (noun: string): string => (noun.endsWith('s') ? noun : `${noun}s`);

async function opening(opener: FileOpener, id: string, path: string): Promise<OpenedResource> {
  const { port } = opener;
  const bytes = readBytes(path, opener);
  try {
    const resource = await opener.read(bytes, id, path);
    return { port: port.name, resource, identity: `sha256:${sha256(bytes)}` };
  } catch (error) {
    if (!InputError.is(error)) throw error;
    throw new InputError(error.code, `The ${port.noun} ${path}: ${error.message}`, {
      cause: error,
    });
  }
}

/** Reads a file, or that in the folder of a weights package. */
function readBytes(path: string, { port, format, file }: FileOpener): Uint8Array {
  try {
    const inFolder = file !== undefined && statSync(path).isDirectory();
    return readFileSync(inFolder ? join(path, file) : path);
  } catch (error) {
    throw new InputError('missing-file', `The ${port.noun} ${path} cannot be read`, {
      expected: format,
      received: (error as Error).message,
    });
  }
}
