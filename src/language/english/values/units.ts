/** Lists units of numbers by what they measure, and numbers in words. */

/** Seconds of each unit of time in the singular. */
export const SECONDS: Readonly<Record<string, number>> = {
  microsecond: 1e-6,
  ms: 1e-3,
  msec: 1e-3,
  millisecond: 1e-3,
  s: 1,
  sec: 1,
  second: 1,
  min: 60,
  minute: 60,
  h: 3600,
  hr: 3600,
  hour: 3600,
  day: 86_400,
  week: 604_800,
};

/** Alternatives of patterns of units. */
export const UNITS = {
  length:
    '(?:kilo|centi|milli)?met(?:er|re)s?|k?m|[cm]m|mi|miles?|feet|foot|ft|inch(?:es)?|yards?|fathoms?|nautical|hands|leagues?',
  time: 'seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|decades?|century|centuries',
  /** Abbreviations in technical texts: "1980s" holds none. */
  shortTime: 'ms|msecs?|milliseconds?|microseconds?|secs?|s|mins?|hrs?|h',
  bytes: '[kmgt]i?b|[kmgt]?bytes?|kilobytes?|megabytes?|gigabytes?|b',
  area: 'square|sq|acres?|hectares?|k?m2|km²|m²|sq\\.',
  money:
    'dollars?|pounds?|euros?|cents?|pence|crowns?|francs?|marks?|yen|rupees?|pesos?|roubles?|rubles?|USD|EUR|GBP',
  weight: '(?:kilo|milli)?gram(?:me)?s?|kg|g|tons?|tonnes?|pounds?|lbs?|ounces?|oz|stone|carats?',
  percent: '%|per ?cent',
  speed: 'km/h|kmh|mph|knots?|mach',
  temperature: '°|º|degrees?|[CFK]\\b|celsius|fahrenheit|kelvin',
  volume: 'lit(?:er|re)s?|gallons?|barrels?',
} as const;

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const SCALES: Readonly<Record<string, number>> = {
  hundred: 1e2,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
};
/** Alternatives of a pattern. */
export const SCALE: string = Object.keys(SCALES).join('|');

/** Returns the value of a number in digits or in words, with its scale: "$1,200", "two million". */
export function numberOf(text: string): number | undefined {
  const [first = '', scale = ''] = text.toLowerCase().split(' ');
  const word = WORDS.indexOf(first);
  const digits = first.replace(/[$£€,_]/g, '');
  const value = word >= 0 ? word : Number(digits === '' ? Number.NaN : digits);
  return Number.isFinite(value) ? value * (SCALES[scale] ?? 1) : undefined;
}
