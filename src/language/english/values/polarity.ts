/**
 * Reads whether a sentence affirms or denies what it mentions: "turned off by default" denies.
 *
 * The verdict on a question is yes if sentence and question agree, so that it never contradicts the
 * sentence that it cites.
 */

/** Words that deny by grammar. */
const NOT = String.raw`\b(?:not|cannot|never|no|none|neither|nor|nothing|without)\b|n[’']t\b`;
/** Words that deny by their meaning as well. */
const DENIES = new RegExp(
  String.raw`\b(?:no longer|disabled?|disables|disabling|off|false|unsupported|unavailable|forbids?|forbidden|disallow(?:s|ed)?|prohibit(?:s|ed)?|refuses?|rejects?|ignores?|ignored|lacks?|fails?|unable|impossible|excluded?|omits?|omitted|removed|dropped|stopped|opt-in|opted? in|insensitive|unlike|deny|denied|denies|prevents?|blocked|blocks)\b|${NOT}`,
  'giu',
);
/** Denials of nothing: "not only", "no matter", "no need". */
const IDLE =
  /\b(?:not only|no matter|whether or not|not to mention|no doubt|if not|or not|why not|not necessarily|cannot but|on or off|on and off|false positives?|true or false)\b/giu;
/** Begins what says why or when, and denies nothing of the main clause. */
const ASIDE =
  /,?\s*\b(?:unless|because|since|so that|in order to|to (?:prevent|avoid|ensure|make sure)|if|when|while|although|though|even if|otherwise|except)\b.*$/isu;

const negation = new RegExp(NOT, 'iu');
/** Returns true if a word of a text denies by grammar: "not", "never", "without". */
export const isNegated = (text: string): boolean => negation.test(text.replace(IDLE, ' '));

/**
 * Returns true if a text denies what it mentions; undefined if it denies twice: its sense then
 * depends on what denies what.
 */
export function denies(text: string): boolean | undefined {
  const count = text.replace(IDLE, ' ').match(DENIES)?.length ?? 0;
  return count > 1 ? undefined : count === 1;
}

/** Content words behind a denial that it can deny: "will not retry the first request". */
const REACH = 3;
const LIGHT =
  /^(?:be|been|being|is|are|was|were|the|an?|its?|to|of|any|by|longer|only|yet|able)$/iu;

/** Returns the words that the first denial of a sentence stands before; empty if there is none. */
export function deniedWords(sentence: string): string {
  const text = sentence.replace(IDLE, ' ');
  const at = text.search(new RegExp(DENIES.source, 'iu'));
  if (at < 0) return '';
  const [, ...rest] = text.slice(at).match(/[\p{L}\p{N}’'_-]+/gu) ?? [];
  return rest
    .filter(word => !LIGHT.test(word))
    .slice(0, REACH)
    .join(' ');
}

/** Returns `denies` of the main clause of a sentence. */
export const deniesInMain = (sentence: string): boolean | undefined => denies(mainOf(sentence));

function mainOf(sentence: string): string {
  const main = sentence.replace(ASIDE, '');
  if (/\p{L}\P{L}+\p{L}/u.test(main)) return main;
  // A sentence that opens with a condition has its main clause behind the comma.
  return sentence.slice(sentence.indexOf(',', main.length + 1) + 1);
}

/** Tells that something is on or off, allowed or not. */
const STATE =
  /\b(?:enabled|disabled|active|inactive|(?:turned|switched|is|are) (?:on|off)|supported|unsupported|allowed|disallowed|opt-in)\b/iu;
export const statesState = (sentence: string): boolean => STATE.test(mainOf(sentence));

const TRUE = /^(?:true|yes|on|enabled|always|1)\b/iu;
const FALSE = /^(?:false|no|off|disabled|never|none|null|undefined|0)\b/iu;

/** Returns the truth that a value of a setting stands for; undefined if it is none. */
export function truthOf(value: string): boolean | undefined {
  if (TRUE.test(value)) return true;
  return FALSE.test(value) ? false : undefined;
}
