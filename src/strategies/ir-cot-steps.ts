/**
 * The steps of an IR-CoT chain: the next sentence from a language model or copied from the
 * paragraphs, and the query that follows from it.
 */
import type { LanguageModel } from '../models/language-model.ts';
import {
  lastFactualSentence,
  sameThought,
  withoutQuestionWords,
} from '../planning/reasoning-sentence.ts';
import { EXTRACTED, withoutModel } from '../planning/thoughts.ts';
import type { StrategyQuery } from '../retrieval/retriever.ts';
import type { Call } from '../trace/call.ts';
import type { End, ModelOutput } from '../trace/trace.ts';
import { EXTRACTED_STEPS, extractSentence } from './ir-cot-extract.ts';
import type { ParagraphPool } from './ir-cot-paragraphs.ts';
import { COT_STEP, stepPrompt } from './ir-cot-prompt.ts';
import { readThought } from './ir-cot-reply.ts';
import type { IrCotSettings } from './ir-cot-settings.ts';

export interface Chain {
  readonly question: string;
  readonly sentences: string[];
  readonly pool: ParagraphPool;
}

/** What a step came to: `end` when it was the last, with the answer if it stated one. */
export interface StepOutcome {
  readonly output: ModelOutput;
  readonly end?: End['why'];
  readonly answer?: string;
}

/** A query with the sentence that it was made of. */
export interface QueryOfThought {
  readonly query: StrategyQuery;
  readonly thought?: string;
}

export interface Thinker {
  /** What a trace is told first. */
  readonly opening: readonly ModelOutput[];
  /** Adds the next sentence to the chain, where there is one. */
  step(chain: Chain, call: Call): Promise<StepOutcome>;
  /** The query of the next hop; `hop` is the one that is over, if any. */
  query(chain: Chain, hop: number): QueryOfThought;
}

/** Asks a language model for one sentence (comparison-code: a reply) after the other. */
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
  worded: (text: string) => string,
): QueryOfThought {
  const query = {
    text: worded(thought ?? question),
    ...(hop < 0 ? {} : { from: { hop, search: 0 } }),
  };
  return thought === undefined ? { query } : { query, thought };
}

/** Copies sentences from the paragraphs; it never answers (sheet, section 11). */
export function extractingThinker({ profile }: IrCotSettings, steps: number): Thinker {
  const worded =
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
      const { query, ...rest } = queryOf(sentences.at(-1), question, hop, worded);
      return source === undefined
        ? { query, ...rest }
        : {
            query: { ...query, from: { hop: pool.hopOf(source), search: 0, id: source } },
            ...rest,
          };
    },
  };
}
