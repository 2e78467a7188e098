/** Declares the parameters of `longrag-dual` and plans its model calls. */

import type { SettingsOf } from '../../core/naming/family.ts';
import type { Prompt } from '../../models/language-model.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { promptTokens } from '../../models/prompt-tokens.ts';
import { LONG_QUESTION, longParagraphs, plannedAnswer } from '../../planning/passages-answer.ts';
import { extractPrompt, filterPrompt, thinkPrompt } from './prompts.ts';

/** Characters of a usual thought. */
const THOUGHT = 1000;
/**
 * Usual tokens of the documents of seven chunks, as prompts estimate them: measured 600 words over
 * 2WikiMultiHopQA and 7,200 over MultiHop-RAG.
 */
const USUAL_DOCUMENTS = 9500;

export const LONGRAG_DUAL_PARAMETERS = [
  {
    name: 'mode',
    type: 'text',
    default: 'extractor-filter',
    choices: ['extractor-filter', 'base', 'long', 'extractor', 'filter'],
    shown: true,
    summary:
      'what the answer is read from: kept chunks and extracted information; chunks; their whole documents; chunks and extracted information; kept chunks',
  },
  { name: 'k', type: 'integer', default: 7, summary: 'chunks of the search that are read' },
  { name: 'candidates', type: 'integer', summary: 'chunks that the reranker orders' },
  {
    name: 'reranker',
    type: 'member',
    port: 'reranker',
    summary:
      'id of a reranker of the run, such as ms-marco-MiniLM-L-12-v2, that chooses the chunks; without one the first of the search are read',
  },
  {
    name: 'sentences',
    type: 'integer',
    default: 12,
    min: 1,
    max: 1000,
    summary: 'sentences of whole documents that are extracted without a model',
  },
  { name: 'words', type: 'integer', summary: 'words of a chunk that a prompt shows' },
  {
    name: 'prompt',
    type: 'integer',
    default: 32_000,
    summary:
      'tokens of the longest prompt: passages are shortened until it fits; a longer document is replaced by its chunks',
  },
  { name: 'answer', type: 'text', choices: ['own', 'reader'] },
  { name: 'thoughts', type: 'text', choices: ['any', 'model', 'extracted'] },
] as const;

export type LongragDualSettings = SettingsOf<typeof LONGRAG_DUAL_PARAMETERS>;

export const filters = ({ mode }: LongragDualSettings): boolean =>
  mode === 'filter' || mode === 'extractor-filter';
export const extracts = ({ mode }: LongragDualSettings): boolean =>
  mode === 'extractor' || mode === 'extractor-filter';

/** Plans one thought, one judgement a chunk, one extraction and one answer. */
export function dualCalls(settings: LongragDualSettings): PlannedCalls[] {
  const { k, words, prompt, answer, thoughts } = settings;
  if (thoughts === 'extracted') return [];
  const planned = (atMost: number, { role, maxTokens }: Prompt, usual: number): PlannedCalls => ({
    role,
    atMost,
    promptTokens: prompt,
    completionTokens: maxTokens,
    expected: { promptTokens: Math.min(usual, prompt) },
  });
  const chunks = longParagraphs(Math.min(k, prompt), Math.min(words, prompt));
  const think = thinkPrompt(LONG_QUESTION, chunks, settings);
  const judge = filterPrompt(LONG_QUESTION, chunks[0]!, 't'.repeat(THOUGHT), settings);
  const extract = extractPrompt(LONG_QUESTION, [], settings);
  return [
    ...(filters(settings)
      ? [planned(1, think, promptTokens(think)), planned(k, judge, promptTokens(judge))]
      : []),
    ...(extracts(settings) ? [planned(1, extract, USUAL_DOCUMENTS)] : []),
    ...(answer === 'own' ? [plannedAnswer(k, settings)] : []),
  ];
}
