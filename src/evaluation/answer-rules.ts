/**
 * Defines right answers: MultiHop-RAG's lenient rule as its evaluation script implements it (arXiv
 * 2401.15391), a strict one, and the lenient one without its known faults.
 */
import { normHotpot } from '../core/text/normalise.ts';

export type AnswerRuleName = 'official' | 'strict' | 'clean';
export const ANSWER_RULES: readonly AnswerRuleName[] = ['official', 'strict', 'clean'];

/** Longest prediction, in normalised tokens, in which a contained gold answer counts as said. */
const STRICT_TOKENS = 8;

/** English function words, without yes, no, not, before, after and same, which are answers here. */
const stopWords: ReadonlySet<string> = new Set(
  `about all also am and any are as at be because been being but by can could did do does for from had has have he her hers him his how
  i if in into is it its me more most my of on or our over she should so some such than that their them then there these they this those to under up
  us was we were what when where which while who whom whose why will with would you your`.split(
    /\s+/,
  ),
);

/** The quoted span of `The answer to the question is "..."`, else the whole response. */
function extracted(response: string): string {
  if (!response.includes('The answer')) return response;
  return /The answer to the question is "(.*?)"/.exec(response)?.[1] ?? response;
}

const intersects = (a: readonly string[], b: readonly string[]): boolean =>
  a.some(word => b.includes(word));
const words = (text: string): string[] => text.split(/\s+/).filter(word => word !== '');

/**
 * The script's own rule: lower case, whitespace words, punctuation kept, one word in common. "no"
 * does not match "no."; any shared "the" does.
 */
const official = (answer: string, gold: string): boolean =>
  intersects(words(answer.toLowerCase()), words(gold.toLowerCase()));

/**
 * Equal after normalisation, or gold as a run of whole tokens inside a prediction of at most 8
 * tokens.
 */
function strict(answer: string, gold: string): boolean {
  const p = normHotpot(answer);
  const g = normHotpot(gold);
  if (g === '') return false;
  return p === g || (p.split(' ').length <= STRICT_TOKENS && ` ${p} `.includes(` ${g} `));
}

const contentWords = (text: string): string[] =>
  words(normHotpot(text)).filter(word => !stopWords.has(word));

/** One content word in common after normalisation. */
const clean = (answer: string, gold: string): boolean =>
  intersects(contentWords(answer), contentWords(gold));

const rules: Readonly<Record<AnswerRuleName, (answer: string, gold: string) => boolean>> = {
  official,
  strict,
  clean,
};

/** Tells whether an answer fits one of the accepted ones by a rule. */
export function isRight(rule: AnswerRuleName, answer: string, answers: readonly string[]): boolean {
  const said = extracted(answer);
  return answers.some(gold => rules[rule](said, gold));
}
