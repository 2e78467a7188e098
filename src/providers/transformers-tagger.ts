/**
 * Finds entities by local token classification models, such as BERT trained on CoNLL 2003, run by
 * `@huggingface/transformers`.
 */
import { InputError } from '../core/errors.ts';
import type { SpanTagger } from '../models/span-tagger.ts';
import { type EntitySpan, entitySpans, labelledWords } from './entity-labels.ts';
import { metered } from './metered.ts';
import { type PlacedTokens, placedTokens } from './placed-tokens.ts';
import { batchesByLength, finiteNumbers, type Sequence, tensorsOf } from './token-sequences.ts';
import {
  type BatchedModelOptions,
  batchSize,
  type ClassifyingModel,
  type LocalModel,
  loadModel,
  type Tokenizer,
} from './transformers-library.ts';

export interface LocalTagger extends SpanTagger {
  tag(
    texts: readonly string[],
    call: Parameters<SpanTagger['tag']>[1],
  ): Promise<readonly (readonly EntitySpan[])[]>;
  close(): Promise<void>;
}

const PORT = 'entity-recogniser';
/** Tokens that a model reads at once, with special tokens; a model of fewer says so. */
const MOST_TOKENS = 512;
/** Texts that are tokenized before the first of them is read. */
const TEXTS = 256;

/** Throws as `transformersEmbedder`, and `InputError('no-labels')` for another kind of model. */
export async function transformersTagger(options: BatchedModelOptions): Promise<LocalTagger> {
  const batch = batchSize(options);
  const loaded = await loadModel(PORT, 'AutoModelForTokenClassification', options);
  const labels = labelsOf(loaded.model, options.model);
  const most = Math.min(MOST_TOKENS, loaded.tokenizer.model_max_length ?? MOST_TOKENS);
  const id = loaded.idOf(labels, most, batch);
  const frame = frameOf(loaded.tokenizer);
  return {
    id,
    async tag(texts, call) {
      const found: EntitySpan[][] = [];
      for (let from = 0; from < texts.length; from += TEXTS) {
        const placed = texts
          .slice(from, from + TEXTS)
          .map(text => ({ text, tokens: placedTokens(loaded.tokenizer, text) }));
        const best = placed.map(({ tokens }) => new Uint16Array(tokens.ids.length));
        const windows = placed.flatMap(({ tokens }, text) => windowsOf(tokens, text, frame, most));
        const sequences = windows.map(({ ids, types }, index) => ({ index, ids, types, cut: 0 }));
        const count = windows.reduce((sum, { ids }) => sum + ids.length, 0);
        await metered(call, PORT, 'recognise', count, 0, async () => {
          for (const group of batchesByLength(sequences, batch)) {
            call.signal.throwIfAborted();
            const classes = await classesOf(loaded, group, labels.length, id);
            for (const [row, { index }] of group.entries()) {
              const { text, first, length } = windows[index]!;
              const { before } = frame;
              best[text]!.set(classes[row]!.subarray(before.length, before.length + length), first);
            }
          }
          return { value: undefined, tokens: count };
        });
        for (const [at, { text, tokens }] of placed.entries()) {
          const words = labelledWords(text, tokens);
          found.push(
            entitySpans(
              words,
              words.map(({ token }) => labels[best[at]![token]!]!),
            ),
          );
        }
      }
      return found;
    },
    close: loaded.close,
  };
}

/** Returns the names of the classes, by number. */
function labelsOf({ config }: ClassifyingModel, model: string): string[] {
  const { id2label = {} } = config ?? {};
  const labels = Array.from({ length: Object.keys(id2label).length }, (_, at) => id2label[at]);
  const present = labels.filter(label => label !== undefined);
  if (
    present.length === labels.length &&
    labels.some(label => label !== 'O') &&
    labels.includes('O')
  )
    return present;
  throw new InputError('no-labels', `The model "${model}" names no entities`, {
    expected:
      'id2label of O, B-PER, I-PER, ... in its config.json: a model of token classification',
    received: present.length === 0 ? 'none' : present.slice(0, 5).join(', '),
  });
}

/** The special tokens around a text. */
interface Frame {
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly typed: boolean;
}

function frameOf(tokenizer: Tokenizer): Frame {
  const body = tokenizer('a', { return_tensor: false, add_special_tokens: false }).input_ids;
  const { input_ids: full, token_type_ids: types } = tokenizer('a', { return_tensor: false });
  const at = Math.max(0, full.lastIndexOf(body[0]!));
  const typed = types !== undefined;
  return { before: full.slice(0, at), after: full.slice(at + body.length), typed };
}

interface Window {
  readonly ids: readonly number[];
  readonly types: readonly number[] | undefined;
  /** Index of the text, its first token in this window, and how many follow. */
  readonly text: number;
  readonly first: number;
  readonly length: number;
}

/** Cuts a text that is too long between words. */
function windowsOf(
  { ids, starts }: PlacedTokens,
  text: number,
  { before, after, typed }: Frame,
  most: number,
): Window[] {
  const room = Math.max(1, most - before.length - after.length);
  const windows: Window[] = [];
  for (let first = 0; first < ids.length; ) {
    let end = Math.min(first + room, ids.length);
    // Tokens of one word share their start.
    if (end < ids.length) while (end > first + 1 && starts[end] === starts[end - 1]) end--;
    if (end === first + 1 && starts[end] === starts[first])
      end = Math.min(first + room, ids.length);
    const tokens = [...before, ...ids.slice(first, end), ...after];
    const types = typed ? tokens.map(() => 0) : undefined;
    windows.push({ ids: tokens, types, text, first, length: end - first });
    first = end;
  }
  return windows;
}

/** Returns the best class of each token, the first among equals. */
async function classesOf(
  { library, tokenizer, model }: LocalModel<ClassifyingModel>,
  group: readonly Sequence[],
  classes: number,
  id: string,
): Promise<Uint16Array[]> {
  const { logits } = await model(tensorsOf(library, group, tokenizer.pad_token_id ?? 0));
  const width = Math.max(...group.map(({ ids }) => ids.length));
  const shape = [group.length, width, classes];
  const isPadding = (at: number): boolean => {
    const token = Math.floor(at / classes);
    return token % width >= group[Math.floor(token / width)]!.ids.length;
  };
  const numbers = finiteNumbers(logits, 'logits', shape, { port: PORT, id, isPadding });
  return group.map(({ ids }, row) =>
    Uint16Array.from(ids, (_, token) => {
      const from = (row * width + token) * classes;
      let best = 0;
      for (let at = 1; at < classes; at++)
        if (numbers[from + at]! > numbers[from + best]!) best = at;
      return best;
    }),
  );
}
