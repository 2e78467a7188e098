/**
 * Texts as tokens: encoded one by one, cut to what the model reads with its marks kept, batched by
 * length, and laid out as tensors.
 */
import type {
  EncodedText,
  LibraryTensor,
  Tokenizer,
  TransformersLibrary,
} from './transformers-library.ts';

export interface Sequence {
  /** Its place among the texts. */
  readonly index: number;
  readonly ids: readonly number[];
  /** Undefined for models that know no types. */
  readonly types: readonly number[] | undefined;
  /** Tokens that were cut off. */
  readonly cut: number;
}

/**
 * So much of a text can matter to a model that reads so many tokens: what stands further on is not
 * even tokenised.
 */
const CHARACTERS_PER_TOKEN = 100;

function readable(text: string, maxTokens: number): string {
  return text.slice(0, maxTokens * CHARACTERS_PER_TOKEN).toWellFormed();
}

/**
 * The tokens of one text, at most `maxTokens` with its marks: what is too long loses its end, not
 * the mark that follows it.
 */
export function encodeText(
  tokenizer: Tokenizer,
  text: string,
  index: number,
  maxTokens: number,
): Sequence {
  const short = readable(text, maxTokens);
  const full = tokenizer(short, { return_tensor: false });
  const over = full.input_ids.length - maxTokens;
  if (over <= 0) return sequence(full, index, [], short.length < text.length ? 1 : 0);
  const body = tokenizer(short, { return_tensor: false, add_special_tokens: false }).input_ids;
  const start = find(full.input_ids, body);
  return sequence(full, index, [range(start + body.length - over, start + body.length)], over);
}

/**
 * The tokens of a pair, cut as Python's `longest_first` does: token by token from the end of
 * whichever part is longer, and of two equal ones from the second.
 */
export function encodePair(
  tokenizer: Tokenizer,
  query: string,
  text: string,
  index: number,
  maxTokens: number,
): Sequence {
  const [first, second] = [readable(query, maxTokens), readable(text, maxTokens)];
  const full = tokenizer(first, { text_pair: second, return_tensor: false });
  const over = full.input_ids.length - maxTokens;
  if (over <= 0)
    return sequence(
      full,
      index,
      [],
      first.length + second.length < query.length + text.length ? 1 : 0,
    );
  const a = tokenizer(first, { return_tensor: false, add_special_tokens: false }).input_ids;
  const b = tokenizer(second, { return_tensor: false, add_special_tokens: false }).input_ids;
  const startA = find(full.input_ids, a);
  const startB = findLast(full.input_ids, b);
  let [keepA, keepB] = [a.length, b.length];
  for (let i = 0; i < over; i++) keepA > keepB ? keepA-- : keepB--;
  const cuts = [range(startA + keepA, startA + a.length), range(startB + keepB, startB + b.length)];
  return sequence(full, index, cuts, over);
}

type Range = readonly [start: number, end: number];
const range = (start: number, end: number): Range => [start, end];

function sequence(full: EncodedText, index: number, cuts: readonly Range[], cut: number): Sequence {
  const keep = (values: number[]): number[] =>
    values.filter((_, at) => !cuts.some(([start, end]) => at >= start && at < end));
  return {
    index,
    ids: keep(full.input_ids),
    types: full.token_type_ids ? keep(full.token_type_ids) : undefined,
    cut,
  };
}

/** Where the body begins among the marks: marks before a text are few. */
function find(full: readonly number[], body: readonly number[]): number {
  for (let start = 0; start + body.length <= full.length; start++)
    if (matches(full, body, start)) return start;
  return Math.max(0, Math.min(1, full.length - body.length));
}

function findLast(full: readonly number[], body: readonly number[]): number {
  for (let start = full.length - body.length; start >= 0; start--)
    if (matches(full, body, start)) return start;
  return Math.max(0, full.length - body.length - 1);
}

function matches(full: readonly number[], body: readonly number[], start: number): boolean {
  return body.every((id, at) => full[start + at] === id);
}

/** Batches of at most `size`, the longest first, so that a batch holds little padding. */
export function batchesByLength(sequences: readonly Sequence[], size: number): Sequence[][] {
  const sorted = [...sequences].sort((a, b) => b.ids.length - a.ids.length || a.index - b.index);
  return Array.from({ length: Math.ceil(sorted.length / size) }, (_, at) =>
    sorted.slice(at * size, (at + 1) * size),
  );
}

/** What a model is given: rows padded to the longest. */
export function tensorsOf(
  library: TransformersLibrary,
  batch: readonly Sequence[],
  padding: number,
): Record<string, LibraryTensor> {
  const width = Math.max(...batch.map(({ ids }) => ids.length));
  const tensor = (rows: readonly (readonly number[])[], pad: number): LibraryTensor => {
    const data = new BigInt64Array(rows.length * width).fill(BigInt(pad));
    for (const [row, values] of rows.entries())
      for (let at = 0; at < values.length; at++) data[row * width + at] = BigInt(values[at]!);
    return new library.Tensor('int64', data, [rows.length, width]);
  };
  const tensors: Record<string, LibraryTensor> = {
    input_ids: tensor(
      batch.map(({ ids }) => ids),
      padding,
    ),
    attention_mask: tensor(
      batch.map(({ ids }) => ids.map(() => 1)),
      0,
    ),
  };
  if (batch.every(({ types }) => types !== undefined))
    tensors.token_type_ids = tensor(
      batch.map(({ types }) => types!),
      0,
    );
  return tensors;
}

/** A tensor's numbers as they are in memory. */
export function numbersOf(tensor: LibraryTensor): Float32Array {
  return (tensor.type === 'float32' ? tensor : tensor.to('float32')).data as Float32Array;
}

/** How much was cut off so far, over all calls. */
export interface Truncation {
  texts: number;
  tokens: number;
}

export function recordCuts(truncation: Truncation, sequences: readonly Sequence[]): void {
  for (const { cut } of sequences) {
    if (cut === 0) continue;
    truncation.texts++;
    truncation.tokens += cut;
  }
}
