/**
 * Scores next queries on held-out questions: the share that finds the next gold passage among all
 * paragraphs, and the recall of two whole hops.
 */

import type { TreeHop } from '../../../src/models/tree-hop/tree-hop.ts';
import { VectorIndex } from '../../../src/search/indexes/vector/vector-index.ts';
import { updatesOf } from './training-batches.ts';
import type { TrainingExample } from './training-set.ts';
import { rowOf, type TrainingVectors } from './training-vectors.ts';

/** Shares from 0 to 1; NaN where there is nothing to find. */
export interface HeldOutScores {
  readonly questions: number;
  readonly updates: number;
  /**
   * The share of updates from gold passages whose next query finds the next gold passage among its
   * first K; passages of the path do not count.
   */
  readonly nextHop: number;
  /** Gold passages found by the question alone: its first K. */
  readonly hop1: number;
  /**
   * The same after one layer of the tree: K next queries, of whose new passages the best K are
   * kept.
   */
  readonly hop2: number;
  /** Passages kept after both hops. */
  readonly averageK: number;
  /** Gold passages among as many as the tree kept, found by the question alone: the control. */
  readonly directAtEqualK: number;
}

interface Scored {
  readonly item: number;
  readonly score: number;
}

/**
 * Everything that does not depend on the model is computed once: the index, and what the question
 * alone finds.
 */
export class HeldOutEvaluation {
  readonly #examples: readonly TrainingExample[];
  readonly #vectors: TrainingVectors;
  readonly #index: VectorIndex;
  readonly #k: number;
  readonly #questions: readonly number[];
  readonly #direct: ReadonlyMap<number, readonly Scored[]>;

  /** `questions`: which of the examples are held out. Searches all paragraphs of the set. */
  constructor(
    examples: readonly TrainingExample[],
    vectors: TrainingVectors,
    questions: readonly number[],
    k = 5,
  ) {
    this.#examples = examples;
    this.#vectors = vectors;
    this.#questions = questions;
    this.#k = k;
    this.#index = VectorIndex.build(vectors.paragraphs, vectors.d);
    const found = this.#search(
      questions.map(question => this.#query(question)),
      2 * k,
    );
    this.#direct = new Map(questions.map((question, at) => [question, found[at]!]));
  }

  /**
   * `treeHop` undefined: every next query is the question itself. `among`: which of the questions
   * count.
   */
  scores(
    treeHop: TreeHop | undefined,
    among: (example: TrainingExample) => boolean = () => true,
  ): HeldOutScores {
    const questions = this.#questions.filter(question => among(this.#examples[question]!));
    const updates = questions.reduce(
      (sum, question) => sum + updatesOf(this.#examples[question]!).length,
      0,
    );
    const nextHop = this.#nextHops(treeHop, questions) / updates;
    return { questions: questions.length, updates, nextHop, ...this.#twoHops(treeHop, questions) };
  }

  /** One path length after the other: the state at a passage is the query of the hops after it. */
  #nextHops(treeHop: TreeHop | undefined, questions: readonly number[]): number {
    const asked = questions.flatMap(question =>
      updatesOf(this.#examples[question]!).map(record => ({ ...record, question })),
    );
    const states = new Map<string, Float32Array>();
    const longest = Math.max(0, ...asked.map(({ path }) => path.length));
    for (let length = 1; length <= longest; length++) {
      const layer = asked.filter(({ path }) => path.length === length);
      const before = layer.map(
        ({ question, path }) =>
          states.get(`${question} ${path.slice(0, -1).join()}`) ?? this.#query(question),
      );
      const next = this.#updated(
        treeHop,
        before,
        layer.map(({ path }) => path.at(-1)!),
      );
      for (const [at, { question, path }] of layer.entries())
        states.set(`${question} ${path.join()}`, next[at]!);
    }
    const found = this.#search(
      asked.map(({ question, path }) => states.get(`${question} ${path.join()}`)!),
      this.#k + longest,
    );
    return asked.filter(({ path, positive }, at) => {
      const fresh = found[at]!.filter(({ item }) => !path.includes(item));
      return fresh.slice(0, this.#k).some(({ item }) => item === positive);
    }).length;
  }

  #twoHops(
    treeHop: TreeHop | undefined,
    questions: readonly number[],
  ): Pick<HeldOutScores, 'hop1' | 'hop2' | 'averageK' | 'directAtEqualK'> {
    const k = this.#k;
    const alone = questions.map(question => this.#direct.get(question)!);
    const firsts = alone.map(found => found.slice(0, k).map(({ item }) => item));
    const queries = firsts.flatMap((first, at) => first.map(() => this.#query(questions[at]!)));
    const found = this.#search(
      this.#updated(treeHop, queries, firsts.flat()).map(normalised),
      2 * k,
    );
    const totals = { gold: 0, hop1: 0, hop2: 0, kept: 0, direct: 0 };
    let branch = 0;
    for (const [at, first] of firsts.entries()) {
      const gold = new Set(this.#examples[questions[at]!]!.records.map(({ positive }) => positive));
      const candidates = first
        .flatMap(() => found[branch++]!.slice(0, k))
        .filter(({ item }) => !first.includes(item));
      const best = candidates.sort((a, b) => b.score - a.score).slice(0, k);
      const kept = [...new Set([...first, ...best.map(({ item }) => item)])];
      const hits = (items: readonly number[]): number =>
        items.filter(item => gold.has(item)).length;
      totals.gold += gold.size;
      totals.hop1 += hits(first);
      totals.hop2 += hits(kept);
      totals.kept += kept.length;
      totals.direct += hits(alone[at]!.slice(0, kept.length).map(({ item }) => item));
    }
    const { gold, hop1, hop2, kept, direct } = totals;
    return {
      hop1: hop1 / gold,
      hop2: hop2 / gold,
      averageK: kept / questions.length,
      directAtEqualK: direct / gold,
    };
  }

  #updated(
    treeHop: TreeHop | undefined,
    queries: readonly Float32Array[],
    passages: readonly number[],
  ): readonly Float32Array[] {
    if (treeHop === undefined || queries.length === 0) return queries;
    const { d } = this.#vectors;
    const next = treeHop.update(
      joined(queries, d),
      joined(
        passages.map(item => this.#passage(item)),
        d,
      ),
    );
    return queries.map((_, at) => rowOf(next, at, d));
  }

  #search(queries: readonly Float32Array[], k: number): Scored[][] {
    return this.#index.search(
      queries.map(vector => ({ vector })),
      Math.min(k, this.#index.size),
    );
  }

  #query(question: number): Float32Array {
    return rowOf(this.#vectors.questions, question, this.#vectors.d);
  }

  #passage(item: number): Float32Array {
    return rowOf(this.#vectors.paragraphs, item, this.#vectors.d);
  }
}

function joined(rows: readonly Float32Array[], d: number): Float32Array {
  const all = new Float32Array(rows.length * d);
  for (const [at, row] of rows.entries()) all.set(row, at * d);
  return all;
}

function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.max(Math.sqrt(squares), 1e-12);
  return vector.map(value => value / length);
}
