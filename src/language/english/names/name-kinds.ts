/** Reads from the sentences the nouns by which they call each name, and if it is a person's. */
import type { Span } from '../../../core/text/span-index.ts';
import { ENGLISH_STOP_WORDS } from '../words/stop-words.ts';
import { wordStem } from '../words/verb-forms.ts';
import { type CanonicalNames, wholeNames } from './canonical-names.ts';
import type { Mention } from './mentions.ts';
import { type TypeName, typesOfNoun } from './types.ts';

export interface NameKind {
  /** Stems of nouns in apposition to it, before it, or that it is said to be. */
  readonly called: Set<string>;
  /** Types that those nouns tell. */
  readonly types: Set<TypeName>;
  /** True if it has two or three words, the last of which names it alone as well. */
  person: boolean;
  /** True if a verb of speech or a personal pronoun follows it. */
  speaks: boolean;
  /** True if a role precedes it: "Mayor", "the singer". */
  role: boolean;
  /** Share of its mentions in whose sentence a pronoun of persons follows it. */
  personal: number;
  /** Share of its mentions that a preposition of place precedes. */
  place: number;
}

const PLACED = /\b(?:in|at|near|from|off|outside|across|towards?) (?:the )?$/iu;
const PRONOUN = /\b(?:he|she|his|her|him|hers|himself|herself|who)\b/u;
const SPEECH =
  /^,? (?:\d{1,3}, )?(?:said|says|told|tells|wrote|added|argued|explained|replied|asked|recalled|remembers|himself|herself|who|whose)\b/u;
const NAMED_ROLE =
  /\b(?:(?:[Mm]r|[Mm]rs|[Mm]s|[Dd]r|[Ss]ir|[Pp]rof)\.?|[Mm]ayor|[Pp]resident|[Cc]aptain|[Cc]hair\p{Ll}*|[Cc]oach|[Jj]udge|[Mm]inister|[Ss]enator|[Gg]overnor|[Pp]rofessor|\p{Ll}+(?:ist|ian|ess|er|or|man|woman))(?:,)? $/u;
/** "The island of Vash": these nouns call what follows; "coast of" and "capital of" do not. */
const CALLING_OF =
  /\b(island|isle|city|town|village|hamlet|county|province|district|kingdom|republic) of $/u;
/** Stop words that stand before a noun and end no phrase: "is the next mayor". */
const ORDINAL = /^(?:(?:next|first|second|third|last|only|most|other|same|very|own|new) )+/u;
const BEFORE = 60;
const AFTER = 200;
const NOUNS = 9;

/** Returns the stems of the nouns of a phrase, which stand last in English. */
export const nounStems = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}]{3,}/gu) ?? [])
      .filter(word => !ENGLISH_STOP_WORDS.has(word))
      .map(wordStem),
  );

export function nameKinds(
  sentences: readonly { readonly text: string; readonly mentions: readonly Mention[] }[],
  names: CanonicalNames,
): Map<string, NameKind> {
  const kinds = new Map<string, NameKind>();
  const alone = new Set<string>();
  const counts = new Map<string, { all: number; placed: number; personal: number }>();
  for (const { text, mentions } of sentences)
    for (const mention of wholeNames(mentions)) {
      const key = names.key(mention.text);
      const known = kinds.get(key) ?? {
        called: new Set<string>(),
        types: new Set<TypeName>(),
        person: false,
        speaks: false,
        role: false,
        place: 0,
        personal: 0,
      };
      kinds.set(key, known);
      if (!/\s/u.test(mention.text)) alone.add(mention.text.toLowerCase());
      const left = text.slice(Math.max(0, mention.start - BEFORE), mention.start);
      const right = text.slice(mention.end, mention.end + AFTER);
      for (const phrase of calledBy(text, mention)) {
        for (const noun of phrase) known.called.add(noun);
        // The last noun of a phrase tells: a "film and television actor" is no film.
        const typed = phrase.findLast(noun => typesOfNoun(noun).length > 0);
        if (typed !== undefined) for (const type of typesOfNoun(typed)) known.types.add(type);
      }
      known.speaks ||= SPEECH.test(right);
      known.role ||= isRole(left);
      const count = counts.get(key) ?? { all: 0, placed: 0, personal: 0 };
      counts.set(key, count);
      count.all++;
      count.placed += Number(PLACED.test(left));
      count.personal += Number(PRONOUN.test(text.slice(mention.end)));
    }
  for (const [key, kind] of kinds) {
    const words = key.split(' ');
    kind.person =
      words.length >= 2 && words.length <= 3 && alone.has(words.at(-1)!) && !/\d/.test(key);
    const { all, placed, personal } = counts.get(key)!;
    kind.place = placed / all;
    kind.personal = personal / all;
  }
  return kinds;
}

const isRole = (left: string): boolean => {
  const role = NAMED_ROLE.exec(left)?.[0].trim();
  return role !== undefined && !ENGLISH_STOP_WORDS.has(role.replace(/,$/u, '').toLowerCase());
};

/**
 * Returns the stems of the nouns by which a text calls a name: of the noun before it, and of each
 * phrase in apposition or after "is a".
 */
export function calledBy(text: string, { start, end }: Span): string[][] {
  const left = text.slice(Math.max(0, start - BEFORE), start);
  const right = text.slice(end, end + AFTER);
  const found: string[][] = [];
  const before = /\b(\p{Ll}{3,})[,]? ["“]?$/u.exec(left)?.[1];
  if (before !== undefined && !ENGLISH_STOP_WORDS.has(before)) found.push([wordStem(before)]);
  const calling = CALLING_OF.exec(left)?.[1];
  if (calling !== undefined) found.push([wordStem(calling)]);
  const after =
    /^["”]?(?: \([^()]*\))?(?:,| is| was| are| were) (?:the|a|an|its|his|her|their|one of the) ((?:[\p{L}-]+,? ?){1,12})/u.exec(
      right,
    )?.[1];
  if (after !== undefined) {
    // The phrase ends at a preposition or a relative word: "a grain brig that went missing".
    const words = after.replace(ORDINAL, '').split(/,? /u);
    const end = words.findIndex(
      word => word !== 'and' && ENGLISH_STOP_WORDS.has(word.toLowerCase()),
    );
    const phrase = words.slice(0, end < 0 ? NOUNS : Math.min(end, NOUNS));
    found.push(phrase.filter(word => /^\p{Ll}{3}/u.test(word) && word !== 'and').map(wordStem));
  }
  return found;
}
