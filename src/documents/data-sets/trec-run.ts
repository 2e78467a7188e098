/**
 * Reads and writes TREC runs: `QUESTION Q0 DOCUMENT RANK SCORE TAG`, separated by white space. The
 * score is what orders a run: trec_eval (https://github.com/usnistgov/trec_eval) ignores ranks.
 */
import { InputError } from '../../core/errors.ts';
import type { DataSet } from '../../evaluation/example.ts';
import {
  asciiFields,
  quoted,
  quotedName,
  type TextFile,
  type TextLine,
  textLines,
} from './text-lines.ts';
import { TrecIds } from './trec-ids.ts';

/**
 * Stands in the place of a document where a question was asked and nothing was found: the format
 * has no empty entry, and tools that average over the questions of a run would leave it out.
 */
export const NO_HITS = 'multihop:no-hits';

export interface TrecRun {
  /** The tag of the first line. */
  readonly tag: string;
  /** Document ids by question, best first; empty for a question without hits. */
  readonly rankings: ReadonlyMap<string, readonly string[]>;
}

interface Entry {
  readonly question: string;
  readonly document: string;
  readonly score: number;
  readonly tag: string;
}

/**
 * Reads a run and orders it as trec_eval does: by score, descending, compared as 32-bit floats;
 * equal scores by document id, descending by bytes. Throws `InputError`: `bad-line` with the line's
 * number, `duplicate-document`, `no-run` for a file without any line. O(n log n).
 */
export async function readTrecRun(file: TextFile): Promise<TrecRun> {
  const questions = new Map<string, Map<string, number>>();
  let tag: string | undefined;
  for await (const line of textLines(file)) {
    const entry = entryOf(file, line);
    tag ??= entry.tag;
    const scores = questions.get(entry.question) ?? new Map<string, number>();
    questions.set(entry.question, scores);
    if (scores.has(entry.document))
      throw new InputError(
        'duplicate-document',
        `Cannot read line ${line.line} of ${quotedName(file)}`,
        {
          expected: 'each document once for a question',
          received: `document "${entry.document}" again for question "${entry.question}"`,
        },
      );
    scores.set(entry.document, entry.score);
  }
  if (tag === undefined)
    throw new InputError('no-run', `${quotedName(file)} holds no line`, {
      expected: 'lines of QUESTION Q0 DOCUMENT RANK SCORE TAG',
    });
  return {
    tag,
    rankings: new Map([...questions].map(([question, scores]) => [question, ordered(scores)])),
  };
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function entryOf(file: TextFile, { line, text }: TextLine): Entry {
  const fields = asciiFields(text);
  const [question, , document, rank, score, tag] = fields;
  if (fields.length !== 6 || !NUMBER.test(rank!) || !NUMBER.test(score!))
    throw new InputError('bad-line', `Cannot read line ${line} of ${quotedName(file)}`, {
      expected: 'QUESTION Q0 DOCUMENT RANK SCORE TAG with numbers as rank and score',
      received: quoted(text),
    });
  return { question: question!, document: document!, score: Math.fround(Number(score)), tag: tag! };
}

function ordered(scores: ReadonlyMap<string, number>): string[] {
  return [...scores]
    .sort(([a, first], [b, second]) =>
      first === second ? Buffer.compare(Buffer.from(b), Buffer.from(a)) : second > first ? 1 : -1,
    )
    .map(([id]) => id)
    .filter(id => id !== NO_HITS);
}

/** Throws `InputError` if a data set has ids that no run can hold, see `printTrecRun`. */
export function checkTrecIds({
  documents,
  examples,
}: Pick<DataSet, 'documents' | 'examples'>): void {
  printTrecRun([['all', documents.map(({ id }) => id)]], 'check');
  printTrecRun(
    examples.map(({ id }) => [id, []] as const),
    'check',
  );
}

/**
 * Returns a run of rankings, best first. Scores fall by 1 from rank to rank, down to 1, so that
 * every reader restores the order. A question without hits has one line with the document
 * `multihop:no-hits` and the score 0. `tag` holds no white space. Throws `InputError`: `bad-id`,
 * `ambiguous-id`, see `TrecIds`.
 */
export function printTrecRun(
  rankings: Iterable<readonly [question: string, documents: readonly string[]]>,
  tag: string,
): string {
  const questions = new TrecIds('question');
  const documents = new TrecIds('document');
  documents.printed(NO_HITS);
  const lines: string[] = [];
  for (const [id, ranking] of rankings) {
    const question = questions.printed(id);
    if (ranking.length === 0) lines.push(`${question} Q0 ${NO_HITS} 1 0 ${tag}\n`);
    for (const [index, document] of ranking.entries()) {
      if (document === NO_HITS)
        throw new InputError('bad-id', `A document has the id "${NO_HITS}"`, {
          expected: 'another id: this one marks questions without hits',
        });
      const score = ranking.length - index;
      lines.push(`${question} Q0 ${documents.printed(document)} ${index + 1} ${score} ${tag}\n`);
    }
  }
  return lines.join('');
}
