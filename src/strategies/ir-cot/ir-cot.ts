/**
 * `ir-cot`: searches with each sentence of a chain of thought until the chain states an answer.
 * Paper: Trivedi et al., ACL 2023 (arXiv 2212.10509); docs/papers/ir-cot.md has the profiles. Model
 * calls: one for each step, 8 at most (10 in comparison-code). Without a model, thoughts are copied
 * sentences. Stops at an answer, at a sentence that repeats or cannot be parsed, after its steps,
 * after two retrievals without a new paragraph, or two steps after its paragraphs are complete.
 */
import { Selection } from '../../context/selection.ts';
import { type Member, member } from '../../core/naming/family.ts';
import { distinctDocuments } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { End, ModelOutput, Question, Search } from '../../core/trace/trace.ts';
import { endOfAnswer } from '../../models/short-answer.ts';
import { draftCitations } from '../../planning/draft-citations.ts';
import { paragraphUnit } from '../../planning/paragraphs.ts';
import { isReasoningSentence } from '../../planning/reasoning-sentence.ts';
import { type StrategyQuery, searchAll } from '../../search/retriever.ts';
import { HopDraft } from '../hop-draft.ts';
import { type Kit, type OpenHop, SEARCH_DEPTH, type Strategy } from '../strategy.ts';
import { completed, modelNeed } from '../usual-settings.ts';
import { ParagraphPool } from './paragraphs.ts';
import { COT_STEP, STEP_TOKENS } from './prompt.ts';
import { IR_COT_PARAMETERS, type IrCotSettings, limitsOf } from './settings.ts';
import {
  type Chain,
  extractingThinker,
  modelThinker,
  type StepOutcome,
  type Thinker,
} from './steps.ts';

/** Steps without retrieval once the paragraphs are complete. */
const STEPS_BEYOND = 2;
/**
 * Expected cost of a question. Steps: 1.2 to 1.7 over four models. Prompts, as measured: 2,000
 * tokens over paragraphs of 2WikiMultiHopQA, 5,500 over MultiHop-RAG.
 */
const USUAL = { calls: 2, promptTokens: 3800, completionTokens: 40 };

export const irCot: Member<Strategy> = member({
  name: 'ir-cot',
  summary:
    'Each sentence of a model’s chain of thought is the next query, until the chain states an answer',
  paper: 'Trivedi et al., IRCoT, ACL 2023',
  cost: 'one search and one model call a step, 8 steps at most; without a model up to 4 searches',
  parameters: completed(IR_COT_PARAMETERS),
  create(settings, name) {
    const { thoughts, prompt } = settings;
    const need = modelNeed(thoughts);
    const { steps } = limitsOf(settings);
    const calls = {
      role: COT_STEP,
      atMost: steps,
      promptTokens: prompt,
      completionTokens: STEP_TOKENS,
    };
    return {
      name,
      needs: need && [need],
      modelCalls:
        thoughts === 'extracted'
          ? []
          : [
              {
                ...calls,
                expected: {
                  ...USUAL,
                  calls: Math.min(USUAL.calls, steps),
                  promptTokens: Math.min(USUAL.promptTokens, prompt),
                },
              },
            ],
      hops: (question, kit, call) => interleave(question, kit, call, settings),
      // The comparison's predicted titles are those of the paragraphs.
      ranking: hops => distinctDocuments(hops.flatMap(({ kept }) => kept)),
    };
  },
});

async function* interleave(
  question: Question,
  kit: Kit,
  call: Call,
  settings: IrCotSettings,
): AsyncGenerator<OpenHop, End, void> {
  const limits = limitsOf(settings);
  const selection = new Selection(kit.context, call);
  const pool = new ParagraphPool(selection, limits);
  const chain: Chain = { question: question.text, sentences: [], pool };
  const model = kit.resource(modelNeed(settings.thoughts));
  const thinker = model
    ? modelThinker(model, settings, limits.steps)
    : extractingThinker(settings, limits.steps);
  let searched = -1;
  let empty = 0;
  for (let hop = 0; ; hop++) {
    const { query, thought } = thinker.query(chain, searched);
    const draft = new HopDraft(selection, hop, await search(query, hop, kit, call, settings));
    const isFirst = hop === 0 || settings.profile !== 'comparison-code';
    if (draft.searches.length > 0) {
      await pool.take(draft, isFirst ? settings.k : 1, hop, kit.engine, call);
      searched = hop;
    }
    empty = draft.kept.length > 0 ? 0 : empty + 1;
    const { outputs, end, answer } =
      empty < limits.empty
        ? await think(chain, thinker, call)
        : { outputs: [], end: 'exhausted' as const };
    yield draft.closed({
      reason: thought,
      outputs: hop === 0 ? [...thinker.opening, ...outputs] : outputs,
    });
    if (end !== undefined) return endOf(end, answer, chain, settings);
  }
}

/** Searches for the thought, unless nothing remains of it without question words. */
async function search(
  query: StrategyQuery,
  hop: number,
  kit: Kit,
  call: Call,
  { profile, k }: IrCotSettings,
): Promise<Search[]> {
  if (query.text.trim() === '') return [];
  const depth = Math.max(hop > 0 && profile === 'comparison-code' ? 1 : k, SEARCH_DEPTH);
  const within = { unit: paragraphUnit(kit.retriever) };
  return searchAll(kit.retriever, [query], depth, call, within);
}

/**
 * Takes one step; if the paragraphs are complete, so that no search follows, up to two more.
 */
async function think(
  chain: Chain,
  thinker: Thinker,
  call: Call,
): Promise<Omit<StepOutcome, 'output'> & { readonly outputs: readonly ModelOutput[] }> {
  const outputs: ModelOutput[] = [];
  for (let steps = 0; ; steps++) {
    const { output, ...outcome } = await thinker.step(chain, call);
    if (output.text !== '' || !output.parsed) outputs.push(output);
    if (outcome.end !== undefined) return { ...outcome, outputs };
    if (!chain.pool.full) return { outputs };
    if (steps === STEPS_BEYOND) return { outputs, end: 'completed' };
  }
}

/**
 * Returns the chain's answer as a draft only if the evidence contains it; otherwise the reader
 * answers.
 */
function endOf(
  why: End['why'],
  answer: string | undefined,
  { question, sentences, pool }: Chain,
  settings: IrCotSettings,
): End {
  if (settings.answer === 'reader') return { why };
  const thoughts = sentences.filter(sentence => !isReasoningSentence(sentence));
  return endOfAnswer(
    answer,
    text => draftCitations({ question, thoughts, answer: text, paragraphs: pool.all }),
    why,
  );
}
