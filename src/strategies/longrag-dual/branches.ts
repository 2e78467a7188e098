/**
 * Runs the two branches of `longrag-dual`, by a language model or by rules: the filter of chunks,
 * and the extraction from whole documents.
 */

import type { Call } from '../../core/trace/call.ts';
import type { ModelOutput } from '../../core/trace/trace.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { promptTokens } from '../../models/prompt-tokens.ts';
import type { ModelInUse } from '../../planning/model-in-use.ts';
import type { Paragraph } from '../../planning/paragraphs.ts';
import { EXTRACTED } from '../../planning/thoughts.ts';
import {
  CHUNK_FILTER,
  COT_THINK,
  EXTRACT,
  extractPrompt,
  filterPrompt,
  readInfo,
  readStatus,
  readThought,
  thinkPrompt,
} from './prompts.ts';
import {
  extractedByRule,
  facetsOf,
  groundsOf,
  keptByRule,
  type Sentence,
  sentencesOf,
  thoughtOf,
} from './rules.ts';
import type { LongragDualSettings } from './settings.ts';

/** Material of both branches. */
export interface Branches {
  readonly question: string;
  /** Chunks, best first, with the scores of the ranking that chose them. */
  readonly chunks: readonly Paragraph[];
  readonly scores: readonly number[];
  readonly settings: LongragDualSettings;
  /** Undefined for a run without a model. */
  readonly model: ModelInUse | undefined;
  readonly call: Call;
}

/** Decides for each chunk if it is kept. If none is, all are. */
export async function filterBranch(
  material: Branches,
  outputs: ModelOutput[],
): Promise<readonly boolean[]> {
  const { model, question, chunks, scores } = material;
  let kept: boolean[];
  if (model) kept = await keptByModel(material, model, outputs);
  else {
    const facets = facetsOf(question);
    outputs.push({ role: EXTRACTED, text: thoughtOf(facets), parsed: true });
    kept = keptByRule(
      facets,
      chunks.map(({ title, text }, at) => ({ text: `${title} ${text}`, score: scores[at]! })),
    );
  }
  return kept.includes(true) ? kept : kept.map(() => true);
}

/** Thinks once and judges each chunk in turn; a chunk that was not judged is kept. */
async function keptByModel(
  { question, chunks, settings, call }: Branches,
  model: ModelInUse,
  outputs: ModelOutput[],
): Promise<boolean[]> {
  const thought = await model.ask(async language => {
    const reply = await language.generate(thinkPrompt(question, chunks, settings), call);
    const read = readThought(reply);
    outputs.push({ role: COT_THINK, text: reply.text, parsed: read !== undefined });
    return read;
  });
  const judge = async (language: LanguageModel, chunk: Paragraph): Promise<boolean> => {
    const prompt = filterPrompt(question, chunk, thought ?? '', settings);
    const reply = await language.generate(prompt, call);
    const status = readStatus(reply);
    outputs.push({ role: CHUNK_FILTER, text: reply.text, parsed: status !== undefined });
    return status ?? false;
  };
  const kept: boolean[] = [];
  for (const chunk of chunks) kept.push((await model.ask(each => judge(each, chunk))) ?? true);
  return kept;
}

/** Information of the extractor, and the sentences of the documents that it rests on. */
export interface Extracted {
  readonly info?: string;
  readonly sentences: readonly Sentence[];
}

/** Extracts information from whole documents; nothing if the model failed or said nothing. */
export async function extractBranch(
  { question, chunks, settings, model, call }: Branches,
  whole: ReadonlyMap<string, Paragraph>,
  outputs: ModelOutput[],
): Promise<Extracted> {
  const parents = parentsOf(chunks, whole);
  const sentences = sentencesOf(parents);
  if (!model) return { sentences: extractedByRule(question, sentences, settings.sentences) };
  const info = await model.ask(async language => {
    const reply = await language.generate(extractPrompt(question, parents, settings), call);
    const read = readInfo(reply);
    outputs.push({ role: EXTRACT, text: reply.text, parsed: read !== undefined });
    return read;
  });
  return info === undefined ? { sentences: [] } : { info, sentences: groundsOf(info, sentences) };
}

/**
 * Returns the documents of chunks, each once, in order of their first chunk; the chunks themselves
 * where a document is too long for `whole` to hold it.
 */
export function parentsOf(
  chunks: readonly Paragraph[],
  whole: ReadonlyMap<string, Paragraph>,
): Paragraph[] {
  return [...new Set(chunks.map(chunk => whole.get(chunk.documentId) ?? chunk))];
}

/** Returns true if a document fits into a prompt of so many tokens. */
export const fitsPrompt = (text: string, prompt: number): boolean =>
  promptTokens({ messages: [{ role: 'user', text }] }) <= prompt;
