/**
 * Tells sentences that state facts from opinions, by rules: stands in for the classifier of the
 * longitudinal study (step 2), an XLM-R model of 1.1 GB.
 */
import { MONTH } from '../../language/english/values/dates.ts';

const FIGURE = new RegExp(
  String.raw`\d|[$€£¥]|\bper ?cent\b|\b(?:${MONTH})\b|\bmillion|\bbillion`,
  'i',
);
/** Two spans of capitalised words, each of any length. */
const CAPITALS = /\p{Lu}[\p{L}\p{N}’'&.-]*(?:\s\p{Lu}[\p{L}\p{N}’'&.-]*)*/gu;
const EVENT =
  /\b(?:said|says|say|told|tells|announced?s?|reported?|reports|according|claim(?:s|ed)?|acquired?|sued?|won|wins|lost|bought|sold|launched|released|signed|filed|agreed|confirmed|revealed|published|wrote|testified|denied|accused|charged|found|showed|shows|beat|scored|opened|closed|raised|named|joined|left|died|founded|created|became|ruled|voted)\b/i;
const PAST =
  /\b(?:\p{L}{2,}ed|was|were|had|did|made|took|went|came|saw|got|gave|kept|held|led|met|ran|put|set|began|broke|brought|built|bought|caught|chose|cost|cut|fell|felt|fought|grew|heard|hit|knew|left|lost|paid|rose|said|sat|sent|sold|spent|spoke|stood|taught|thought|told|threw|won|wrote)\b/iu;
/** Small letters for "us": the country is "US". */
const PERSONAL = /\b(?:I|me|[Mm]y|mine|[Ww]e|us|[Oo]urs?|[Yy]ours?|[Yy]ou)\b/;
const HEDGE =
  /\b(?:should|might|could|would|may|perhaps|maybe|arguably|probably|possibly|seems?|i think|i believe|i guess|in my opinion)\b/i;
const EVALUATIVE =
  /\b(?:best|worst|greatest|finest|great|amazing|awesome|awful|beautiful|boring|brilliant|excellent|fantastic|gorgeous|horrible|incredible|lovely|perfect|stunning|terrible|wonderful)\b/i;

/**
 * Returns the score of a sentence: +1 each for a figure or date, two names, a verb of reports or
 * events, and the past tense; -1 each for the first or second person, a hedge, a judgement, and a
 * question or exclamation mark.
 */
export function factScore(sentence: string): number {
  const names = sentence.match(CAPITALS)?.length ?? 0;
  const holds = (pattern: RegExp): number => Number(pattern.test(sentence));
  return (
    holds(FIGURE) +
    Number(names >= 2) +
    holds(EVENT) +
    holds(PAST) -
    holds(PERSONAL) -
    holds(HEDGE) -
    holds(EVALUATIVE) -
    holds(/[?!]/)
  );
}

/** A full stop with its closing quotes and brackets. */
const ENDED = /[.。．]["'”’»›)\]]*\s*$/u;
/** Word tokens as the benchmark's tokeniser counts them: word runs, and each other mark. */
const TOKEN = /[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/** Least tokens of the facts of the benchmark's pipeline. */
export const FACT_TOKENS = 18;

export interface FactRules {
  /** Least number of word tokens. */
  readonly minTokens: number;
}

/** Returns true for a sentence of enough tokens with a full stop and a score of at least 1. */
export function isFact(sentence: string, { minTokens }: FactRules): boolean {
  return (
    ENDED.test(sentence) &&
    (sentence.match(TOKEN)?.length ?? 0) >= minTokens &&
    factScore(sentence) >= 1
  );
}
