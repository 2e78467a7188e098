/**
 * Opens the records of an earlier run that this one replays, filters and sub-questions, and the
 * strategies over them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '../core/errors.ts';
import type { Family } from '../core/naming/family.ts';
import { parseJson } from '../core/text/bounded-json.ts';
import { readEntries } from '../documents/data-sets/data-set-file.ts';
import type { Example } from '../evaluation/example.ts';
import { extractorsWith } from '../planning/metadata/extractors.ts';
import { type RecordedFilters, readRecordedFilters } from '../planning/metadata/replayed.ts';
import {
  type RecordedSubQuestions,
  readRecordedSubQuestions,
} from '../planning/sub-questions/recorded-sub-questions.ts';
import { sha256 } from '../platform/sha256.ts';
import { strategiesWith } from '../strategies/strategies.ts';
import type { Strategy } from '../strategies/strategy.ts';

/** The records of a file by the text of each question. */
interface ReplayedFile<Recorded> {
  readonly recorded: Recorded;
  readonly sha256: string;
}

export interface ReplayedFiles {
  readonly strategies: Family<Strategy>;
  readonly filters?: ReplayedFile<RecordedFilters> | undefined;
  readonly subQuestions?: ReplayedFile<RecordedSubQuestions> | undefined;
}

/**
 * The strategies of `rows` have canonical names. Throws `InputError` for a file that is none of its
 * kind, and for a strategy whose file was not given.
 */
export async function openReplayedFiles(
  paths: { readonly filters: string | undefined; readonly subQuestions: string | undefined },
  rows: readonly { readonly strategy: string }[],
): Promise<ReplayedFiles> {
  const filters = paths.filters === undefined ? undefined : readFilters(paths.filters);
  const subQuestions =
    paths.subQuestions === undefined ? undefined : await readSubQuestions(paths.subQuestions);
  const replaying = (form: RegExp): string | undefined =>
    rows.map(({ strategy }) => strategy).find(name => form.test(name));
  const [filtered, split] = [
    replaying(/\bextractor=replayed\b/),
    replaying(/\b(?:split|answers|plan)=replayed\b/),
  ];
  if (filtered !== undefined && !filters)
    throw new InputError('no-filters', `The strategy "${filtered}" replays recorded filters`, {
      expected:
        '--filters FILE, a list of { query, filter: { source: { $in: [...] }, published_at: { $in: [...] } } }',
    });
  if (split !== undefined && !subQuestions)
    throw new InputError(
      'no-sub-questions',
      `The strategy "${split}" replays recorded sub-questions`,
      {
        expected:
          '--sub-questions FILE, a list of { question, subQuestions: [{ question, answer }] } or the questions of MuSiQue',
      },
    );
  const strategies = strategiesWith(extractorsWith(filters?.recorded), subQuestions?.recorded);
  return { strategies, filters, subQuestions };
}

function readFilters(path: string): ReplayedFile<RecordedFilters> {
  if (!existsSync(path)) throw new InputError('missing-file', `There is no file ${path}`);
  const text = readFileSync(path, 'utf8');
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (error) {
    throw new InputError('bad-json', `${path} is no JSON`, {
      received: (error as Error).message.slice(0, 120),
    });
  }
  return { recorded: readRecordedFilters(json), sha256: sha256(text) };
}

/** A JSON list, or one object a line. */
async function readSubQuestions(path: string): Promise<ReplayedFile<RecordedSubQuestions>> {
  const problems: string[] = [];
  const entries = await readEntries(path, 'sub-questions', problems);
  if (problems.length > 0)
    throw new InputError('bad-sub-questions', `${path} holds something else too: ${problems[0]}`);
  const recorded = readRecordedSubQuestions(entries.map(({ fields }) => fields));
  return { recorded, sha256: sha256(readFileSync(path)) };
}

/** One sentence for each file that does not know all questions. */
export function unrecorded(
  { filters, subQuestions }: ReplayedFiles,
  examples: readonly Example[],
): string[] {
  const files = [
    { file: filters, what: 'have no recorded filter: they are searched without' },
    { file: subQuestions, what: 'have no recorded sub-questions: their clauses are asked' },
  ];
  return files.flatMap(({ file, what }) => {
    const missing = examples.filter(({ question }) => !file?.recorded.has(question.text)).length;
    return file && missing > 0 ? [`${missing} of ${examples.length} questions ${what}`] : [];
  });
}
