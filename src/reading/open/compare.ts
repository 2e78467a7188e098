/** Computes comparisons over values that are read from the passages of two or more things. */
import { wholeNames } from './canonical-names.ts';
import { countryNamed, countryOfAdjective } from './demonyms.ts';
import { findMentions } from './mentions.ts';
import { aligned, type OpenReading, type OpenSentence, sameName, stemsOf } from './passages.ts';
import { relationNamed } from './question.ts';
import { statements } from './statements.ts';
import { compareTimes, findTimes, type TimeMention } from './time-values.ts';

/** A thing that the question compares. */
export interface Compared {
  readonly text: string;
  /** Passages about it. */
  readonly passages: readonly number[];
}

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
/** Relations from a work to a person whose values are compared. */
const VIA: readonly string[] = [
  'director',
  'performer',
  'composer',
  'author',
  'producer',
  'founder',
  'father',
  'mother',
  'spouse',
];
const DIFFERENT = /\bdifferent\b|\bunlike\b/iu;
const SAME = /\b(?:same|share|shared|both|similar|in common)\b/iu;

/** Returns the things that "A or B" or "A and B" in a question names; fewer than two if unclear. */
export function comparedThings(reading: OpenReading, joiner: 'or' | 'and'): Compared[] {
  const { text } = reading.asked;
  const joined = new RegExp(
    String.raw`^["”’')\]]*,?(?: or| and)? *(?:the )?(?:film |movie |song |director )*(?:of )?(?:the )?(?:film |movie |song )?["“‘']?$|^[^.?]{0,40}\b${joiner}\b[^.?]{0,40}$`,
    'iu',
  );
  const spans = distinctSpans(reading);
  for (let first = 0; first + 1 < spans.length; first++) {
    const run = [spans[first]!];
    for (const next of spans.slice(first + 1)) {
      if (!joined.test(text.slice(run.at(-1)!.end, next.start))) break;
      run.push(next);
    }
    const between = text.slice(run[0]!.end, run.at(-1)!.start);
    if (run.length >= 2 && new RegExp(String.raw`\b${joiner}\b`, 'iu').test(between)) return run;
  }
  if (joiner === 'and' && spans.length === 2) return spans;
  return textualThings(reading, joiner);
}

interface Spanned extends Compared {
  readonly start: number;
  readonly end: number;
}

function distinctSpans({ anchors, asked }: OpenReading): Spanned[] {
  const spans = Map.groupBy(anchors, ({ start, end }) => `${start} ${end}`);
  return [...spans.values()].map(own => ({
    start: own[0]!.start,
    end: own[0]!.end,
    text: asked.text.slice(own[0]!.start, own[0]!.end),
    passages: own.map(({ passage }) => passage),
  }));
}

/** Finds the names on both sides of the joiner. */
function textualThings(reading: OpenReading, joiner: 'or' | 'and'): Compared[] {
  const { text } = reading.asked;
  const at = text.search(new RegExp(String.raw`\s${joiner}\s`, 'u'));
  if (at < 0) return [];
  const names = findMentions(text).filter(({ kind }) => kind === 'name' || kind === 'quote');
  const end = at + joiner.length + 2;
  const left = names
    .filter(name => at - name.end >= 0 && at - name.end <= 3)
    .sort((a, b) => a.start - b.start);
  const right = names
    .filter(name => name.start >= end && name.start - end <= 6)
    .sort((a, b) => b.end - a.end);
  return [left[0], right[0]].flatMap(name =>
    name ? [{ text: name.text, passages: passagesNamed(reading, name.text) }] : [],
  );
}

/** Returns the passages with the name as their title, else those whose sentences have it. */
function passagesNamed({ passages, joint }: OpenReading, name: string): number[] {
  const titled = [...passages.keys()].filter(index => sameName(passages[index]!.bare, name));
  if (titled.length > 0) return titled;
  const key = joint.names.key(name);
  return [...passages.keys()].filter(index =>
    passages[index]!.sentences.some(({ mentions }) =>
      wholeNames(mentions).some(({ text }) => joint.names.key(text) === key),
    ),
  );
}

/** A value with the sentence that states it. */
export interface ReadTime {
  readonly time: TimeMention;
  readonly sentence: number;
}

/** Returns the passages of the persons that the question goes through, or the thing's own. */
export function throughPassages(reading: OpenReading, thing: Compared): readonly number[] {
  const { steps, passages, links } = reading;
  const via = steps
    .filter(({ relation }) => VIA.includes(relation.name))
    .map(({ relation }) => relation);
  if (via.length === 0) return thing.passages;
  const targets = thing.passages.flatMap(own =>
    passages[own]!.sentences.flatMap(sentence => {
      const states = statements(sentence, via);
      return links
        .filter(
          ({ sentence: index, mention }) =>
            index === sentence.index &&
            states.some(
              each => each.mention.start < mention.end && mention.start < each.mention.end,
            ),
        )
        .map(({ to }) => to);
    }),
  );
  if (targets.length > 0) return [...new Set(targets)];
  const isVia = (name: string): boolean =>
    thing.passages.some(own =>
      passages[own]!.sentences.some(sentence =>
        statements(sentence, via).some(each => each.mention.text === name),
      ),
    );
  const named = [...passages.keys()].filter(
    index => !thing.passages.includes(index) && isVia(passages[index]!.bare),
  );
  return named.length > 0 ? named : thing.passages;
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

export interface Comparison {
  /** Index of the winning thing; undefined if the values do not tell. */
  readonly winner: number | undefined;
  readonly sentences: readonly number[];
}

/** Compares the things by the time that the question asks for. */
export function compareThings(reading: OpenReading, things: readonly Compared[]): Comparison {
  const { text } = reading.asked;
  const attribute = ATTRIBUTES.find(({ asks }) => asks.test(text));
  const unknown: Comparison = { winner: undefined, sentences: [] };
  if (!attribute) return compareNumbers(reading, things);
  const through = things.map(thing => throughPassages(reading, thing));
  if (attribute.relations[0] === 'life') return compareLives(reading, through);
  const later = LATER.test(text);
  const read = through.map(passages => {
    for (const relation of attribute.relations) {
      const time = timeOf(reading, passages, relation);
      if (time) return time;
    }
    return undefined;
  });
  if (read.includes(undefined)) return unknown;
  const times = read as ReadTime[];
  const order = [...times.keys()].sort(
    (a, b) => (later ? -1 : 1) * compareTimes(times[a]!.time, times[b]!.time),
  );
  return compareTimes(times[order[0]!]!.time, times[order[1]!]!.time) === 0
    ? unknown
    : { winner: order[0]!, sentences: times.map(({ sentence }) => sentence) };
}

const MORE =
  /\b(?:more|most|larger|largest|bigger|biggest|longer|longest|taller|tallest|higher|highest|greater|greatest|deeper|deepest)\b/iu;
const FEWER = /\b(?:fewer|fewest|less|least|smaller|smallest|shorter|shortest|lower|lowest)\b/iu;
const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(
  ' ',
);
const SCALES: Readonly<Record<string, number>> = {
  hundred: 1e2,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
};
/** Characters after a number in which its unit stands. */
const UNIT = 30;

/** Compares the things by numbers that stand before a word of the question: "22 species". */
function compareNumbers(reading: OpenReading, things: readonly Compared[]): Comparison {
  const { text } = reading.asked;
  const fewer = FEWER.test(text);
  if (!fewer && !MORE.test(text)) return { winner: undefined, sentences: [] };
  const read = things.map(({ passages }) => {
    for (const index of passages)
      for (const sentence of reading.passages[index]!.sentences)
        for (const mention of sentence.mentions) {
          if (mention.kind !== 'number') continue;
          const unit = stemsOf(sentence.text.slice(mention.end, mention.end + UNIT));
          const value = numberIn(mention.text);
          if (value !== undefined && [...unit].some(stem => reading.unbound.has(stem)))
            return { value, sentence: sentence.index };
        }
    return undefined;
  });
  const known = read.filter(one => one !== undefined);
  if (known.length < things.length) return { winner: undefined, sentences: [] };
  const order = [...known.keys()].sort(
    (a, b) => (fewer ? 1 : -1) * (known[a]!.value - known[b]!.value),
  );
  const tied = known[order[0]!]!.value === known[order[1]!]!.value;
  return {
    winner: tied ? undefined : order[0]!,
    sentences: known.map(({ sentence }) => sentence),
  };
}

function numberIn(text: string): number | undefined {
  const [first, scale] = text.toLowerCase().split(' ');
  const word = NUMBER_WORDS.indexOf(first!);
  const value = word >= 0 ? word : Number(first!.replace(/[$£€,]/g, ''));
  return Number.isFinite(value) ? value * (SCALES[scale ?? ''] ?? 1) : undefined;
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
  if (lives.includes(undefined) || !LATER_LIFE.test(reading.asked.text))
    return { winner: undefined, sentences: [] };
  const known = lives as { years: number; sentence: number }[];
  const order = [...known.keys()].sort((a, b) => known[b]!.years - known[a]!.years);
  return {
    winner: known[order[0]!]!.years === known[order[1]!]!.years ? undefined : order[0]!,
    sentences: known.map(({ sentence }) => sentence),
  };
}

/** Returns the countries that the first sentences that name any name, in order. */
export function countriesOf(
  sentences: readonly OpenSentence[],
): { readonly countries: readonly string[]; readonly sentence: number } | undefined {
  for (const sentence of sentences) {
    const countries = sentence.mentions.flatMap(({ kind, text }) =>
      kind === 'adjective'
        ? (countryOfAdjective(text) ?? [])
        : kind === 'name'
          ? (countryNamed(text) ?? [])
          : [],
    );
    if (countries.length > 0)
      return { countries: [...new Set(countries)], sentence: sentence.index };
  }
  return undefined;
}

export const asksDifferent = (text: string): boolean => DIFFERENT.test(text);
export const asksSame = (text: string): boolean => SAME.test(text);
export const foldedName = (text: string): string => aligned(text);
export { stemsOf };
