/**
 * Counts the negations of a text and the direction of its words of degree and judgement, and
 * detects absolute statements.
 */

export interface Polarity {
  readonly negations: number;
  /**
   * Number of words of rising, praising and allowing less those of falling, blaming and forbidding.
   */
  readonly direction: number;
  /** True for "entirely", "never", "no": statements that one counterexample refutes. */
  readonly absolute: boolean;
}

const NEGATION =
  /\b(?:not|no|never|neither|nor|none|nobody|nothing|without|cannot|fail(?:s|ed|ure)?|lacks?|lacking|unable|refus(?:e|es|ed)|den(?:y|ies|ied)|hardly|barely)\b|n[’']t\b/gi;
const ABSOLUTE =
  /\b(?:entirely|exclusively|solely|only|never|always|no|none|all|every|completely|fully|totally|any|nothing|purely|adequately|openly)\b/i;

const UP = new Set(
  `increase increased increases increasing rise rises rose rising grow grows grew growth growing gain gains gained higher high more better best improve improved
  improvement positive good great success successful win wins won winning victory strong stronger advantage benefit benefits beneficial profit profitable legal lawful fair honest
  innocent truthful transparent open proper safe secure effective efficient support supports supported praise praised optimistic confident confidence expand expanded
  expansion boost boosted lead leading ahead up return returned include includes allow allows adequate favorable superior popular record surge surged climb climbed`.split(
    /\s+/,
  ),
);
const DOWN = new Set(
  `decrease decreased decreases decreasing fall falls fell falling drop drops dropped decline declined declining lose loses lost losing loss losses lower low less worse
  worst negative bad poor failure fail fails failed defeat defeated weak weaker disadvantage harm harmed harming harmful unprofitable illegal unlawful unfair fraud fraudulent dishonest
  guilty lies lied deceptive secret improper unsafe insecure ineffective inefficient oppose opposes opposed criticism criticized criticised pessimistic doubt doubts cut cuts reduce reduced
  reduction layoffs behind down leave left exclude excludes ban banned inadequate unfavorable inferior unpopular slump plunge plunged tumble tumbled struggle struggled struggles risk threat concern concerns`.split(
    /\s+/,
  ),
);

export function polarityOf(text: string): Polarity {
  let direction = 0;
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    if (UP.has(word)) direction++;
    else if (DOWN.has(word)) direction--;
  }
  return {
    negations: [...text.matchAll(NEGATION)].length,
    direction,
    absolute: ABSOLUTE.test(text),
  };
}
