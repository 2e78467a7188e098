/**
 * Puts the answers of a reader without a model and of a language model side by side: each text
 * once, with what speaks for it.
 */
import { normHotpot } from '../../core/text/normalise.ts';
import { lineAsData } from '../../core/text/passages-as-data.ts';
import { GRAM_SCRIPTS } from '../../core/text/scripts.ts';
import type { Answer } from '../../core/trace/trace.ts';
import { shareLogit } from '../../models/answer-probability/answer-probability.ts';
import type { CascadeFeatures } from '../../models/cascade/cascade-checkpoint.ts';
import type { Answered, Shared } from '../draft.ts';
import { DENIES } from './sure-answer.ts';

/** A text that may be the answer. */
export interface CascadeCandidate {
  readonly text: string;
  /** The language model answers this; its own words are `text`. */
  readonly byModel: boolean;
  /** The first candidate of the reader without a model. */
  readonly first: boolean;
  readonly features: CascadeFeatures;
}

/** Tells whether a candidate may be the answer: the others have no sentences to cite. */
export const isEligible = ({ byModel, first }: CascadeCandidate): boolean => byModel || first;

/** Returns the candidates: that of the language model first, then those of the rules. */
export function cascadeCandidates(
  rules: Answer,
  model: Answered,
  question: string,
): CascadeCandidate[] {
  const found = foundBy(rules);
  const said = model.kind === 'answered' ? model : undefined;
  const at = said ? found.findIndex(({ text }) => agrees(said.text, text, question)) : -1;
  const ofRules = found.map(({ text, share }, index): CascadeCandidate => {
    const byModel = index === at;
    return {
      text: byModel ? said!.text : text,
      byModel,
      first: index === 0,
      features: featuresOf(share, byModel ? said : undefined),
    };
  });
  if (!said || at >= 0) return ofRules;
  const own = { text: said.text, byModel: true, first: false };
  return [{ ...own, features: featuresOf(undefined, said) }, ...ofRules];
}

function featuresOf(
  probability: number | undefined,
  said: (Answered & { kind: 'answered' }) | undefined,
): CascadeFeatures {
  return {
    rules: probability === undefined ? 0 : shareLogit(probability),
    unfound: Number(probability === undefined),
    model: Number(said !== undefined),
    verdict: Number(said !== undefined && verdictOf(said.text) !== undefined),
  };
}

/** Returns the texts that the reader without a model considers, best first; shares are of 1. */
export function foundBy(rules: Answer): Shared[] {
  if (rules.kind === 'evidence') return [];
  const text = rules.kind === 'answered' ? rules.text : rules.withheld?.text;
  const { probability, alternatives = [] } = rules;
  return text === undefined || probability === undefined
    ? []
    : [{ text, probability }, ...alternatives].map(each => ({
        text: each.text,
        share: each.probability,
      }));
}

/** Length of a candidate that a prompt names, in UTF-16 units: a name, and no whole sentence. */
const LONGEST_NAMED = 100;

/** Returns the texts that the prompt of the language model names. */
export const candidateTexts = (rules: Answer): string[] => [
  ...new Set(
    foundBy(rules)
      .map(({ text }) => lineAsData(text))
      .filter(text => text !== '' && text.length <= LONGEST_NAMED),
  ),
];

/**
 * Tells whether an answer in the model's words says the candidate, or is said by it. A sentence
 * also names what the question does ("B came out before A"): such a candidate must come first. One
 * that denies ("not in Oslo but in Bergen") says no candidate.
 */
export function agrees(said: string, candidate: string, question: string): boolean {
  const [one, other] = [said, candidate].map(verdictOf);
  if (one !== undefined || other !== undefined) return one === other;
  const [a, b, asked] = [said, candidate, question].map(normHotpot) as [string, string, string];
  if (a === '' || b === '') return false;
  if (DENIES.test(said) && !DENIES.test(candidate)) return false;
  // Words are found whole, but in scripts without spaces between them.
  const apart = HAS_GRAMS.test(a + b) ? '' : ' ';
  const holds = (text: string, part: string): boolean =>
    `${apart}${text}${apart}`.includes(`${apart}${part}${apart}`);
  return holds(asked, b) ? `${a}${apart}`.startsWith(`${b}${apart}`) : holds(a, b) || holds(b, a);
}

const HAS_GRAMS = new RegExp(`[${GRAM_SCRIPTS}]`, 'u');

/** "No one knows" is no verdict. */
const verdictOf = (text: string): string | undefined =>
  /^\W*(yes|no)(?=\W*$|\s?[,.;:!—–-])/iu.exec(text)?.[1]?.toLowerCase();
