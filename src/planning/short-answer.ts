/**
 * The form in which language models are asked for an answer - a word or two, yes or no, or that it
 * cannot be told - and how what they say is read.
 */
import { withoutThinking } from '../models/json-in-text.ts';
import type { JsonSchema } from '../models/language-model.ts';
import { normHotpot } from '../text/normalise.ts';

/** What an answer says that nobody can give from the evidence; MultiHop-RAG's own words. */
export const INSUFFICIENT = 'Insufficient information.';

/**
 * Rules of every prompt that asks for a final answer (query-decomposition sheet, section 5, role
 * `finalAnswer`).
 */
export const SHORT_ANSWER_RULES: string = `Give the shortest answer: a word, a name, a number or a date, no sentence. Where yes or no is asked for, answer exactly "Yes" or "No". If what is shown does not determine the answer, answer exactly "${INSUFFICIENT}"`;

/** Longest completion of an answer; models that think first need some room. */
export const ANSWER_TOKENS = 256;

/** What is longer is no answer; characters. */
export const LONGEST_ANSWER = 4000;

export const SHORT_ANSWER_SCHEMA: { readonly name: string; readonly schema: JsonSchema } = {
  name: 'answer',
  schema: {
    type: 'object',
    properties: { answer: { type: 'string' } },
    required: ['answer'],
    additionalProperties: false,
  },
};

const LEAD_IN = /^(?:so |thus |therefore )?(?:(?:final )?answer|answer to question|it) is /;
/** On the normal form: no articles, no punctuation. */
const NOTHING_KNOWN =
  /^(?:insufficient|(?:there is |there are |i have )?(?:not enough|insufficient|no(?: relevant)?|lacking) (?:information|evidence|data|context)\b.*|information (?:is )?(?:insufficient|not (?:available|provided|given|sufficient))\b.*|unknown|unclear|unanswerable|undetermined|null|no ?answer|not (?:enough|stated|specified|mentioned|provided|given|available|known|determinable|answerable)(?: in .*)?|i (?:do not|dont|cannot|cant) (?:know|tell|say|determine|answer)\b.*|(?:it |this |answer |question )?(?:cannot|can not|cant|could not|couldnt) be (?:determined|answered|established|known)\b.*|(?:it |this |answer )?is (?:not (?:stated|specified|mentioned|provided|given|known)|unknown|unclear)\b.*)$/;

/** Whether an answer says, in whatever words, that there is none. An empty one says so too. */
export function saysInsufficient(answer: string): boolean {
  const norm = normHotpot(answer.slice(0, LONGEST_ANSWER).replace(/[’‘]/g, "'"));
  return !/[\p{L}\p{N}]/u.test(norm || answer) || NOTHING_KNOWN.test(norm.replace(LEAD_IN, ''));
}

/** The `answer` of parsed JSON as a text; undefined where it has none that could be one. */
export function answerOf(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { answer } = json as { answer?: unknown };
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  if (typeof answer === 'number') return String(answer);
  if (answer === null) return INSUFFICIENT;
  return typeof answer === 'string' && answer.trim() !== '' && answer.length <= LONGEST_ANSWER
    ? answer.trim()
    : undefined;
}

/** The first `<...>` of a text that is no JSON, as the Group-8 comparison's notebook asks for. */
export function bracketedAnswer(text: string): string | undefined {
  return (
    /<([^<>\n]{1,400})>/.exec(withoutThinking(text).slice(0, LONGEST_ANSWER))?.[1]?.trim() ||
    undefined
  );
}
