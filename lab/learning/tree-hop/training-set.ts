/**
 * Builds flat records of questions with graphs over distinct paragraphs: question, path, positive,
 * negatives.
 */

import { mulberry32 } from '../../../src/core/mulberry32.ts';
import type {
  Edge,
  TrainingDataset,
  TrainingParagraph,
  TrainingQuestion,
} from '../training-question.ts';
import { paragraphKey } from '../training-question.ts';
import { mentionQuestions } from './mention-questions.ts';
import { contextOf, type ParagraphPool, poolOf } from './negative-pool.ts';
import { QUESTION, type Rejection } from './rejections.ts';
import { supervisionGraph } from './supervision-graph.ts';

/**
 * After the passages of `path`, first to last, the next query should find `positive`; all are rows
 * of the paragraphs.
 */
export interface TrainingRecord {
  /** Empty for the first hop, which has no parameter to learn. */
  readonly path: readonly number[];
  readonly positive: number;
  readonly negatives: readonly number[];
}

export interface TrainingExample {
  readonly dataset: TrainingDataset;
  readonly id: string;
  readonly type: string;
  readonly text: string;
  /** True if its negatives are of its own context, false if of the pool. */
  readonly ownContext: boolean;
  readonly from: 'evidences' | 'decomposition' | 'order' | 'mention';
  /** Shorter paths first, so that a record's parent stands before it. */
  readonly records: readonly TrainingRecord[];
}

export interface RejectedQuestion {
  readonly dataset: TrainingDataset;
  readonly id: string;
  readonly type: string;
  readonly ownContext: boolean;
  readonly reason: Rejection;
}

export interface TrainingSet {
  /** Each once, in the order in which the questions bring them. */
  readonly paragraphs: readonly TrainingParagraph[];
  readonly examples: readonly TrainingExample[];
  readonly rejected: readonly RejectedQuestion[];
}

export interface TrainingSetOptions {
  /** The number for each positive; published: 5. */
  readonly negatives?: number;
  /**
   * For the negatives, each question's by its own id: what other questions there are changes none
   * that are of its own context.
   */
  readonly seed?: number;
  /**
   * Questions written in English for each pair of paragraphs of which one names the other; 0: none.
   * They come last and change no other.
   */
  readonly mentions?: number;
}

export function trainingSet(
  questions: readonly TrainingQuestion[],
  { negatives = 5, seed = 0, mentions = 0 }: TrainingSetOptions = {},
): TrainingSet {
  const rejected: RejectedQuestion[] = [];
  const refuse = ({ dataset, id, type, ownContext }: TrainingQuestion, reason: Rejection): void =>
    void rejected.push({ dataset, id, type, ownContext, reason });
  const graphs = questions.flatMap(question => {
    const graph = supervisionGraph(question);
    if (!('rejected' in graph)) return [{ question, graph }];
    refuse(question, graph.rejected);
    return [];
  });
  const pool = poolOf(graphs.map(({ question }) => question));
  const rows = new ParagraphRows();
  const examples: TrainingExample[] = [];
  for (const { question, graph } of graphs) {
    const example = exampleOf(question, graph, { pool, rows, negatives, seed });
    if (example) examples.push(example);
    else refuse(question, 'few-negatives');
  }
  const chain = {
    edges: [
      [QUESTION, 0],
      [0, 1],
    ] as const,
    from: 'mention' as const,
  };
  const known = [...rows.all];
  // Paragraphs that have rows already: held-out questions are searched for among as many.
  const ofRows = { titled: known.filter(({ title }) => title !== ''), untitled: [] };
  for (const question of mentionQuestions(known, { perPair: mentions, seed })) {
    const example = exampleOf(question, chain, { pool: ofRows, rows, negatives, seed });
    if (example) examples.push(example);
    else refuse(question, 'few-negatives');
  }
  return { paragraphs: rows.all, examples, rejected };
}

interface Surroundings {
  readonly pool: ParagraphPool;
  readonly rows: ParagraphRows;
  readonly negatives: number;
  readonly seed: number;
}

function exampleOf(
  question: TrainingQuestion,
  { edges, from }: { readonly edges: readonly Edge[]; readonly from: TrainingExample['from'] },
  { pool, rows, negatives, seed }: Surroundings,
): TrainingExample | undefined {
  const random = mulberry32(seed ^ hashOf(`${question.dataset}/${question.id}`));
  const gold = [...new Set(edges.map(([, to]) => to))];
  const context = question.ownContext
    ? question.paragraphs
    : contextOf(question.paragraphs, pool, random);
  // Two paragraphs of one context may be the same.
  const keys = context.map(paragraphKey);
  const paths = pathsOf(edges);
  const drawn = paths.map(({ path, to }) => {
    const barred = new Set([...barredFor(paths, path), to].map(place => keys[place]!));
    const free = [...new Map(keys.map((key, place) => [key, place]))]
      .filter(([key]) => !barred.has(key))
      .map(([, place]) => place);
    return draw(free, negatives, random);
  });
  if (drawn.some(places => places === undefined)) return undefined;
  // Paragraphs in their own order, so that rows do not tell which are gold; all of an own context,
  // so that other negatives need no more vectors.
  const used = new Set([...gold, ...drawn.flatMap(places => places!)]);
  const row = context.map((paragraph, place) =>
    question.ownContext || used.has(place) ? rows.of(paragraph) : -1,
  );
  const records = paths.map(({ path, to }, at) => ({
    path: path.map(place => row[place]!),
    positive: row[to]!,
    negatives: drawn[at]!.map(place => row[place]!),
  }));
  const { dataset, id, type, text, ownContext } = question;
  return { dataset, id, type, text, ownContext, from, records };
}

interface Path {
  readonly path: readonly number[];
  readonly to: number;
}

/** Every way from the question to a paragraph, shorter ones first. */
function pathsOf(edges: readonly Edge[]): Path[] {
  const all: Path[] = [];
  let ends: Path[] = edges
    .filter(([from]) => from === QUESTION)
    .map(([, to]) => ({ path: [], to }));
  while (ends.length > 0) {
    all.push(...ends);
    ends = ends.flatMap(({ path, to }) =>
      edges.filter(([from]) => from === to).map(([, next]) => ({ path: [...path, to], to: next })),
    );
  }
  return all;
}

/**
 * No negatives of a positive that `path` leads to: the positives of its layer, and the children of
 * those that have its parent (6.2.6).
 */
function barredFor(paths: readonly Path[], path: readonly number[]): number[] {
  const same = (a: readonly number[]): boolean =>
    a.length === path.length && a.every((place, at) => place === path[at]);
  const siblings = paths.filter(other => same(other.path)).map(({ to }) => to);
  const children = paths
    .filter(other => same(other.path.slice(0, -1)) && siblings.includes(other.path.at(-1)!))
    .map(({ to }) => to);
  return [
    ...paths.filter(other => other.path.length === path.length).map(({ to }) => to),
    ...children,
  ];
}

/** So many of them, each as likely; undefined where there are fewer. */
function draw(
  places: readonly number[],
  count: number,
  random: () => number,
): number[] | undefined {
  const left = [...places];
  if (left.length < count) return undefined;
  for (let at = 0; at < count; at++) {
    const other = at + Math.floor(random() * (left.length - at));
    [left[at], left[other]] = [left[other]!, left[at]!];
  }
  return left.slice(0, count);
}

class ParagraphRows {
  readonly all: TrainingParagraph[] = [];
  private readonly rows = new Map<string, number>();

  of({ title, text }: TrainingParagraph): number {
    const key = paragraphKey({ title, text });
    const before = this.rows.get(key);
    if (before !== undefined) return before;
    this.rows.set(key, this.all.length);
    return this.all.push({ title, text }) - 1;
  }
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}
