/**
 * Finds what the words of a question say about its evidence: a section that mentions a default, or
 * one that has a number.
 */

const CONDITION = String.raw`\b(?:if|when|where|while|as long as)\b`;
/** A condition that denies: "if I choose none", "when the option is not set", "if I don't ask". */
const DENIED = String.raw`${CONDITION}(?: [\w']+){0,4} (?:nothing|none|no|not|never|\w+n't)\b`;
const LEFT_OUT = String.raw`\b(?:un(?:configured|set|specified|changed)|omitted|left (?:out|alone|empty))\b`;
const WITHOUT = String.raw`\bwithout (?:\w+ )?(?:configur|chang|sett|option|argument|flag)`;
const WORDS = String.raw`\bunless\b|\bout[ -]of[ -]the[ -]box\b|\bdefault`;

const ASKED = new RegExp([DENIED, LEFT_OUT, WITHOUT, WORDS].join('|'), 'i');

/**
 * Returns true if a question asks for what holds where nothing was chosen, often without the word:
 * "unless I change anything", "out of the box", "if none is given". Documentation says "default".
 */
export const asksForDefault = (question: string): boolean =>
  ASKED.test(question.replaceAll('’', "'"));

/** Returns true if a text mentions a default. */
export const mentionsDefault = (text: string): boolean => /\bdefault/i.test(text);

const MEASURES = 'many|much|long|large|big|small|often|old|far|deep|high|wide|fast|soon|late|early';
const NUMBERS = 'port|year|version|limit|size|number|status|timeout|percentage|age|date';
const NUMBERED = new RegExp(
  [
    String.raw`\bhow (?:${MEASURES})\b`,
    String.raw`\b(?:what|which) (?:\w+ )?(?:${NUMBERS})\b`,
    String.raw`\b(?:until|since|after) (?:when|how)\b`,
  ].join('|'),
  'i',
);

/** Returns true if a question asks for a number, a date or a version. */
export const asksForNumber = (question: string): boolean => NUMBERED.test(question);

/** Returns true if a text has a digit. */
export const hasNumber = (text: string): boolean => /\d/.test(text);
