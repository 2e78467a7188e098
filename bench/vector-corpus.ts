/**
 * Vectors made of texts without a model: as near to each other as their words are, for speed and
 * not for quality.
 *
 * The tf-idf of a text, its words hashed, is projected at random to 64 numbers, lifted to d with a
 * fixed random matrix, squashed by tanh, disturbed by noise and brought to length 1, so that
 * neighbours and the spread of scores are somewhat like an embedder's.
 */
import { type Corpus, tokens } from './corpora.ts';

const LATENT = 64;
const NOISE = 0.3;

export interface VectorCorpus {
  readonly dimensions: number;
  /** n x dimensions. */
  readonly rows: Float32Array;
  readonly queries: readonly Float32Array[];
}

/** Numbers in [-1, 1) from a seed (xorshift32, Marsaglia 2003). */
function numbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
}

/** FNV-1a (Fowler, Noll, Vo) over UTF-16 code units. */
function hash(token: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < token.length; i++) value = Math.imul(value ^ token.charCodeAt(i), 0x01000193);
  return value;
}

const filled = (length: number, next: () => number): Float64Array =>
  Float64Array.from({ length }, next);

class Embedding {
  private readonly idf = new Map<string, number>();
  private readonly projections = new Map<string, Float64Array>();
  private readonly lift: Float64Array;
  private readonly dimensions: number;

  constructor(texts: readonly string[], dimensions: number) {
    this.dimensions = dimensions;
    this.lift = filled(LATENT * dimensions, numbers(1));
    const frequencies = new Map<string, number>();
    for (const text of texts)
      for (const token of new Set(tokens(text)))
        frequencies.set(token, (frequencies.get(token) ?? 0) + 1);
    for (const [token, frequency] of frequencies)
      this.idf.set(token, Math.log(texts.length / frequency));
  }

  embed(text: string, into: Float32Array): void {
    const latent = new Float64Array(LATENT);
    for (const token of tokens(text)) {
      const weight = this.idf.get(token) ?? 0;
      const projection = this.project(token);
      for (let i = 0; i < LATENT; i++) latent[i]! += weight * projection[i]!;
    }
    const length = Math.hypot(...latent) || 1;
    const noise = numbers(hash(text));
    const lifted = new Float64Array(this.dimensions);
    for (let d = 0; d < lifted.length; d++) {
      let sum = NOISE * noise();
      for (let i = 0, at = d * LATENT; i < LATENT; i++)
        sum += (latent[i]! / length) * this.lift[at + i]!;
      lifted[d] = Math.tanh(2 * sum);
    }
    const norm = Math.hypot(...lifted);
    for (let d = 0; d < lifted.length; d++) into[d] = lifted[d]! / norm;
  }

  private project(token: string): Float64Array {
    let projection = this.projections.get(token);
    if (projection === undefined) {
      projection = filled(LATENT, numbers(hash(token)));
      this.projections.set(token, projection);
    }
    return projection;
  }
}

/** Passages as rows and questions as queries. */
export function vectorCorpus({ items, questions }: Corpus, dimensions: number): VectorCorpus {
  const texts = items.map(({ title, text }) => `${title} ${text}`);
  const embedding = new Embedding(texts, dimensions);
  const rows = new Float32Array(texts.length * dimensions);
  texts.forEach((text, i) => {
    embedding.embed(text, rows.subarray(i * dimensions, (i + 1) * dimensions));
  });
  const queries = questions.map(question => {
    const query = new Float32Array(dimensions);
    embedding.embed(question, query);
    return query;
  });
  return { dimensions, rows, queries };
}
