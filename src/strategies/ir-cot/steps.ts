/**
 * Takes the steps of an IR-CoT chain: the next sentence, from a language model or copied from the
 * paragraphs, and the query for it.
 */

import type { Call } from '../../core/trace/call.ts';
import type { End, ModelOutput } from '../../core/trace/trace.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { EXTRACTED_STEPS, extractSentence } from '../../planning/extracted-sentence.ts';
import {
  lastFactualSentence,
  sameThought,
  withoutQuestionWords,
} from '../../planning/reasoning-sentence.ts';
import { EXTRACTED, withoutModel } from '../../planning/thoughts.ts';
import type { StrategyQuery } from '../../search/retriever.ts';
import type { ParagraphPool } from './paragraphs.ts';
import { COT_STEP, stepPrompt } from './prompt.ts';
import { readThought } from './reply.ts';
import type { IrCotSettings } from './settings.ts';

export interface Chain {
  readonly question: string;
  readonly sentences: string[];
  readonly pool: ParagraphPool;
}

/** The result of a step; `end` if it was the last, with the answer if it stated one. */
export interface StepOutcome {
  readonly output: ModelOutput;
  readonly end?: End['why'];
  readonly answer?: string;
}

/** A query and the sentence that it was made of. */
export interface QueryOfThought {
  readonly query: StrategyQuery;
  readonly thought?: string;
}

export interface Thinker {
  /** Outputs of the first hop ahead of the steps. */
  readonly opening: readonly ModelOutput[];
  /** Adds the next sentence, if any, to the chain. */
  step(chain: Chain, call: Call): Promise<StepOutcome>;
  /** Returns the query of the next hop; `hop` is the last that searched, -1 if none. */
  query(chain: Chain, hop: number): QueryOfThought;
}

/**
 * Creates a thinker that asks a language model for one sentence (comparison-code: reply) a step.
 */
export function modelThinker(
  model: LanguageModel,
  settings: IrCotSettings,
  steps: number,
): Thinker {
  const { profile } = settings;
  return {
    opening: [],
    async step({ question, sentences, pool }, call) {
      const completion = await model.generate(
        stepPrompt({ question, sentences, paragraphs: pool.all }, settings),
        call,
      );
      const thought = readThought(completion, profile);
      if (thought.kind === 'unparsed')
        return {
          output: { role: COT_STEP, text: completion.text, parsed: false },
          end: 'exhausted',
        };
      const { text, answer } = thought;
      const output = { role: COT_STEP, text, parsed: true };
      const repeated = sentences.some(earlier => sameThought(earlier, text));
      sentences.push(text);
      if (answer !== undefined) return { output, end: 'sufficient', answer };
      if (repeated) return { output, end: 'exhausted' };
      return sentences.length >= steps ? { output, end: 'completed' } : { output };
    },
    query({ question, sentences }, hop) {
      if (profile === 'comparison-code')
        return queryOf(sentences.at(-1), question, hop, text => text);
      return queryOf(lastFactualSentence(sentences), question, hop, withoutQuestionWords);
    },
  };
}

function queryOf(
  thought: string | undefined,
  question: string,
  hop: number,
  toQuery: (text: string) => string,
): QueryOfThought {
  const from = hop < 0 ? undefined : { hop, search: 0 };
  return { query: { text: toQuery(thought ?? question), from }, thought };
}

/** Creates a thinker that copies sentences from the paragraphs and never answers. */
export function extractingThinker({ profile }: IrCotSettings, steps: number): Thinker {
  const toQuery =
    profile === 'comparison-code' ? (text: string): string => text : withoutQuestionWords;
  const most = Math.min(EXTRACTED_STEPS, steps);
  let source: string | undefined;
  return {
    opening: [
      withoutModel(
        'inference, the statement of an answer, queries for what is missing; such a chain drifts',
      ),
    ],
    async step({ question, sentences, pool }) {
      const found =
        sentences.length < most && !pool.full
          ? extractSentence(question, pool.all, sentences)
          : undefined;
      if (!found)
        return {
          output: { role: EXTRACTED, text: '', parsed: true },
          end: sentences.length < most && !pool.full ? 'exhausted' : 'completed',
        };
      source = found.paragraph.id;
      sentences.push(found.text);
      return { output: { role: EXTRACTED, text: found.text, parsed: true } };
    },
    query({ question, sentences, pool }, hop) {
      const { query, ...rest } = queryOf(sentences.at(-1), question, hop, toQuery);
      return source === undefined
        ? { query, ...rest }
        : {
            query: { ...query, from: { hop: pool.hopOf(source), search: 0, id: source } },
            ...rest,
          };
    },
  };
}
