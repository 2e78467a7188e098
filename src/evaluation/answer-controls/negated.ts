/** Writes the opposite of a sentence by three rules, the first that applies. */

/** Pairs of opposites in the same form; each replaces the other. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['rose', 'fell'],
  ['rises', 'falls'],
  ['rising', 'falling'],
  ['increase', 'decrease'],
  ['increased', 'decreased'],
  ['increases', 'decreases'],
  ['increasing', 'decreasing'],
  ['gained', 'lost'],
  ['gains', 'losses'],
  ['won', 'lost'],
  ['wins', 'loses'],
  ['higher', 'lower'],
  ['more', 'less'],
  ['stronger', 'weaker'],
  ['better', 'worse'],
  ['best', 'worst'],
  ['legal', 'illegal'],
  ['supports', 'opposes'],
  ['supported', 'opposed'],
  ['accepted', 'rejected'],
  ['agreed', 'refused'],
  ['before', 'after'],
  ['guilty', 'innocent'],
  ['positive', 'negative'],
];
const OPPOSITE: ReadonlyMap<string, string> = new Map(
  OPPOSITES.flatMap(([a, b]): [string, string][] => [
    [a, b],
    [b, a],
  ]),
);
/** An auxiliary verb, with the negation that may follow it. */
const AUXILIARY =
  /\b(is|are|was|were|has|had|have|will|would|can|could|should|may|might|must|does|do|did)(n[’']t\b| not\b)?/;
const OPENING = 'It is not true that ';

export type NegationRule = 'opposite' | 'auxiliary' | 'prefix';

/**
 * Returns the sentence that says the opposite: with a word of direction replaced, with `not` added
 * to or taken from the first auxiliary verb, else after "It is not true that".
 */
export function negated(sentence: string): { readonly text: string; readonly rule: NegationRule } {
  for (const match of sentence.matchAll(/\p{L}+/gu)) {
    const opposite = OPPOSITE.get(match[0]);
    if (opposite !== undefined)
      return {
        rule: 'opposite',
        text: `${sentence.slice(0, match.index)}${opposite}${sentence.slice(match.index + match[0].length)}`,
      };
  }
  const verb = AUXILIARY.exec(sentence);
  if (verb) {
    const [found, word, negation] = verb;
    const changed = negation === undefined ? `${word} not` : word;
    return {
      rule: 'auxiliary',
      text: `${sentence.slice(0, verb.index)}${changed}${sentence.slice(verb.index + found.length)}`,
    };
  }
  return { rule: 'prefix', text: `${OPENING}${sentence}` };
}
