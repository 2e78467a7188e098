/**
 * Filters that a model extracted in an earlier run, from a file: what
 * `multi-meta-rag(extractor=replayed)` is given.
 */
import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '../core/errors.ts';
import type { Family } from '../core/naming/family.ts';
import { parseJson } from '../core/text/bounded-json.ts';
import { extractorsWith } from '../planning/metadata/extractors.ts';
import { type RecordedFilters, readRecordedFilters } from '../planning/metadata/replayed.ts';
import { sha256 } from '../platform/sha256.ts';
import { strategiesWith } from '../strategies/strategies.ts';
import type { Strategy } from '../strategies/strategy.ts';

export interface RecordedFilterFile {
  readonly recorded: RecordedFilters;
  /** Strategies whose extractor `replayed` reads from the file. */
  readonly strategies: Family<Strategy>;
  readonly sha256: string;
  readonly questions: number;
  /** Tells whether a question has a filter; one that has none is searched without. */
  has(question: string): boolean;
}

/** Throws `InputError`: the file is missing, no JSON, or holds no filters. */
export function readFilterFile(path: string): RecordedFilterFile {
  if (!existsSync(path)) throw new InputError('missing-file', `There is no file ${path}`);
  const text = readFileSync(path, 'utf8');
  const recorded = readRecordedFilters(parsed(text, path));
  return {
    recorded,
    strategies: strategiesWith(extractorsWith(recorded)),
    sha256: sha256(text),
    questions: recorded.size,
    has: question => recorded.has(question),
  };
}

function parsed(text: string, path: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new InputError('bad-json', `${path} is no JSON`, {
      received: (error as Error).message.slice(0, 120),
    });
  }
}

/** Before any work: a row that replays needs something to replay. */
export function checkReplayed(
  strategies: readonly string[],
  filters: RecordedFilterFile | undefined,
): void {
  const replaying = strategies.find(name => /\bextractor=replayed\b/.test(name));
  if (replaying === undefined || filters) return;
  throw new InputError('no-filters', `The strategy "${replaying}" replays recorded filters`, {
    expected:
      '--filters FILE, a list of { query, filter: { source: { $in: [...] }, published_at: { $in: [...] } } }',
  });
}
