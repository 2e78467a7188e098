/**
 * Query updaters from files: safetensors checkpoints of TreeHop, as `multihop treehop train` and
 * `import` write them.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../errors.ts';
import type { QueryUpdater } from '../models/query-updater.ts';
import { strategies } from '../strategies/strategies.ts';
import type { NamedModel } from './runs/evaluation-manifest.ts';
import { sha256 } from './sha256.ts';
import { shippedTreeHopPath, TREE_HOP_WEIGHTS } from './tree-hop/shipped.ts';

/** `PATH`, or `NAME=PATH` for the `model=NAME` of a strategy. */
const NAMED = /^([\p{L}_][\p{L}\p{N}_.-]*)=(.+)$/u;

/**
 * Whether a strategy, or a row that names one, needs the model that ships. What is no strategy is
 * refused by whoever makes it.
 */
function wantsShipped(text: string): boolean {
  const name = /(?:^|;)\s*strategy=([^;]*)/.exec(text)?.[1] ?? text;
  try {
    return strategies.create(name.trim()).updater === SHIPPED;
  } catch {
    return false;
  }
}

/** What `tree-hop` asks for where it names no model. */
const SHIPPED = 'tree-hop';

/**
 * In the order given; each with the hash of its file. Where one of the strategies or rows asked for
 * is `tree-hop` and no model of that name is given, the one that ships with the package. Throws
 * `InputError` for what is no file, no checkpoint, or says no encoder.
 */
export async function openQueryUpdaters(
  given: readonly string[],
  asked: readonly string[] = [],
): Promise<NamedModel<QueryUpdater>[]> {
  const opened = given.length === 0 ? [] : await opening(given);
  if (!asked.some(wantsShipped) || opened.some(({ model }) => model.id === SHIPPED)) return opened;
  return [...opened, ...(await opening([shippedTreeHopPath()]))];
}

async function opening(given: readonly string[]): Promise<NamedModel<QueryUpdater>[]> {
  const { readCheckpoint } = await import('../tree-hop/model/checkpoint.ts');
  const { DEFAULT_UPDATER, treeHopUpdater } = await import('../tree-hop/model/tree-hop-updater.ts');
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
      opened.push({
        model: treeHopUpdater(readCheckpoint(bytes), { id }),
        identity: `sha256:${sha256(bytes)}`,
      });
    } catch (error) {
      if (!InputError.is(error)) throw error;
      throw new InputError(error.code, `The query updater ${path}: ${error.message}`, {
        cause: error,
      });
    }
  }
  return opened;
}

/** Reads a checkpoint, or the one in the folder of a weights package. */
function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(statSync(path).isDirectory() ? join(path, TREE_HOP_WEIGHTS) : path);
  } catch (error) {
    throw new InputError('missing-file', `The query updater ${path} cannot be read`, {
      expected: 'a safetensors checkpoint of TreeHop',
      received: (error as Error).message,
    });
  }
}
