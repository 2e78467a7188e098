/**
 * Reads and writes the file of fact-ranker weights: learnt weights replace their kind, other kinds
 * stay.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { OptionValues } from '../../../src/cli/option.ts';
import { parseJson } from '../../../src/documents/records/json-text.ts';
import {
  type FactRanker,
  RANKER_FORMAT,
  RANKER_KINDS,
  type RankerKind,
  type RankerWeights,
  readFactRanker,
  SIGNALS,
  type Signal,
} from '../../../src/models/fact-ranker/fact-ranker.ts';
import { fileError } from '../../../src/platform/file-error.ts';
import { replaceFile } from '../../../src/platform/replace-file.ts';

export interface LearntKind {
  readonly kind: RankerKind;
  readonly weights: RankerWeights;
  readonly provenance: unknown;
}

/** Returns undefined without a file. Throws `InputError('bad-ranker' | 'unreadable-file')`. */
export const rankerAt = (path: string): FactRanker | undefined =>
  existsSync(path) ? readFactRanker(withOpenKinds(parseJson(textOf(path), path))) : undefined;

/**
 * Refuses an unusable `--out` before an hour of work. It is read again afterwards, since another
 * process may have written it.
 */
export function checkRanker(options: OptionValues): void {
  const out = options.text('out');
  if (out !== undefined) rankerAt(out);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw fileError(path, error);
  }
}

export function writeRanker(path: string, learnt: readonly LearntKind[]): void {
  replaceFile(path, `${JSON.stringify(merged(path, learnt), null, 2)}\n`);
}

/**
 * Fills in the kinds that were not learnt: a plain kind from the file, or without a file from the
 * first learnt kind; an open kind without provenance from the plain kind of its signal.
 */
export function merged(path: string, learnt: readonly LearntKind[]): FactRanker {
  const before = rankerAt(path);
  const learntWeights = new Map(learnt.map(({ kind, weights }) => [kind, weights]));
  const provenance = {
    ...before?.provenance,
    ...Object.fromEntries(learnt.map(({ kind, provenance: origin }) => [kind, origin])),
  };
  const plain = (signal: Signal): RankerWeights =>
    learntWeights.get(signal) ?? before?.rankers[signal] ?? learnt[0]!.weights;
  const open = (signal: Signal): RankerWeights => {
    const kind = `open-${signal}` as const;
    const known = Object.hasOwn(provenance, kind) ? before?.rankers[kind] : undefined;
    return learntWeights.get(kind) ?? known ?? plain(signal);
  };
  const rankers = Object.fromEntries(
    RANKER_KINDS.map(kind => {
      const signal = SIGNALS.find(each => kind === each);
      return [
        kind,
        signal === undefined ? open(kind.slice('open-'.length) as Signal) : plain(signal),
      ];
    }),
  );
  return { format: RANKER_FORMAT, rankers: rankers as FactRanker['rankers'], provenance };
}

/**
 * Adds the open kinds that older files lack. Leaves out whatever else is missing, for the reader to
 * report.
 */
function withOpenKinds(value: unknown): unknown {
  const { rankers } = (value ?? {}) as { readonly rankers?: unknown };
  if (typeof rankers !== 'object' || rankers === null || Array.isArray(rankers)) return value;
  const kept = rankers as Readonly<Record<string, unknown>>;
  const open = SIGNALS.filter(signal => Object.hasOwn(kept, signal)).map(signal => [
    `open-${signal}`,
    kept[signal],
  ]);
  return { ...(value as object), rankers: { ...Object.fromEntries(open), ...kept } };
}
