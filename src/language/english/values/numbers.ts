/** Finds numbers with the units that stand behind them, and units that a section states. */
import { UNITS } from './units.ts';

export interface NumberSpan {
  /** The number with its unit, as written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly unit: Unit | undefined;
  readonly isVersion: boolean;
}
export type Unit = 'time' | 'bytes' | 'percent';

const WORDS =
  'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|sixty|hundred';
const NUMBER = new RegExp(
  String.raw`(?<![\w.#/:@$%^-])(?<num>[vV]?\d+(?:[,_]\d{3})*(?:\.\d+)*(?:\.x)?|(?:${WORDS}|one(?!\sof\b))(?=\s\p{L}))(?<mult>[KMG](?![\p{L}\d]))?(?:\s?[-]?\s?(?:(?<time>${UNITS.time}|${UNITS.shortTime})|(?<bytes>${UNITS.bytes})|(?<percent>${UNITS.percent}))(?![\p{L}\d]))?(?<plus>\+)?(?![\w/-]|\.\d)`,
  'giu',
);

export function findNumbers(text: string): NumberSpan[] {
  return [...text.matchAll(NUMBER)].map(match => {
    const { num = '', time, bytes, percent } = match.groups!;
    const unit: Unit | undefined =
      time !== undefined
        ? 'time'
        : bytes !== undefined
          ? 'bytes'
          : percent !== undefined
            ? 'percent'
            : undefined;
    return {
      text: match[0].trim(),
      start: match.index,
      end: match.index + match[0].length,
      unit,
      isVersion: unit === undefined && /^v|\d\.\d+\.|\.x$/iu.test(num),
    };
  });
}

/** Units that a text states for a number elsewhere: "the number of seconds", "in bytes". */
export function statedUnit(text: string, unit: Unit): string | undefined {
  const words = unit === 'time' ? TIME_WORDS : BYTE_WORDS;
  const match = new RegExp(String.raw`\b(?:number of|in|how many|\()\s*(${words})\b`, 'iu').exec(
    text,
  );
  return match?.[1]?.toLowerCase();
}
const TIME_WORDS = 'milliseconds|microseconds|seconds|minutes|hours|days|ms|secs';
const BYTE_WORDS = 'bytes|kilobytes|megabytes|gigabytes|kb|mb|kib|mib';
