/**
 * Tells the words that clearly refer back from those that may stand for something in the question
 * itself, or for nothing: "Does it rain in Oslo?", "Before his death, where did Mozart live?".
 */
import type { Mention } from './mentions.ts';
import type { ReferenceWords } from './reference-words.ts';

/** A question that is read, with what it names. */
export interface Asked {
  readonly text: string;
  readonly words: ReferenceWords;
  readonly names: readonly string[];
  /** True if a pronoun may stand for nothing. */
  readonly impersonal: boolean;
}

/** Matches words by which an English question only helps its verb. */
const HELPING =
  /^(?:am|is|are|was|were|be|been|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|s)$/;

/**
 * True if the word refers back and to nothing in the question: a wrong rewriting is worse than
 * none, so that in doubt it does not.
 */
export function isClear(mention: Mention, asked: Asked): boolean {
  const { text, words, names } = asked;
  const before = wordsIn(text.slice(0, mention.start));
  const after = text.slice(mention.end);
  const content = before.filter(word => !words.marks.has(word) && !HELPING.test(word));
  const joins = words.joins.split(' ');
  const joined = before.findLastIndex(word => joins.includes(word));
  // A clause before or behind that of the word may name what it stands for.
  const isJoined = joined > 0 && before.slice(0, joined).some(word => content.includes(word));
  if (isJoined || /,\s*[^\s?]|^\s+who\b/u.test(after)) return false;
  if (mention.kind !== 'place' && words.bound.test(text.slice(0, mention.start))) return false;
  if (names.length > 0 && !isSubjectBeforeNames(mention, asked)) return false;
  // "This year" needs nothing before it; only English nouns have types.
  if (mention.noun !== undefined) return words.code === 'en';
  const word = text.slice(mention.start, mention.end).toLowerCase();
  // "Su" also means "your".
  if (mention.owns && /^su|^seus?$/u.test(word) && !words.opening.test(text)) return false;
  if (mention.owns || isOwnerToo(word, words, after)) return ownsAlone(before, content, words);
  return !(words.mayBeIdle.test(word) && asked.impersonal) && isNoInversion(asked, word, content);
}

/** True if the pronoun may stand for nothing; "to Vell" is no clause. */
export const isImpersonal = ({ text, words, names }: Omit<Asked, 'impersonal'>): boolean =>
  words.impersonal.test(names.reduce((rest, name) => rest.replace(name, '0'), text));

/** Russian has one word for "her" and "she". */
const isOwnerToo = (word: string, { code }: ReferenceWords, after: string): boolean =>
  code === 'ru' && /^(?:его|её|ее|их)$/u.test(word) && /^ \p{L}/u.test(after);

/** "Le ciel est-il bleu ?": the pronoun repeats the subject. */
const isNoInversion = ({ words }: Asked, word: string, content: readonly string[]): boolean =>
  words.code !== 'fr' || !word.includes('-') || content.length === 0;

/** True for "What is its default?", false for "When is water at its densest?". */
function ownsAlone(
  before: readonly string[],
  content: readonly string[],
  { code, whose }: ReferenceWords,
): boolean {
  if (content.length === 0) return true;
  if (whose.test(before[0] ?? '') || (code !== 'en' && content.length > 1)) return false;
  // "Comment créer son entreprise ?": whoever does it is the owner.
  if (code === 'fr' && content.some(word => /(?:er|ir|re)$/u.test(word))) return false;
  if (code !== 'en') return true;
  if (before.at(-1) === 'of')
    return /^(?:what|who|where) (?:is|was|are|were|s) the (?:\S+ ){1,3}of$/.test(before.join(' '));
  return HELPING.test(before.at(-1)!) || /^what happened to$/.test(before.join(' '));
}

/** A subject does not stand for an object of its clause: "When did she move to Paris?". */
function isSubjectBeforeNames({ start, end, kind, owns, noun }: Mention, asked: Asked): boolean {
  const { text, words, names } = asked;
  if (words.code !== 'en' || owns || noun !== undefined) return false;
  if (names.some(name => text.indexOf(name) < start)) return false;
  const verb = /(?:^|\s)(?:did|does|will|can|was|is|has)\s$/iu.test(text.slice(0, start));
  const word = text.slice(start, end).toLowerCase();
  if (word === 'he' || word === 'she') return verb;
  return kind === 'thing' && verb && !asked.impersonal && ACTS.test(text);
}

/** Matches "it" with a verb that has a subject: "Is it sold in Vell?", "Did it win the Prism?". */
const ACTS =
  /\b(?:did|does|will|can) it (?!rain|snow|hail|freez|storm|thunder|take|cost|matter|happen|mean|become|get|seem|feel|pay|make|hurt|help|ever|look|be\b|go\b)\p{Ll}|\b(?:was|is|has) it (?!call|nam|allow|permit|consider|suppos|said|need|believ|expect|forbidd)(?:\p{Ll}+ed|built|made|sold|bought|held|written|known|won)\b/iu;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
