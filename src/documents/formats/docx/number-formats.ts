/** Prints the number of a paragraph as Word shows it, by the name of its format. */

const LATIN = 'abcdefghijklmnopqrstuvwxyz';
const RUSSIAN = 'абвгдежзиклмнопрстуфхцчшщыэюя';
const ROMAN: readonly (readonly [value: number, letters: string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
/** Larger numbers are printed in digits. */
const MOST_ROMAN = 4000;
const CHINESE = '〇一二三四五六七八九';

type Format = (value: number) => string;

/** After the last letter Word doubles them: z, aa, bb. */
const lettersOf =
  (alphabet: string): Format =>
  value => {
    const times = Math.ceil(value / alphabet.length);
    return value > 0 && times <= 9
      ? alphabet[(value - 1) % alphabet.length]!.repeat(times)
      : String(value);
  };

const roman: Format = value => {
  if (value < 1 || value >= MOST_ROMAN) return String(value);
  let [text, rest] = ['', value];
  for (const [each, letters] of ROMAN) for (; rest >= each; rest -= each) text += letters;
  return text;
};

const chinese: Format = value => {
  if (value < 1 || value > 99) return String(value);
  const [tens, ones] = [Math.floor(value / 10), value % 10];
  const ten = tens === 0 ? '' : `${tens === 1 ? '' : CHINESE[tens]}十`;
  return ten + (ones === 0 ? '' : CHINESE[ones]!);
};

const ordinal: Format = value => {
  const isTeen = value % 100 > 10 && value % 100 < 14;
  return `${value}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][value % 10]) ?? 'th'}`;
};

const upper =
  (format: Format): Format =>
  value =>
    format(value).toUpperCase();

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['lowerLetter', lettersOf(LATIN)],
  ['upperLetter', upper(lettersOf(LATIN))],
  ['russianLower', lettersOf(RUSSIAN)],
  ['russianUpper', upper(lettersOf(RUSSIAN))],
  ['lowerRoman', roman],
  ['upperRoman', upper(roman)],
  ['ordinal', ordinal],
  ['decimalZero', value => String(value).padStart(2, '0')],
  ['decimalFullWidth', value => String(value)],
  ['none', () => ''],
  ['bullet', () => ''],
  ...['chineseCounting', 'chineseCountingThousand', 'japaneseCounting', 'koreanCounting'].map(
    name => [name, chinese] as const,
  ),
  ['taiwaneseCountingThousand', chinese],
]);

/** Formats of other names are printed in digits. */
export const numberText = (format: string, value: number): string =>
  (FORMATS.get(format) ?? String)(value);
