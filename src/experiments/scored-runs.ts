/** Scores TREC run files, ours or foreign, against relevance judgements. */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { InputError } from '../core/errors.ts';
import { drain } from '../core/steps.ts';
import { type Qrels, readQrels } from '../documents/data-sets/qrels.ts';
import { escapedId, TrecIds } from '../documents/data-sets/trec-ids.ts';
import { readTrecRun, type TrecRun } from '../documents/data-sets/trec-run.ts';
import { emptyTrace } from '../evaluation/empty-trace.ts';
import type { EvaluationResult, Row } from '../evaluation/evaluation-result.ts';
import type { Example, Measure } from '../evaluation/example.ts';
import { evaluate, type Progress } from '../evaluation/run.ts';
import { sha256 } from '../platform/sha256.ts';

export interface ScoredRuns {
  readonly result: EvaluationResult;
  /** Scores by run, measure and question. */
  readonly perQuestion: Readonly<Record<string, Readonly<Record<string, Values>>>>;
  /** Sentences on questions that the files do not agree on. */
  readonly notes: readonly string[];
}
type Values = Readonly<Record<string, number>>;

/**
 * Scores every run on every question with a relevant document. A question that a run does not hold,
 * or holds without hits, counts as an empty ranking; a question without a relevant document is left
 * out. Throws `InputError`: `bad-measure` for a measure that reads more than rankings,
 * `no-questions`, and those of the readers. `onStep` is called after each ranking.
 */
export async function scoreRuns(
  files: { readonly qrels: string; readonly runs: readonly string[] },
  measures: readonly Measure[],
  signal: AbortSignal,
  onStep: (step: Progress) => void = () => {},
): Promise<ScoredRuns> {
  for (const { name, reads } of measures)
    if (reads !== 'ranking')
      throw new InputError('bad-measure', `The measure "${name}" has no value for a run file`, {
        expected:
          'a measure of document rankings, as Recall@10, AllRecall@10, NDCG@10, Precision@5',
      });
  const qrels = escapedKeys(await readQrels(files.qrels));
  const examples = examplesOf(qrels);
  if (examples.length === 0)
    throw new InputError('no-questions', `No question of ${files.qrels} has a relevant document`, {
      expected: 'a grade above 0',
    });
  const runs = await openRuns(files.runs);
  const run = evaluate({
    dataset: basename(files.qrels),
    examples,
    rows: runs.map(({ row }) => row),
    ask: async (row, example) => ({
      ...emptyTrace(example.question, row),
      ranking: (runs.find(each => each.row === row)!.run.rankings.get(example.id) ?? []).map(
        escapedId,
      ),
    }),
    measures,
    mainMeasures: measures.map(({ name }) => name),
    records: { text: () => '' },
    manifest: manifestOf(files, qrels, examples),
    signal,
  });
  const { result, scores } = await drain(run, onStep);
  const perQuestion = Object.fromEntries(
    Object.entries(scores).map(([id, byMeasure]) => [id, byQuestion(byMeasure, examples)]),
  );
  return { result, perQuestion, notes: notesOf(qrels, examples, runs) };
}

/**
 * Prints question ids as `--run-out` does: a TSV of judgements may hold white space in them. Throws
 * `InputError('ambiguous-id')`.
 */
function escapedKeys<T>(map: ReadonlyMap<string, T>): Map<string, T> {
  const questions = new TrecIds('question');
  return new Map([...map].map(([id, value]) => [questions.printed(id), value]));
}

/** Returns a question for each of the judgements with a relevant document. */
function examplesOf(qrels: Qrels): Example[] {
  const documents = new TrecIds('document');
  return [...qrels].flatMap(([id, grades]) => {
    const gold = [...grades]
      .filter(([, grade]) => grade > 0)
      .map(([documentId, grade]) => ({
        documentId: documents.printed(documentId),
        title: '',
        grade,
      }));
    return gold.length === 0 ? [] : [{ id, question: { id, text: id }, answers: [], gold }];
  });
}

interface OpenRun {
  readonly row: Row;
  readonly run: TrecRun;
}

/** Reads the runs; rows are named by tag, and by file where two runs have one tag. */
async function openRuns(paths: readonly string[]): Promise<OpenRun[]> {
  const runs: { readonly path: string; readonly run: TrecRun }[] = [];
  for (const path of paths) {
    const { tag, rankings } = await readTrecRun(path);
    runs.push({ path, run: { tag, rankings: escapedKeys(rankings) } });
  }
  return runs.map(({ path, run }) => {
    const same = runs.filter(other => other.run.tag === run.tag).length > 1;
    const id = same ? `${run.tag} (${path})` : run.tag;
    const row = { id, strategy: id, retriever: '', context: '', reader: '', budget: {} };
    return { row, run };
  });
}

function manifestOf(
  files: { readonly qrels: string; readonly runs: readonly string[] },
  qrels: Qrels,
  examples: readonly Example[],
): Record<string, unknown> {
  const digest = (path: string): string => sha256(readFileSync(path));
  return {
    qrels: digest(files.qrels),
    runs: files.runs.map(digest),
    examples: examples.length,
    withoutRelevant: qrels.size - examples.length,
  };
}

function byQuestion(
  scores: Readonly<Record<string, readonly unknown[]>>,
  examples: readonly Example[],
): Record<string, Values> {
  return Object.fromEntries(
    Object.entries(scores).map(([measure, values]) => [
      measure,
      Object.fromEntries(
        examples.flatMap(({ id }, index) => {
          const score = values[index];
          return typeof score === 'number' ? [[id, score] as const] : [];
        }),
      ),
    ]),
  );
}

function notesOf(qrels: Qrels, examples: readonly Example[], runs: readonly OpenRun[]): string[] {
  const left = qrels.size - examples.length;
  const notes =
    left > 0
      ? [`${left} of ${qrels.size} judged questions have no relevant document: left out`]
      : [];
  for (const { row, run } of runs) {
    const missing = examples.filter(({ id }) => (run.rankings.get(id) ?? []).length === 0).length;
    const foreign = [...run.rankings.keys()].filter(id => !qrels.has(id)).length;
    if (missing > 0)
      notes.push(`${row.id}: ${missing} of ${examples.length} questions have no hits and count 0`);
    if (foreign > 0) notes.push(`${row.id}: ${foreign} questions are not judged: left out`);
  }
  return notes;
}
