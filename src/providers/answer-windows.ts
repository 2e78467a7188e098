/** Cuts a text into windows that a question answering model reads, each behind the question. */
import type { PlacedTokens } from './placed-tokens.ts';
import { readable } from './token-sequences.ts';
import type { Tokenizer } from './transformers-library.ts';

export interface AnswerWindow {
  readonly ids: readonly number[];
  /** Undefined for models without token types. */
  readonly types: readonly number[] | undefined;
  /** Index in `ids` of the first token of the text. */
  readonly offset: number;
  /** Tokens of the text in this window: from, to (exclusive). */
  readonly from: number;
  readonly to: number;
}

/** Most tokens of a question, as in the published evaluation of BERT on SQuAD. */
const QUESTION_TOKENS = 64;
/** Stands for the text where the special tokens around it are found out. */
const FILLER = 'a';

/**
 * Returns windows of at most `most` tokens in the order of the text, each repeating the last
 * `overlap` tokens of the text in the window before it; none for a text without tokens.
 */
export function answerWindows(
  tokenizer: Tokenizer,
  question: string,
  text: PlacedTokens,
  { most, overlap }: { readonly most: number; readonly overlap: number },
): AnswerWindow[] {
  const frame = frameOf(tokenizer, question, Math.min(QUESTION_TOKENS, Math.floor(most / 4)));
  const room = Math.max(1, most - frame.before.length - frame.after.length);
  const step = Math.max(1, room - overlap);
  const windows: AnswerWindow[] = [];
  for (let from = 0; from < text.ids.length; from += step) {
    const to = Math.min(from + room, text.ids.length);
    const { before, after, types } = frame;
    windows.push({
      ids: [...before, ...text.ids.slice(from, to), ...after],
      types: types && [
        ...types.slice(0, before.length),
        ...new Array<number>(to - from).fill(types[before.length]!),
        ...types.slice(before.length + 1),
      ],
      offset: before.length,
      from,
      to,
    });
    if (to === text.ids.length) break;
  }
  return windows;
}

interface Frame {
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Types of `before`, of one token of text, and of `after`. */
  readonly types: readonly number[] | undefined;
}

/** Returns the tokens around the text: the question and the special tokens. */
function frameOf(tokenizer: Tokenizer, question: string, most: number): Frame {
  const asked = readable(question, most);
  const encode = (words: string): number[] =>
    tokenizer(words, { add_special_tokens: false, return_tensor: false }).input_ids;
  const [questionIds, filler] = [encode(asked), encode(FILLER)];
  const pair = tokenizer(asked, { text_pair: FILLER, return_tensor: false });
  const end = pair.input_ids.lastIndexOf(filler[0]!);
  const start = questionIds.length === 0 ? 0 : pair.input_ids.indexOf(questionIds[0]!);
  const cut = (values: readonly number[]): number[] =>
    values.filter((_, at) => at < start + most || at >= start + questionIds.length);
  const types = pair.token_type_ids;
  return {
    before: cut(pair.input_ids.slice(0, end)),
    after: pair.input_ids.slice(end + filler.length),
    types: types && [...cut(types.slice(0, end)), types[end]!, ...types.slice(end + filler.length)],
  };
}
