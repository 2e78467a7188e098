/**
 * Writes a follow-up as a question that stands alone, by rules: a pronoun or a phrase becomes what
 * it stands for, "What about X?" the question before about X. Leaves what the rules are unsure of.
 */

import { LONGEST_QUESTION } from '../../core/text/question-text.ts';
import { withReplacements } from '../../core/text/replace-spans.ts';
import { typesOfNoun } from '../english/names/types.ts';
import { wordStem } from '../english/words/verb-forms.ts';
import { type Antecedent, antecedent } from './antecedents.ts';
import type { Mention } from './mentions.ts';
import { namedThings } from './named-things.ts';
import type { ReferenceWords } from './reference-words.ts';
import { type FollowUpReading, followUpReading } from './references.ts';
import type { Turn } from './turn.ts';

/** The question that stands alone, or why the rules do not write it. */
export type ByRules = { readonly text: string } | { readonly unsure: string };

const TOO_LONG = { unsure: 'with what it may be about it is too long' };
const NOT_SAID = { unsure: 'it does not say what it is about' };

/** Returns the question that stands alone; call it for a question that refers back. */
export function standAloneByRules(
  question: string,
  turns: readonly Turn[],
  { words, mentions, unnamed }: FollowUpReading = followUpReading(question, turns.at(-1)?.question),
): ByRules {
  const before = turns.at(-1);
  if (words === undefined || before === undefined || unnamed) return NOT_SAID;
  const written =
    otherSubject(question, before, words) ??
    (mentions.length > 0
      ? replaced(question, mentions, turns, words)
      : words.dropsSubjects
        ? added(question, turns, words)
        : NOT_SAID);
  return 'text' in written && written.text.length > LONGEST_QUESTION ? TOO_LONG : written;
}

/** Handles "What about X?", "And X?" and "And where?". */
function otherSubject(
  question: string,
  { question: before }: Turn,
  words: ReferenceWords,
): ByRules | undefined {
  const opening = words.about.exec(question) ?? words.opening.exec(question);
  const rest = question.slice(opening?.[0].length ?? 0).replace(/[\s?!.]+$/u, '');
  const adjuncts = words.adjuncts.split(' ');
  if (adjuncts.includes(rest.toLowerCase())) return withAdjunct(rest, before, adjuncts);
  if (opening === null) return undefined;
  const [name, second] = namedThings(rest, words);
  const year = /^(?:\p{Ll}+ )?(\d{4})$/u.exec(rest)?.[1];
  const other = year ?? (isNothingElse(rest, name, words) ? name : undefined);
  if (other === undefined || second !== undefined)
    return words.about.test(question) ? NOT_SAID : undefined;
  const known = year
    ? (before.match(/(?<!\p{N})\d{4}(?!\p{N})/gu) ?? [])
    : namedThings(before, words);
  // "On Fedora" takes the place of "on Ubuntu", whatever else is named.
  const link = rest.slice(0, rest.indexOf(other)).trim().toLowerCase();
  const linked = known.filter(each =>
    before.toLowerCase().includes(`${link} ${each}`.toLowerCase()),
  );
  const [only, ...more] = known.length > 1 && link !== '' ? linked : known;
  if (only === undefined || more.length > 0 || !before.includes(only)) return NOT_SAID;
  const article = link === 'the' && !before.includes(`the ${only}`) ? 'the ' : '';
  return { text: before.replace(only, () => article + other) };
}

/** True for a name with articles and prepositions alone: "in Berlin". */
function isNothingElse(rest: string, name: string | undefined, { links }: ReferenceWords): boolean {
  if (name === undefined) return false;
  const others = rest.replace(name, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
  return others.every(word => links.split(' ').includes(word.toLowerCase()));
}

/** Writes "When was Ada born?" as "Where was Ada born?". */
function withAdjunct(adjunct: string, before: string, adjuncts: readonly string[]): ByRules {
  const first = /^¿?(\p{L}+)/u.exec(before)?.[1];
  if (first === undefined || !adjuncts.includes(first.toLowerCase())) return NOT_SAID;
  const capital = adjunct.slice(0, 1).toUpperCase() + adjunct.slice(1);
  return { text: before.replace(first, () => capital) };
}

function replaced(
  question: string,
  mentions: readonly Mention[],
  turns: readonly Turn[],
  words: ReferenceWords,
): ByRules {
  const named: (Mention & { readonly name: string })[] = [];
  // A name that stands for a person stands for nothing else.
  const ofPersons = ({ kind }: Mention): number => (kind === 'person' ? 0 : 1);
  for (const mention of [...mentions].sort((a, b) => ofPersons(a) - ofPersons(b))) {
    const taken = named.filter(({ kind }) => kind !== mention.kind).map(({ name }) => name);
    const strict = isThe(mention, question);
    const found = meaning(mention, turns, { taken, question, strict });
    // "The film" may be any of its type.
    if ('unsure' in found) return strict ? { text: question } : found;
    named.push({ ...mention, ...found });
  }
  const { replacing } = words;
  const names = [...new Set(named.map(({ name }) => name))];
  if (replacing === undefined)
    return names.length === 1
      ? { text: withEnd(withoutOpening(question, words), ` (${names[0]})`) }
      : NOT_SAID;
  const text = withReplacements(
    question,
    named.map(({ start, end, name, owns, kind, noun }) => {
      const lone =
        kind === 'place' &&
        noun === undefined &&
        !/(?<!\p{L})(?:from|in|to|at|near|von|nach)\s$/u.test(question.slice(0, start));
      const by = owns ? replacing.owner(name) : lone ? `${replacing.at} ${name}` : name;
      return { start, end, by };
    }),
  );
  return { text: withoutOpening(text, words) };
}

const isThe = ({ noun, start }: Mention, question: string): boolean =>
  noun !== undefined && /^th(?:e|is) /iu.test(question.slice(start));

/** Returns what a mention stands for; a phrase says of which type that is. */
function meaning(
  { kind, noun }: Mention,
  turns: readonly Turn[],
  within: Parameters<typeof antecedent>[2],
): Antecedent {
  const types = noun === undefined ? [] : typesOfNoun(wordStem(noun.toLowerCase()));
  return antecedent(kind, turns, { ...within, types });
}

/** Adds the subject that a language leaves out. */
function added(question: string, turns: readonly Turn[], words: ReferenceWords): ByRules {
  const kind = words.ofPersons.test(question)
    ? 'person'
    : words.ofThings.test(question)
      ? 'thing'
      : 'any';
  const found = antecedent(kind, turns, { question });
  return 'unsure' in found
    ? found
    : { text: withEnd(withoutOpening(question, words), ` ${found.name}`) };
}

const withEnd = (question: string, end: string): string => {
  const at = question.search(/[\s?!.]*$/u);
  return question.slice(0, at) + end + question.slice(at);
};

/** Takes "And" off the beginning. */
function withoutOpening(question: string, { opening }: ReferenceWords): string {
  const open = /^¿/u.test(question) ? '¿' : '';
  const rest = question.replace(opening, '').replace(/^¿/u, '');
  return open + rest.slice(0, 1).toUpperCase() + rest.slice(1);
}
