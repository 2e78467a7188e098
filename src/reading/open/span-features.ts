/** Computes features of the spans that may answer an open question. */
import { stemOf } from '../../text/stems.ts';
import { FeatureList, type Features } from '../fact-reader/features.ts';
import { isNameLike } from './canonical-names.ts';
import { countryNamed } from './demonyms.ts';
import type { Mention, MentionKind } from './mentions.ts';
import { nounStems } from './name-kinds.ts';
import { type OpenReading, type OpenSentence, sameName, stemsOf } from './passages.ts';
import type { AskedKind } from './question.ts';
import { verbStems } from './verb-forms.ts';

export interface SpanCandidate {
  readonly text: string;
  readonly sentence: number;
  readonly mention: Mention;
  readonly features: Features;
}

/** Kinds of spans that can answer each kind of question. */
const ANSWERING: Readonly<Record<AskedKind, readonly MentionKind[]>> = {
  person: ['name', 'quote'],
  place: ['name', 'adjective'],
  time: ['time', 'name'],
  number: ['number', 'time'],
  nationality: ['adjective', 'name'],
  verdict: ['name', 'noun', 'quote', 'time', 'number'],
  thing: ['name', 'noun', 'quote', 'adjective', 'number', 'time'],
};
const CALENDAR =
  /^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December)$/u;
const WINDOW = 60;
const FULL_DATE = /\p{L}+.*\d{3,4}$|^\d{1,2} \p{L}+/u;
const ORGANISATION =
  /\b(?:Inc|Corp|Company|University|College|School|Records|Pictures|Studios?|League|Association|Party|Museum|County|City|Club|Band|Island|River|Award|Church|Films?|Entertainment|Festival)\b/u;

export function spanCandidates(reading: OpenReading): SpanCandidate[] {
  const { asked, sentences } = reading;
  const allowed = new Set(ANSWERING[asked.kind]);
  const counts = countsOf(sentences);
  const questionStems = stemsOf(asked.text);
  const lower = asked.text.toLowerCase();
  return sentences.flatMap(sentence => {
    const shared = sentenceFeatures(reading, sentence);
    return sentence.mentions
      .filter(({ kind }) => allowed.has(kind))
      .map(mention => ({
        text: mention.text,
        sentence: sentence.index,
        mention,
        features: featuresOf(reading, sentence, mention, { shared, counts, questionStems, lower }),
      }));
  });
}

function countsOf(sentences: readonly OpenSentence[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { mentions } of sentences)
    for (const text of new Set(mentions.map(mention => mention.text.toLowerCase())))
      counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

interface Shared {
  readonly shared: Features;
  readonly counts: ReadonlyMap<string, number>;
  readonly questionStems: ReadonlySet<string>;
  readonly lower: string;
}

/** Returns the features that all spans of a sentence share. */
function sentenceFeatures(reading: OpenReading, sentence: OpenSentence): Features {
  const features = new FeatureList();
  const { reach, unbound, passages, steps } = reading;
  const { distance, strength, used } = reach[sentence.passage]!;
  features.add(`reach:${distance}`, 1);
  features.add('reach:strength', strength);
  features.add(`reach:left:${Math.min(3, steps.length - used)}`, 1);
  features.add(`steps:${Math.min(3, steps.length)}:reach:${distance}`, 1);
  const total = [...unbound.values()].reduce((sum, weight) => sum + weight, 0);
  const share = (stems: ReadonlySet<string>): number =>
    total === 0
      ? 0
      : [...unbound].reduce((sum, [stem, weight]) => (stems.has(stem) ? sum + weight : sum), 0) /
        total;
  features.add('similar:sentence', share(sentence.stems));
  const whole = new Set(passages[sentence.passage]!.sentences.flatMap(({ stems }) => [...stems]));
  features.add('similar:passage', share(whole));
  const sought = [...reading.asking].filter(([stem]) => unbound.has(stem));
  const wanted = sought.reduce((sum, [stem, weight]) => sum + weight * unbound.get(stem)!, 0);
  const askedIn = (stems: ReadonlySet<string>): number =>
    wanted === 0
      ? 0
      : sought.reduce(
          (sum, [stem, weight]) => (stems.has(stem) ? sum + weight * unbound.get(stem)! : sum),
          0,
        ) / wanted;
  features.add('asking:sentence', askedIn(sentence.stems));
  features.add('asking:passage', askedIn(whole));
  const { alone, byBridge } = reading.joint.joints[sentence.index]!;
  features.add('joint:alone', alone);
  features.add('joint:chain', Math.max(alone, ...byBridge.values()));
  features.add('first sentence', sentence.place === 0);
  features.add('passage:rank', Math.log2(1 + sentence.passage) / 3);
  return features.values;
}

function featuresOf(
  reading: OpenReading,
  sentence: OpenSentence,
  mention: Mention,
  { shared, counts, questionStems, lower }: Shared,
): Features {
  const features = new FeatureList();
  for (const [name, value] of shared) features.add(name, value);
  const { kind } = reading.asked;
  const add = (name: string, value: number | boolean): void => features.add(name, value);
  add(`${kind}:${mention.kind}`, 1);
  const words = mention.text.split(/\s+/).length;
  add(`words:${mention.kind}:${Math.min(5, words)}`, 1);
  const stems = [...stemsOf(mention.text)];
  const asked = stems.filter(stem => questionStems.has(stem)).length / Math.max(1, stems.length);
  add('in question', lower.includes(mention.text.toLowerCase()));
  add('in question:share', asked);
  add('in question:all', asked === 1 && stems.length > 0);
  const inner = sentence.mentions.some(
    other =>
      other !== mention &&
      other.start <= mention.start &&
      mention.end <= other.end &&
      (other.kind === mention.kind || other.kind === 'quote'),
  );
  add(`inner:${mention.kind}`, inner);
  add('count', Math.log2(counts.get(mention.text.toLowerCase()) ?? 1));
  typeFeatures(reading, sentence, mention, add);
  relationFeatures(reading, sentence, mention, add);
  bridgeFeatures(reading, sentence, mention, add);
  contextFeatures(reading, sentence, mention, add);
  return features.values;
}

type Add = (name: string, value: number | boolean) => void;

/** Adds how well the span is of the kind that the question asks for. */
function typeFeatures(
  reading: OpenReading,
  sentence: OpenSentence,
  mention: Mention,
  add: Add,
): void {
  const { asked, passages, reach, links } = reading;
  const { kind, head } = asked;
  const { text } = mention;
  const own = mention.kind === 'name' && sameName(text, passages[sentence.passage]!.bare);
  add('own', own);
  add(`own:${kind}`, own);
  const target = links.find(
    link =>
      link.sentence === sentence.index &&
      link.mention.start < mention.end &&
      mention.start < link.mention.end,
  );
  const about = own ? passages[sentence.passage]! : target && passages[target.to]!;
  if (target) {
    add(`target:${reach[target.to]!.distance}`, 1);
    add('target:strength', reach[target.to]!.strength);
  }
  const lead = about?.sentences.find(({ place }) => place === 0);
  if (lead) {
    add(
      'head:lead',
      [...head].some(stem => lead.stems.has(stem)),
    );
    add('head:lead:missing', head.size > 0 && ![...head].some(stem => lead.stems.has(stem)));
    const person = /\b(?:born|he|she|his|her)\b/iu.test(lead.text);
    add(`person:lead:${kind}`, person);
  }
  const last = stemOf(text.split(/\s+/).at(-1)!.toLowerCase());
  add('head:last', head.has(last));
  add(`calendar:${kind}`, CALENDAR.test(text));
  add('person:organisation', kind === 'person' && ORGANISATION.test(text));
  add('organisation', kind === 'thing' && ORGANISATION.test(text));
  kindFeatures(reading, mention, add);
  add(
    `country:${kind}:${head.has('country') || head.has('countri') || head.has('nation')}`,
    countryNamed(text) !== undefined,
  );
  if (mention.kind === 'time')
    add(`date:${FULL_DATE.test(text)}:${head.has('year') ? 'year' : kind}`, 1);
}

/** Adds what the evidence calls the name, and whether it is written as names of persons are. */
function kindFeatures({ asked, kinds, joint }: OpenReading, mention: Mention, add: Add): void {
  if (!isNameLike(mention)) return;
  const { kind, group } = asked;
  const known = kinds.get(joint.names.key(mention.text));
  const called = known?.called ?? new Set();
  const isHead = asked.noun !== '' && called.has(asked.noun);
  add('called:asked', isHead);
  add(`called:asked:${kind}`, isHead);
  add(
    'called:described',
    [...called].some(noun => asked.described.has(noun)),
  );
  const type = `${kind}:${group}`;
  add(`person name:${type}`, known?.person === true);
  add(`speaks:${type}`, known?.speaks === true);
  add(`place:${type}`, known?.place ?? 0);
  add(`personal:${type}`, known?.personal ?? 0);
  add(`role:${type}`, known?.role === true);
  add(`suffix:${type}`, ORGANISATION.test(mention.text));
  add(
    `named kind:${type}`,
    mention.text.split(/\s+/).length > 1 &&
      asked.noun !== '' &&
      nounStems(mention.text).has(asked.noun),
  );
}

/** Adds the relations that the question asks for and the span stands in. */
function relationFeatures(
  { steps, stated, reach, asked }: OpenReading,
  sentence: OpenSentence,
  mention: Mention,
  add: Add,
): void {
  const states = stated[sentence.index]!.filter(each => each.mention === mention);
  if (steps.length === 0) return;
  const final = steps.at(-1)!.relation;
  const { used, distance, strength } = reach[sentence.passage]!;
  const isFinal = states.find(({ relation }) => relation === final.name);
  add('final', isFinal !== undefined);
  add(`final:${asked.kind}`, isFinal !== undefined);
  add('final:lead', isFinal?.lead === true);
  add(`final:${final.name}`, isFinal !== undefined);
  add('final:reach', isFinal ? strength : 0);
  add(`final:distance:${distance}`, isFinal !== undefined);
  add('final:complete', isFinal !== undefined && used === steps.length - 1);
  const next = steps[Math.min(used, steps.length - 1)]!.relation.name;
  const isNext = states.some(({ relation }) => relation === next);
  add('next', isNext);
  add('next:reach', isNext ? strength : 0);
  add('stated', states.length > 0);
  add('other', states.length > 0 && !isFinal);
  add('cue', final.asks.test(sentence.text));
}

/** Adds how well chains support the span as an end, and as a bridge between their sentences. */
function bridgeFeatures(
  { joint, asked }: OpenReading,
  sentence: OpenSentence,
  mention: Mention,
  add: Add,
): void {
  const { alone, byBridge } = joint.joints[sentence.index]!;
  const key = isNameLike(mention) ? joint.names.key(mention.text) : '';
  const others = [...byBridge].filter(([name]) => name !== key).map(([, value]) => value);
  const end = Math.max(alone, ...others);
  add('joint:end', end);
  add('joint:gain', end - alone);
  const bridge = joint.bridges.get(key) ?? 0;
  add('joint:bridge', bridge);
  // A bridge answers a question for the thing that two facts are about, never one for what a thing
  // that is only described leads to.
  const form = asked.nested ? 'nested' : 'plain';
  add(`joint:bridge:${form}`, bridge);
  add(`joint:gain:${form}`, end - alone);
  add(`joint:bridge more:${form}`, Math.max(0, bridge - end));
  add('joint:bridges', bridge > 0);
  add('joint:bridge more', Math.max(0, bridge - end));
  add('joint:end more', bridge > 0 ? Math.max(0, end - bridge) : 0);
}

/** Adds the words around the span. */
function contextFeatures(
  { asked, unbound }: OpenReading,
  sentence: OpenSentence,
  mention: Mention,
  add: Add,
): void {
  const { text } = sentence;
  const left = text.slice(Math.max(0, mention.start - WINDOW), mention.start);
  const right = text.slice(mention.end, mention.end + WINDOW);
  const near = (words: readonly string[]): number => {
    let sum = 0;
    for (const [index, word] of words.entries()) {
      const weight = unbound.get(verbStems(word)[0]!);
      if (weight !== undefined) sum += weight * Math.exp(-index / 3);
    }
    return sum;
  };
  const wordsOf = (part: string): string[] => part.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const before = wordsOf(left).reverse();
  const following = wordsOf(right);
  add('near:left', near(before) / 3);
  add('near:right', near(following) / 3);
  add(`L:${asked.kind}:${before[0] ?? '^'}`, 1);
  add(`R:${asked.kind}:${following[0] ?? '$'}`, 1);
  add(`L:${mention.kind}:${/(\S)\s*$/u.exec(left)?.[1]?.replace(/[\p{L}\p{N}]/u, 'w') ?? '^'}`, 1);
  add(`R:${mention.kind}:${/^\s*(\S)/u.exec(right)?.[1]?.replace(/[\p{L}\p{N}]/u, 'w') ?? '$'}`, 1);
  add(
    'head:near',
    [...asked.head].some(stem =>
      before
        .slice(0, 5)
        .concat(following.slice(0, 5))
        .some(word => stemOf(word) === stem),
    ),
  );
  add('at start', mention.start === 0);
  const open = left.lastIndexOf('(') > left.lastIndexOf(')');
  add(`parenthesis:${asked.kind}`, open);
}
