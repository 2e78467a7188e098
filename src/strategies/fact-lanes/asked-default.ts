/**
 * Finds questions that ask for a default without the word: "unless I change anything", "out of the
 * box", "if none is given". Documentation writes "default" there.
 */

const CONDITION = String.raw`\b(?:if|when|where|while|as long as)\b`;
/** A condition that denies: "if I choose none", "when the option is not set", "if I don't ask". */
const DENIED = String.raw`${CONDITION}(?: [\w']+){0,4} (?:nothing|none|no|not|never|\w+n't)\b`;
const LEFT_OUT = String.raw`\b(?:un(?:configured|set|specified|changed)|omitted|left (?:out|alone|empty))\b`;
const WITHOUT = String.raw`\bwithout (?:\w+ )?(?:configur|chang|sett|option|argument|flag)`;
const WORDS = String.raw`\bunless\b|\bout[ -]of[ -]the[ -]box\b|\bdefault`;

const ASKED = new RegExp([DENIED, LEFT_OUT, WITHOUT, WORDS].join('|'), 'i');

/** Returns true if a question asks for what holds where nothing was chosen. */
export const asksForDefault = (question: string): boolean =>
  ASKED.test(question.replaceAll('’', "'"));

/** Returns true if a text speaks of a default. */
export const speaksOfDefault = (text: string): boolean => /\bdefault/i.test(text);
