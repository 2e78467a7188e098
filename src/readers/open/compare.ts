/** Computes comparisons over values that are read from the passages of two or more things. */

import { relationNamed } from '../../language/english/relations/relation-steps.ts';
import { statements } from '../../language/english/relations/statements.ts';
import { compareTimes, findTimes, type TimeMention } from '../../language/english/values/dates.ts';
import { type Comparison, compareNumbers, firstOf, UNKNOWN } from './compare-numbers.ts';
import { type Compared, throughPassages } from './compared-things.ts';
import type { OpenReading } from './reading.ts';

/** Times that questions compare by, and the relations that state them, the first known wins. */
const ATTRIBUTES: readonly { readonly asks: RegExp; readonly relations: readonly string[] }[] = [
  { asks: /\blived? longer\b|\blongest\b/iu, relations: ['life'] },
  { asks: /\b(?:died?|death|dead|passed away)\b/iu, relations: ['date of death'] },
  {
    asks: /\b(?:born|birth|birthday|older|younger|elder|oldest|youngest|age)\b/iu,
    relations: ['date of birth', 'date of founding', 'date of release'],
  },
  {
    asks: /\b(?:released?|came out|come out|published|premiered?|aired|debut(?:ed)?|issued)\b/iu,
    relations: ['date of release', 'date of founding'],
  },
  {
    asks: /\b(?:founded|established|formed|started|began|begin|launched|created|opened|built|constructed|completed|first|earlier|later|recent(?:ly)?|before|longer)\b/iu,
    relations: ['date of founding', 'date of release', 'date of birth'],
  },
];
const LATER =
  /\b(?:later|younger|youngest|most recent(?:ly)?|more recent(?:ly)?|last|latest|newer|newest|second)\b/iu;
const LATER_LIFE = /\blonger\b/iu;
/** A value with the sentence that states it. */
interface ReadTime {
  readonly time: TimeMention;
  readonly sentence: number;
}

function timeOf(
  reading: OpenReading,
  passages: readonly number[],
  relation: string,
): ReadTime | undefined {
  for (const index of passages)
    for (const lead of [true, false])
      for (const sentence of reading.passages[index]!.sentences)
        for (const state of statements(sentence, [relationNamed(relation)]))
          if (state.lead === lead) {
            const time = findTimes(state.mention.text)[0];
            if (time) return { time, sentence: sentence.index };
          }
  return undefined;
}

/** Compares the things by the time that the question asks for. */
export function compareThings(reading: OpenReading, things: readonly Compared[]): Comparison {
  const { text } = reading.asked;
  const attribute = ATTRIBUTES.find(({ asks }) => asks.test(text));
  if (!attribute) return compareNumbers(reading, things);
  const through = things.map(thing => throughPassages(reading, thing));
  if (attribute.relations[0] === 'life') return compareLives(reading, through);
  const later = LATER.test(text);
  const stated = through.map(passages => {
    for (const relation of attribute.relations) {
      const time = timeOf(reading, passages, relation);
      if (time) return time;
    }
    return undefined;
  });
  const loose = stated.includes(undefined);
  const read = stated.map((time, index) => time ?? firstTime(reading, through[index]!));
  const times = read.filter(time => time !== undefined);
  if (times.length < things.length) return UNKNOWN;
  const winner = firstOf(times, (a, b) => (later ? -1 : 1) * compareTimes(a.time, b.time));
  const sentences = times.map(({ sentence }) => sentence);
  return winner === undefined ? UNKNOWN : { winner, loose, sentences };
}

/** Returns the first time that the passages mention. */
function firstTime(reading: OpenReading, passages: readonly number[]): ReadTime | undefined {
  for (const index of passages)
    for (const { text, index: sentence } of reading.passages[index]!.sentences) {
      const time = findTimes(text)[0];
      if (time) return { time, sentence };
    }
  return undefined;
}

function compareLives(reading: OpenReading, through: readonly (readonly number[])[]): Comparison {
  const lives = through.map(passages => {
    const born = timeOf(reading, passages, 'date of birth');
    const died = timeOf(reading, passages, 'date of death');
    return born && died
      ? {
          years: died.time.year - born.time.year + (died.time.month - born.time.month) / 12,
          sentence: died.sentence,
        }
      : undefined;
  });
  const known = lives.filter(life => life !== undefined);
  if (known.length < lives.length || !LATER_LIFE.test(reading.asked.text)) return UNKNOWN;
  return {
    winner: firstOf(known, (a, b) => b.years - a.years),
    sentences: known.map(({ sentence }) => sentence),
  };
}
