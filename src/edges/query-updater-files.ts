/** Query updaters from files: safetensors checkpoints of TreeHop, as `multihop treehop train` and `import` write them. */
import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '../errors.ts';
import type { QueryUpdater } from '../models/query-updater.ts';
import type { NamedModel } from './runs/evaluation-manifest.ts';
import { sha256 } from './sha256.ts';

/** `FILE`, or `NAME=FILE` for a name of its own: what a strategy says as `model=NAME`. */
const NAMED = /^([\p{L}_][\p{L}\p{N}_.-]*)=(.+)$/u;

/** In the order given; each with the hash of its file. Throws `InputError` for what is no file, no checkpoint, or says no encoder. */
export async function openQueryUpdaters(given: readonly string[]): Promise<NamedModel<QueryUpdater>[]> {
  if (given.length === 0) return [];
  const { readCheckpoint } = await import('../models/tree-hop/checkpoint.ts');
  const { DEFAULT_UPDATER, treeHopUpdater } = await import('../models/tree-hop/tree-hop-updater.ts');
  const opened: NamedModel<QueryUpdater>[] = [];
  for (const text of given) {
    const [, name, named] = (existsSync(text) ? null : NAMED.exec(text)) ?? [];
    const [id, path] = [name ?? DEFAULT_UPDATER, named ?? text];
    if (opened.some(({ model }) => model.id === id))
      throw new InputError('duplicate-name', `Two query updaters have the name "${id}"`, {
        hint: 'Name them: --query-updater one=FILE --query-updater other=FILE, and in the strategy tree-hop(model=one).',
      });
    const bytes = readBytes(path);
    try {
      opened.push({ model: treeHopUpdater(readCheckpoint(bytes), { id }), identity: `sha256:${sha256(bytes)}` });
    } catch (error) {
      if (!InputError.is(error)) throw error;
      throw new InputError(error.code, `The query updater ${path}: ${error.message}`, { cause: error });
    }
  }
  return opened;
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new InputError('missing-file', `The query updater ${path} cannot be read`, {
      expected: 'a safetensors checkpoint of TreeHop',
      received: (error as Error).message,
    });
  }
}
