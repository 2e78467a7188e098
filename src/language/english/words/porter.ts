/**
 * Stems English words by the algorithm of Porter (An algorithm for suffix stripping, Program 14(3),
 * 1980), so that "cached" equals "caches" and "pipelining" equals "pipeline". British spellings
 * have the stem of the American ones.
 */

const CONSONANTS = '[^aeiou][^aeiouy]*';
const VOWELS = '[aeiouy][aeiou]*';
/** A stem of measure at least 1, exactly 1, and at least 2: pairs of vowels and consonants. */
const SOME = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const ONE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}(?:${VOWELS})?$`);
const SEVERAL = new RegExp(`^(?:${CONSONANTS})?(?:${VOWELS}${CONSONANTS}){2}`);
const WITH_VOWEL = new RegExp(`^(?:${CONSONANTS})?[aeiouy]`);
/** A short syllable, "hop": its stem keeps an e. */
const SHORT = new RegExp(`^${CONSONANTS}[aeiouy][^aeiouwxy]$`);

type Rule = readonly [suffix: string, replacement: string];

/** Reads rules of a suffix and its replacement, longer suffixes before those that end them. */
const rulesOf = (text: string): readonly Rule[] =>
  text.split(' ').map(rule => {
    const [suffix, replacement] = rule.split('>');
    return [suffix!, replacement!];
  });

const STEP_2 = rulesOf(
  'ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous ' +
    'ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al ' +
    'iviti>ive biliti>ble logi>log',
);
const STEP_3 = rulesOf('icate>ic ative> alize>al iciti>ic ical>ic ful> ness>');
const STEP_4 =
  /^(.+?)(?:ement|ment|able|ible|ance|ence|ate|ant|ent|iti|(?<=[st])ion|ism|ous|ive|ize|al|er|ic|ou)$/;

const BRITISH: readonly (readonly [RegExp, string])[] = [
  [/ys(?=(?:e|es|ed|ing|ers?)$)/, 'yz'],
  [/is(?=(?:e|es|ed|ing|ers?|ations?)$)/, 'iz'],
  [/^licenc/, 'licens'],
  [/(?<=col|behavi|fav|hon|neighb|lab|flav|hum|rum)our/, 'or'],
];

/** Returns the stem of a word in lower case; words of other letters than a to z are unchanged. */
export function porterStem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let stem = BRITISH.reduce((made, [british, american]) => made.replace(british, american), word);
  // At the beginning of a word y is a consonant.
  const yFirst = stem.startsWith('y');
  if (yFirst) stem = `Y${stem.slice(1)}`;
  stem = withoutPlural(stem);
  stem = withoutInflection(stem);
  if (stem.endsWith('y') && WITH_VOWEL.test(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaced(replaced(stem, STEP_2), STEP_3);
  stem = withoutEnding(stem);
  return yFirst ? `y${stem.slice(1)}` : stem;
}

const withoutPlural = (word: string): string =>
  /(?:ss|i)es$/.test(word) ? word.slice(0, -2) : word.replace(/(?<=[^s])s$/, '');

function withoutInflection(word: string): string {
  if (word.endsWith('eed')) return SOME.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const stem = /^(.+?)(?:ed|ing)$/.exec(word)?.[1];
  if (stem === undefined || !WITH_VOWEL.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem) || SHORT.test(stem)) return `${stem}e`;
  return /([^aeiouylsz])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}

/** Applies the rule of the first suffix that the word has, if enough is left. */
function replaced(word: string, rules: readonly Rule[]): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const stem = word.slice(0, -rule[0].length);
  return SOME.test(stem) ? stem + rule[1] : word;
}

function withoutEnding(word: string): string {
  const bare = STEP_4.exec(word)?.[1];
  let stem = bare !== undefined && SEVERAL.test(bare) ? bare : word;
  const before = stem.slice(0, -1);
  const falls = SEVERAL.test(before) || (ONE.test(before) && !SHORT.test(before));
  if (stem.endsWith('e') && falls) stem = before;
  return stem.endsWith('ll') && SEVERAL.test(stem) ? stem.slice(0, -1) : stem;
}
