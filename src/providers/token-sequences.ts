/**
 * Encodes texts as tokens, truncated to the model's limit with special tokens kept, batched by
 * length, and laid out as tensors.
 */
import type { PortError } from '../core/errors.ts';
import { answerError, type ModelPort } from './fault.ts';
import type {
  EncodedText,
  LibraryTensor,
  Tokenizer,
  TransformersLibrary,
} from './transformers-library.ts';

export interface Sequence {
  /** Index of the text. */
  readonly index: number;
  readonly ids: readonly number[];
  /** Undefined for models without token types. */
  readonly types: readonly number[] | undefined;
  /** Number of truncated tokens. */
  readonly cut: number;
}

/** Bound on the characters that a token covers: text beyond the limit is not tokenized. */
const CHARACTERS_PER_TOKEN = 100;

export function readable(text: string, maxTokens: number): string {
  return text.slice(0, maxTokens * CHARACTERS_PER_TOKEN).toWellFormed();
}

/**
 * Returns the tokens of one text, at most `maxTokens` with special tokens. Truncation drops the end
 * of the text, not the special token after it.
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
 * Returns the tokens of a pair, truncated like Python's `longest_first`: token by token from the
 * end of the longer part, from the second if both are equal.
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

/** Returns the start of the body after the leading special tokens, which are few. */
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

/** Returns batches of at most `size`, longest first, so that a batch holds little padding. */
export function batchesByLength(sequences: readonly Sequence[], size: number): Sequence[][] {
  const sorted = [...sequences].sort((a, b) => b.ids.length - a.ids.length || a.index - b.index);
  return Array.from({ length: Math.ceil(sorted.length / size) }, (_, at) =>
    sorted.slice(at * size, (at + 1) * size),
  );
}

/** Returns the input tensors of a batch, padded to its longest row. */
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

/** Returns a tensor's numbers as 32-bit floats. */
export function numbersOf(tensor: LibraryTensor): Float32Array {
  return (tensor.type === 'float32' ? tensor : tensor.to('float32')).data as Float32Array;
}

/**
 * Returns the numbers of an output of a model. Throws `PortError('malformed' | 'not-finite')`
 * unless it has the shape and its numbers, but those of padding, are finite.
 */
export function finiteNumbers(
  output: LibraryTensor | undefined,
  name: string,
  shape: readonly number[],
  {
    port,
    id,
    isPadding = () => false,
  }: {
    readonly port: ModelPort;
    readonly id: string;
    readonly isPadding?: (at: number) => boolean;
  },
): Float32Array {
  const fail = (code: string, expected: string, received: string): PortError =>
    answerError(port, code, `The model ${id}`, expected, received);
  const fits =
    output?.dims.length === shape.length && shape.every((size, at) => size === output.dims[at]);
  if (!output || !fits)
    throw fail(
      'malformed',
      `${name} of shape [${shape.join(', ')}]`,
      output ? `shape [${output.dims.join(', ')}]` : `no ${name}`,
    );
  const numbers = numbersOf(output);
  const wrong = numbers.find((value, at) => !Number.isFinite(value) && !isPadding(at));
  if (wrong !== undefined) throw fail('not-finite', 'finite scores', String(wrong));
  return numbers;
}

/** Totals of truncated texts and tokens over all calls. */
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
