/**
 * Lists GGUF files: in the folder of models, in that of node-llama-cpp, and where the command runs.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { LoadLibrary } from '../../platform/optional-package.ts';
import { isFirstPart, partsOf } from '../llama/gguf-path.ts';
import { type GgufMetadata, type LlamaLibrary, loadLlama } from '../llama/llama-library.ts';
import type { Kind } from '../model-servers.ts';
import { countOf, type LocalModel, licenceName } from './local-model.ts';

/** Kinds of pooling in a file: mean, of the first token, of the last, and into a score. */
const KINDS: Readonly<Record<number, Kind>> = {
  1: 'embedder',
  2: 'embedder',
  3: 'embedder',
  4: 'reranker',
};

export interface GgufPlaces {
  readonly models: string | undefined;
  readonly load?: LoadLibrary | undefined;
}

/** Without the library that runs it, nothing tells a file from one of a language model. */
export async function ggufModels({ models, load }: GgufPlaces): Promise<LocalModel[]> {
  const files = new Map<string, string>();
  for (const [folder, depth, named] of [
    [models, 2, (path: string) => path.slice(models!.length).replace(/^[/\\]/, '')],
    [join(homedir(), '.node-llama-cpp', 'models'), 1, (path: string) => path],
    ['.', 0, (path: string) => path],
  ] as const)
    for (const path of folder === undefined ? [] : await filesBelow(folder, depth)) {
      const real = await realpath(path);
      if (!files.has(real)) files.set(real, named(path));
    }
  if (files.size === 0) return [];
  const library = await loadLlama('model', load).catch(() => undefined);
  return Promise.all([...files].map(([path, name]) => ggufModel(path, name, library)));
}

async function filesBelow(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async entry => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth > 0 ? filesBelow(path, depth - 1) : [];
      return isFirstPart(path) ? [path] : [];
    }),
  );
  return found.flat().sort();
}

async function ggufModel(
  path: string,
  name: string,
  library: LlamaLibrary | undefined,
): Promise<LocalModel> {
  const sizes = await Promise.all(
    partsOf(path).map(part =>
      stat(part).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const file = await library?.readGgufFileInfo(path, { logWarnings: false }).catch(() => undefined);
  return { name: `gguf:${name}`, bytes, ...factsOf(file?.metadata) };
}

/** Reads what the head of a file says of it. */
export function factsOf(metadata: GgufMetadata | undefined): Omit<LocalModel, 'name'> {
  const own = metadata?.[metadata.general?.architecture ?? ''] as
    | { readonly pooling_type?: number; readonly context_length?: number }
    | undefined;
  return {
    kind: KINDS[own?.pooling_type ?? 0] ?? 'model',
    licence: licenceName(metadata?.general?.license),
    contextTokens: countOf(own?.context_length),
  };
}
