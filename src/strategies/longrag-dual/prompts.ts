/**
 * Builds the prompts of LongRAG's two branches and reads their replies: a thought about the
 * question, the judgement of a chunk by it, and the information in whole documents (Zhao et al.,
 * EMNLP 2024, arXiv 2410.18050, section 3).
 */

import { countWords } from '../../core/text/words.ts';
import { jsonValuesIn } from '../../models/json-in-text.ts';
import type { Completion, JsonSchema, Prompt } from '../../models/language-model.ts';
import { firstTokens } from '../../models/prompt-tokens.ts';
import { FLAG, objectOf, TEXT } from '../../models/reply-schema.ts';
import { withoutThinking } from '../../models/thoughts.ts';
import { isFields } from '../../planning/json-fields.ts';
import type { Paragraph } from '../../planning/paragraphs.ts';
import { fittedPassages, type PassagesRequest } from '../../planning/passages-prompt.ts';

export const COT_THINK = 'cotThink';
export const CHUNK_FILTER = 'chunkFilter';
export const EXTRACT = 'extract';
export const THINK_TOKENS = 1000;
export const FILTER_TOKENS = 32;
export const EXTRACT_TOKENS = 1000;

/** Size of a prompt; the words of a passage are not bounded if missing. */
export interface DualRoom {
  readonly words?: number;
  readonly prompt: number;
}

type Asked = Omit<PassagesRequest, 'schema'> & {
  /** The field of the reply. */
  readonly field: JsonSchema;
  readonly paragraphs: readonly Paragraph[];
  /** Text of an earlier reply, shown as the first passage. */
  readonly thought?: string;
};

function promptOf(
  { field, paragraphs, thought, ...request }: Asked,
  { words, prompt }: DualRoom,
): Prompt {
  return fittedPassages({ ...request, schema: objectOf(request.role, field) }, paragraphs, {
    words: words ?? Math.max(0, ...paragraphs.map(({ text }) => countWords(text))),
    atMost: prompt,
    // The same for every chunk of a question, so it stands before the chunk.
    first: thought ? [{ title: 'Thought', text: thought }] : [],
  });
}

export const thinkPrompt = (
  question: string,
  paragraphs: readonly Paragraph[],
  room: DualRoom,
): Prompt =>
  promptOf(
    {
      role: COT_THINK,
      question,
      paragraphs,
      task: [
        'Think through the question step by step with the passages: which facts answer it, which passages state them, and how they are joined. Do not answer it.',
        'Reply with JSON alone: {"thought": "..."}',
      ],
      maxTokens: THINK_TOKENS,
      field: { thought: TEXT },
    },
    room,
  );

/** Returns the prompt that judges one chunk; a long thought is cut to leave the chunk its room. */
export const filterPrompt = (
  question: string,
  paragraph: Paragraph,
  thought: string,
  room: DualRoom,
): Prompt =>
  promptOf(
    {
      role: CHUNK_FILTER,
      question,
      paragraphs: [paragraph],
      thought: firstTokens(thought, Math.min(THINK_TOKENS, Math.floor(room.prompt / 4))),
      task: [
        'Is it necessary to cite the last passage to answer the question? The passage "Thought" says how the question may be answered; it is no source.',
        'Reply with JSON alone: {"status": true} or {"status": false}',
      ],
      maxTokens: FILTER_TOKENS,
      field: { status: FLAG },
    },
    room,
  );

export const extractPrompt = (
  question: string,
  paragraphs: readonly Paragraph[],
  { prompt }: Pick<DualRoom, 'prompt'>,
): Prompt =>
  promptOf(
    {
      role: EXTRACT,
      question,
      paragraphs,
      task: [
        'Quote or restate all information in the passages that is needed to answer the question, with names, numbers and dates in full. Do not answer it, and add nothing that no passage says.',
        'Reply with JSON alone: {"info": "..."}',
      ],
      maxTokens: EXTRACT_TOKENS,
      field: { info: TEXT },
    },
    { prompt },
  );

type Reply = Pick<Completion, 'text' | 'finish'>;

/**
 * Returns the text of a field, or the reply itself if it holds no JSON; undefined if it is refused,
 * blank or JSON of another shape. Never throws.
 */
function readText({ text, finish }: Reply, field: string, atMost: number): string | undefined {
  if (finish === 'filtered') return undefined;
  for (const json of jsonValuesIn(text)) {
    const value = isFields(json) ? json[field] : undefined;
    const said = Array.isArray(value) ? value.filter(each => typeof each === 'string') : [value];
    const joined = said.filter(each => typeof each === 'string').join(' ');
    if (/[\p{L}\p{N}]/u.test(joined)) return firstTokens(joined.trim(), atMost);
  }
  const reply = withoutThinking(text).trim();
  if (/^(?:[{[]|```)/.test(reply) || !/[\p{L}\p{N}]/u.test(reply)) return undefined;
  return firstTokens(reply, atMost);
}

export const readThought = (reply: Reply): string | undefined =>
  readText(reply, 'thought', THINK_TOKENS);

export const readInfo = (reply: Reply): string | undefined =>
  readText(reply, 'info', EXTRACT_TOKENS);

/**
 * Returns the judgement of a chunk: the field `status`, or whether the word "true" occurs;
 * undefined if neither "true" nor "false" is said, which rejects the chunk. Never throws.
 */
export function readStatus({ text, finish }: Reply): boolean | undefined {
  if (finish === 'filtered') return undefined;
  for (const json of jsonValuesIn(text)) {
    const status = isFields(json) ? json['status'] : undefined;
    if (typeof status === 'boolean') return status;
    if (typeof status === 'string' && /^\s*(?:true|false)\s*$/i.test(status))
      return status.trim().toLowerCase() === 'true';
  }
  const said = withoutThinking(text).slice(0, 1000);
  if (/\btrue\b/i.test(said)) return true;
  return /\bfalse\b/i.test(said) ? false : undefined;
}
