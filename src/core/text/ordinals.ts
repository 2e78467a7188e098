/**
 * Finds ordinals that are written as a number with a full stop: "am 3. Mai 2020", "der 2.
 * Weltkrieg". Most languages that write them so put a small letter after them ("3. května"), which
 * continues a sentence; German has capitals there.
 *
 * A text does not say its language, and an English sentence may end in a number. So a number is an
 * ordinal only if the words at both sides say so: a German article or a word of its form before it,
 * a date around it, or a German noun after it that is counted and that opens no sentence without an
 * article.
 */
import { isStarter } from './abbreviations.ts';

/** German words that agree with a noun, which follows the ordinal; "I am 30." is English. */
const DETERMINER =
  /(?:^|[\s"“„»«(])(?:am|(?:vo|zu|i|bei)m|zur|ins|d(?:er|ie|as|en|em|es)|(?:[mds]|k)?eine?[rsmn]?|(?:ihr|unser|eur?er|jed|dies|jen)e?[rsmn]?|(?<=\d\.\s+)(?:und|oder|bis))\s+$/iu;
/** Matches an adjective after a German article of a case that no subject has: "im späten 4." */
const WITH_ADJECTIVE = /(?:^|[\s"“„»«(])(?:(?:a|i|vo|zu|bei)m|zur|des|dem|den)\s+\p{Ll}{2,}en\s+$/u;
/** Matches "als" in a role, "als 2. Sieger", and not after a comparative: "älter als 30." */
const IN_ROLE = /(?<!er|mehr)\s+[aA]ls\s+$|^Als\s+$/u;
const ENGLISH_AM = /\bI am\s+$/;

/** Months in German; those of the second group are English words as well. */
const MONTH =
  /^(?:(?:Januar|Jänner|Februar|Feber|März|Mai|Juni|Juli|Oktober|Dezember)(?!\p{L})|(?:Jän|Mär|Okt|Dez)\.)/u;
const SHARED_MONTH = /^(?:April|August|September|November)(?!\p{L})/u;
/** Matches a month and its year, which English has without a stop after the day. */
const MONTH_YEAR =
  /^(?:April|August|September|November|(?:Jan|Febr?|Apr|Aug|Sept?|Nov)\.)\s+\d{4}(?![\p{L}\p{N}])/u;
/** Matches a month before a name, which is part of it: "12. Mai Kuraki sang". */
const MONTH_IN_NAME = /^\p{L}+ *(?:\r?\n)? *\p{Lu}/u;
const CLUB = /^(?:FC|FSV|FFC|SC|SV|FCK)(?![\p{L}\p{N}])/u;

/**
 * German nouns that ordinals stand before, alone or at the end of a compound (Weltkrieg): spans of
 * time, ranks and offices, parts of a work, of a building and of a contest. Few are English words.
 * Plurals may open a sentence; before a number they name a place: "siehe Teil 3. Teil 4 folgt."
 */
const COUNTED = [
  'jahr(?:hundert|tausend|zehnt)?|monat|woche|stunde|quartal|krieg|jubiläum|amtszeit|periode|platz',
  'sieger(?:in)?|preis|vorsitzende[rnm]?|bürgermeister|präsident(?:en|in)?|kanzler(?:in)?|könig|liga',
  'klasse|klässlern?|stufe|ordnung|kategorie|hilfe|kapitel|abschnitt|absatz|satz|teil|auflage|ausgabe',
  'szene|zeile|spalte|seite|symphonie|sinfonie|folge|staffel|gebot|stockwerk|etage',
  'gescho(?:ss|ß)|reihe|bezirk|runde|spiel|halbzeit|drittel|viertel|etappe|lauf|versuch|schritt',
  'kongress|tagung|sitzung|konferenz|treffen|armee|bataillon|kompanie|senat|kammer|instanz|lesung',
  '(?:[sn]|spiel|feier|werk)tag(?!e?s)|(?:jahr|wahl|durch|lehr)gang|spielminute|vizemeister',
].join('|');
const COUNTED_NOUN = new RegExp(
  String.raw`^(?:\p{L}*?(?:${COUNTED})|sohn|akt|strophe|fassung)(?:e?s)?(?!\p{L}|\s+\p{N})`,
  'iu',
);
/** Matches abbreviations of a century. */
const CENTURY = /^J(?:h|hd|hdt|ahrh)s?\./;

const NUMBER = /(?<![\p{L}\p{N}.,:])\d{1,3}$/u;

/** Matches both sides of the stops of "3. 5. 2020". */
const DAY_BEFORE_MONTH = /(?<![\p{L}\p{N}.,:])\d{1,2}$/u;
const MONTH_AND_YEAR = /^\d{1,2}\.\s?\d{2,4}(?!\p{N})/u;
const DAY_AND_MONTH = /(?<![\p{L}\p{N}.,:])\d{1,2}\.\s\d{1,2}$/u;
const YEAR = /^\d{4}(?!\p{N})/u;

const isInDate = (behind: string, ahead: string): boolean =>
  (MONTH_AND_YEAR.test(ahead) && DAY_BEFORE_MONTH.test(behind)) ||
  (YEAR.test(ahead) && DAY_AND_MONTH.test(behind));

const isBeforeOrdinal = (before: string): boolean =>
  WITH_ADJECTIVE.test(before) ||
  IN_ROLE.test(before) ||
  (DETERMINER.test(before) && !ENGLISH_AM.test(before));

function endsInDigit(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0x30 && last <= 0x39;
}

/** Returns true if `behind` ends in a number whose full stop belongs to it, before `ahead`. */
export function isOrdinal(behind: string, ahead: string): boolean {
  // Few stops stand behind a number.
  if (!endsInDigit(behind)) return false;
  if (isInDate(behind, ahead)) return true;
  const number = NUMBER.exec(behind);
  if (number === null || !/^\p{Lu}/u.test(ahead)) return false;
  const before = behind.slice(0, number.index);
  const isDay = Number(number[0]) >= 1 && Number(number[0]) <= 31;
  if (number[0] === '1' && CLUB.test(ahead)) return true;
  if (isDay && MONTH.test(ahead) && !MONTH_IN_NAME.test(ahead)) return true;
  if (isDay && MONTH_YEAR.test(ahead)) return true;
  if (CENTURY.test(ahead) || COUNTED_NOUN.test(ahead)) return true;
  if (!isBeforeOrdinal(before)) return false;
  if (isDay && (MONTH.test(ahead) || SHARED_MONTH.test(ahead))) return true;
  const word = /^[\p{L}’']+/u.exec(ahead)![0];
  return !isStarter(word);
}
