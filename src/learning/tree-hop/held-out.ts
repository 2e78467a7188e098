/** How good next queries are on questions held out: whether they find the next gold passage among all paragraphs, and what two whole hops find. */
import { VectorIndex } from '../../indexes/vector/vector-index.ts';
import type { TreeHop } from '../../models/tree-hop/tree-hop.ts';
import { updatesOf } from './training-batches.ts';
import type { TrainingExample } from './training-set.ts';
import { rowOf, type TrainingVectors } from './training-vectors.ts';

/** Shares from 0 to 1; NaN where there is nothing to find. */
export interface HeldOutScores {
  readonly questions: number;
  readonly updates: number;
  /** Of the updates from gold passages, those whose next query finds the next gold passage among its first K; passages of the path do not count. */
  readonly nextHop: number;
  /** Gold passages found by the question alone: its first K. */
  readonly hop1: number;
  /** The same after one layer of the tree: K next queries, of whose new passages the best K are kept. */
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

/** Everything that does not depend on the model is computed once: the index, and what the question alone finds. */
export class HeldOutEvaluation {
  readonly #examples: readonly TrainingExample[];
  readonly #vectors: TrainingVectors;
  readonly #index: VectorIndex;
  readonly #k: number;
  readonly #questions: readonly number[];
  readonly #direct: readonly (readonly Scored[])[];

  /** `questions`: which of the examples are held out. Searches all paragraphs of the set. */
  constructor(examples: readonly TrainingExample[], vectors: TrainingVectors, questions: readonly number[], k = 5) {
    this.#examples = examples;
    this.#vectors = vectors;
    this.#questions = questions;
    this.#k = k;
    this.#index = VectorIndex.build(vectors.paragraphs, vectors.d);
    this.#direct = this.#search(
      questions.map(question => this.#query(question)),
      2 * k,
    );
  }

  /** `treeHop` undefined: every next query is the question itself. */
  scores(treeHop: TreeHop | undefined): HeldOutScores {
    const two = this.#twoHops(treeHop);
    const updates = this.#questions.reduce((sum, question) => sum + updatesOf(this.#examples[question]!).length, 0);
    return { questions: this.#questions.length, updates, nextHop: this.#nextHops(treeHop) / updates, ...two };
  }

  #nextHops(treeHop: TreeHop | undefined): number {
    const asked = this.#questions.flatMap(question => {
      const states = new Map<string, Float32Array>([['', this.#query(question)]]);
      return updatesOf(this.#examples[question]!).map(({ path, positive }) => {
        const before = states.get(path.slice(0, -1).join())!;
        const state = treeHop ? treeHop.update(before, this.#passage(path.at(-1)!)) : before;
        states.set(path.join(), state);
        return { path, positive, state };
      });
    });
    const longest = Math.max(0, ...asked.map(({ path }) => path.length));
    const found = this.#search(
      asked.map(({ state }) => state),
      this.#k + longest,
    );
    return asked.filter(({ path, positive }, at) => {
      const fresh = found[at]!.filter(({ item }) => !path.includes(item));
      return fresh.slice(0, this.#k).some(({ item }) => item === positive);
    }).length;
  }

  #twoHops(treeHop: TreeHop | undefined): Pick<HeldOutScores, 'hop1' | 'hop2' | 'averageK' | 'directAtEqualK'> {
    const [d, k] = [this.#vectors.d, this.#k];
    const firsts = this.#direct.map(found => found.slice(0, k).map(({ item }) => item));
    const queries = new Float32Array(firsts.flat().length * d);
    const passages = new Float32Array(queries.length);
    let row = 0;
    for (const [at, first] of firsts.entries())
      for (const item of first) {
        queries.set(this.#query(this.#questions[at]!), row * d);
        passages.set(this.#passage(item), row++ * d);
      }
    const next = treeHop ? treeHop.update(queries, passages) : queries;
    const states = Array.from({ length: row }, (_, at) => normalised(rowOf(next, at, d)));
    const found = this.#search(states, 2 * k);
    const totals = { gold: 0, hop1: 0, hop2: 0, kept: 0, direct: 0 };
    let branch = 0;
    for (const [at, first] of firsts.entries()) {
      const gold = new Set(this.#examples[this.#questions[at]!]!.records.map(({ positive }) => positive));
      const candidates = first.flatMap(() => found[branch++]!.slice(0, k)).filter(({ item }) => !first.includes(item));
      const best = candidates.sort((a, b) => b.score - a.score).slice(0, k);
      const kept = [...new Set([...first, ...best.map(({ item }) => item)])];
      const hits = (items: readonly number[]): number => items.filter(item => gold.has(item)).length;
      totals.gold += gold.size;
      totals.hop1 += hits(first);
      totals.hop2 += hits(kept);
      totals.kept += kept.length;
      totals.direct += hits(this.#direct[at]!.slice(0, kept.length).map(({ item }) => item));
    }
    const { gold, hop1, hop2, kept, direct } = totals;
    return { hop1: hop1 / gold, hop2: hop2 / gold, averageK: kept / this.#questions.length, directAtEqualK: direct / gold };
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

function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.max(Math.sqrt(squares), 1e-12);
  return vector.map(value => value / length);
}
