/** Finds numbers, versions and dates that may be the answer. */
import {
  findNumbers,
  type NumberSpan,
  statedUnit,
  type Unit,
} from '../../language/english/values/numbers.ts';
import { termOf, termsOf } from '../../language/english/words/terms.ts';
import { CLEAR, defaultsOf, type Found, LIKELY, type Place, POSSIBLE, plain } from './candidate.ts';

/** Numbers of a unit; a default without one has that of its section. */
export const measuresIn =
  (unit: Unit) =>
  ({ unit: { text, kind, said }, section }: Place): Found[] => {
    const stated = statedUnit(`${section.heading.at(-1) ?? ''}\n${section.text}`, unit);
    const numbers = said.numbers.filter(number => number.unit === unit);
    const defaults = defaultsOf({ text, kind }).flatMap((value): Found[] => {
      const number = findNumbers(value.text)[0];
      if (number === undefined || number.isVersion) return [];
      if (findNumbers(value.text).some(each => each.unit === unit)) return [value];
      if (number.unit !== undefined || number.start > 0) return [];
      return stated !== undefined
        ? [{ ...value, text: `${value.text} ${stated}` }]
        : [{ ...value, form: LIKELY }];
    });
    const within = ({ start }: NumberSpan): boolean =>
      defaults.some(value => value.start <= start && start < value.start + value.text.length);
    return [
      ...defaults,
      ...numbers.filter(number => !within(number)).map(each => plain(each.text, each.start, CLEAR)),
    ];
  };

/** Nouns of numbers without a unit. */
const UNITLESS = /\b(?:port|status|code|priority|thread|worker|retr(?:y|ie)|connection)s?\b/iu;

/** Counts: defaults, numbers before the noun that is asked for, and after its label. */
export function countsIn({ asked, unit: { text, kind, said } }: Place): Found[] {
  const nouns = new Set([...termsOf(asked.noun)]);
  const unitless = UNITLESS.test(asked.noun);
  const defaults = defaultsOf({ text, kind }).filter(
    ({ text: value }) => /^\(?\d/u.test(value) || isWordNumber(value),
  );
  const numbers = said.numbers.filter(
    ({ isVersion, start }) =>
      !isVersion && !defaults.some(value => Math.abs(value.start - start) < 2),
  );
  return [
    ...defaults.map(value => {
      const hasUnit = findNumbers(value.text).some(number => number.unit !== undefined);
      return hasUnit ? { ...value, form: unitless ? 0 : LIKELY } : value;
    }),
    ...numbers.map(({ text: number, start, end, unit }) => {
      const behind = text.slice(end, end + 30).match(/[\p{L}]+/gu) ?? [];
      const before = text.slice(Math.max(0, start - 30), start).match(/[\p{L}]+/gu) ?? [];
      const near = [...behind.slice(0, 3), ...before.slice(-3)].some(word =>
        nouns.has(termOf(word)),
      );
      const form = unit === undefined ? POSSIBLE : 0;
      return plain(number, start, near ? CLEAR : kind === 'code' ? form / 2 : form);
    }),
  ];
}

const isWordNumber = (value: string): boolean =>
  /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|unlimited|infinity|none|no limit)\b/iu.test(
    value,
  );

/** Versions, clear behind the name of what is asked for: "Python 3.11". */
export function versionsIn({ asked, unit: { text, kind, said } }: Place): Found[] {
  const nouns = new Set([...termsOf(asked.noun)]);
  return said.numbers
    .filter(
      ({ unit, text: number }) =>
        unit === undefined && /^v?\d+(?:\.\d+)*(?:\.x)?\+?$/iu.test(number),
    )
    .map(({ text: number, start }) => {
      const before = text.slice(Math.max(0, start - 30), start).match(/[\p{L}.]+/gu) ?? [];
      const near = before.slice(-2).some(word => nouns.has(termOf(word.replace(/\W/gu, ''))));
      const looks = /\.\d/u.test(number) || /^v/iu.test(number);
      const form = near && kind !== 'code' ? CLEAR : looks ? LIKELY : 0.2;
      return plain(number, start, form);
    });
}

export function datesIn({ asked, unit: { text, said } }: Place): Found[] {
  const year = /year/iu.test(asked.noun);
  const dates = said.dates.map(({ start, end }) => plain(text.slice(start, end), start, CLEAR));
  const years = [...text.matchAll(/(?<![\w.#/-])(?:19|20)\d\d(?![\w-]|\.\d)/gu)].map(match =>
    plain(match[0], match.index, year ? CLEAR : POSSIBLE),
  );
  return [...dates, ...years];
}
