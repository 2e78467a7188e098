/** Lists measures that questions ask for, and the units that a number of each stands with. */
import type { Mention } from '../names/mentions.ts';
import { SCALE, UNITS } from './units.ts';

interface Measure {
  readonly asks: RegExp;
  /** Alternatives of a pattern of units after the number. */
  readonly units: readonly string[];
}

/** The first whose words a question has counts. */
const MEASURES: readonly Measure[] = [
  {
    asks: /\bhow (?:tall|high|deep|wide|far|thick)\b|\b(?:what|which)(?: \p{L}+){0,4} (?:height|depth|width|elevation|altitude|distance|snowfall|rainfall|diameter|wingspan)\b/iu,
    units: [UNITS.length],
  },
  {
    asks: /\bhow long\b|\b(?:what|which)(?: \p{L}+){0,3} length\b/iu,
    units: [UNITS.length, UNITS.time],
  },
  {
    asks: /\bhow heavy\b|\bhow much (?:does|did|do|can) .{1,60}\bweigh\b|\b(?:what|which)(?: \p{L}+){0,3} (?:weight|mass|tonnage)\b/iu,
    units: [UNITS.weight],
  },
  {
    asks: /\bhow fast\b|\b(?:what|which)(?: \p{L}+){0,3} (?:speed|velocity)\b/iu,
    units: [UNITS.speed, UNITS.length],
  },
  {
    asks: /\bhow (?:hot|cold|warm)\b|\b(?:what|which)(?: \p{L}+){0,4} temperature\b/iu,
    units: [UNITS.temperature],
  },
  {
    asks: /\b(?:what|which)(?: \p{L}+){0,2} (?:percentage|per ?cent|proportion|share)\b/iu,
    units: [UNITS.percent],
  },
  {
    asks: /\bhow much\b/iu,
    units: [
      ...[UNITS.money, UNITS.weight, UNITS.percent, UNITS.length, UNITS.area, UNITS.time],
      UNITS.volume,
    ],
  },
];

const COMPARED: readonly Measure[] = [
  {
    asks: /\b(?:taller|tallest|higher|highest|deeper|deepest|longer|longest|wider|widest|shorter|shortest|lower|lowest)\b/iu,
    units: [UNITS.length],
  },
  { asks: /\b(?:heavier|heaviest|lighter|lightest)\b/iu, units: [UNITS.weight] },
  {
    asks: /\b(?:larger|largest|bigger|biggest|smaller|smallest)\b/iu,
    units: [UNITS.area, UNITS.length],
  },
];

/** Words that may stand between a number and its unit: "3 to 4 metres", "6.8 long miles". */
const BETWEEN = String.raw`^[\s-]*(?:${SCALE})?[\s-]*`;

/** Returns the pattern of a number's unit that the question wants; undefined if it wants none. */
export const unitsWanted = (question: string): RegExp | undefined => unitsOf(MEASURES, question);

/** Returns the pattern of the unit by which the question compares: "taller". */
export const unitsCompared = (question: string): RegExp | undefined => unitsOf(COMPARED, question);

function unitsOf(measures: readonly Measure[], question: string): RegExp | undefined {
  const measure = measures.find(({ asks }) => asks.test(question));
  if (!measure) return undefined;
  const pattern = String.raw`${BETWEEN}(?:${measure.units.join('|')})(?![\p{L}\p{N}])`;
  return new RegExp(`${pattern}${notOtherDimension(question)}`, 'iu');
}

/** Words of one dimension each: what is "84 metres deep" does not say how tall it is. */
const DIMENSIONS: readonly (readonly string[])[] = [
  ['tall', 'high'],
  ['deep'],
  ['wide', 'broad'],
  ['long'],
  ['thick'],
];

/** Returns a pattern that refuses the words of dimensions other than the one that is asked for. */
function notOtherDimension(question: string): string {
  const asked = /\bhow (\p{L}+)/iu.exec(question)?.[1]?.toLowerCase() ?? '';
  if (!DIMENSIONS.flat().includes(asked)) return '';
  const others = DIMENSIONS.filter(words => !words.includes(asked)).flat();
  return String.raw`(?!\s+(?:${others.join('|')})\b)`;
}

const CURRENCY = /^[$£€¥]/u;
const COSTS = /dollars/;

/** Returns true if the number has such a unit, in its own text, before it or after it. */
export function hasUnit(sentence: string, mention: Mention, units: RegExp): boolean {
  if (mention.kind !== 'number' && mention.kind !== 'time') return false;
  const text = sentence.slice(mention.start);
  if (COSTS.test(units.source) && CURRENCY.test(text)) return true;
  const number = /^[$£€]?(?:\d[\d,.]*\d|\d)|^\p{L}+(?:-\p{L}+)?/u.exec(text)?.[0] ?? '';
  return units.test(text.slice(number.length));
}

/** A question for a count. */
export const COUNTS: RegExp = /\bhow many\b/iu;
