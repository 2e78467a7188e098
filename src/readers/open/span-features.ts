/** Finds the spans that may answer an open question, with their features. */

import { isNameLike, nameKey, wholeNames } from '../../language/english/names/canonical-names.ts';
import {
  findMentions,
  type Mention,
  type MentionKind,
} from '../../language/english/names/mentions.ts';
import type { AskedKind } from '../../language/english/question/asked-question.ts';
import { COUNTS, hasUnit, unitsWanted } from '../../language/english/values/measures.ts';
import { stemsOf, wordStem } from '../../language/english/words/verb-forms.ts';
import { FeatureList, type Features } from '../features.ts';
import { bridgeFeatures, relationFeatures } from './chain-features.ts';
import { contextFeatures } from './context-features.ts';
import type { OpenSentence } from './open-sentence.ts';
import type { OpenReading } from './reading.ts';
import {
  bestShares,
  fitFeatures,
  type SentenceShares,
  sentenceShares,
} from './sentence-features.ts';
import { type TypedName, typeFeatures, typesIn } from './type-features.ts';

export interface SpanCandidate {
  readonly text: string;
  readonly sentence: number;
  readonly mention: Mention;
  /** 1 if its type is one that is asked for, -1 if it is another, 0 if unknown. */
  readonly match: number;
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

export function spanCandidates(reading: OpenReading): SpanCandidate[] {
  const { asked, sentences } = reading;
  const fits = answering(asked.text, asked.kind);
  const shares = sentences.map(sentence => sentenceShares(reading, sentence));
  const shared: Shared = {
    counts: countsOf(sentences),
    questionStems: stemsOf(asked.text),
    lower: asked.text.toLowerCase(),
    best: bestShares(shares),
    ofQuestion: questionFeatures(reading),
    heldNames: namesHeld(reading),
    stemOf: remembered(wordStem),
  };
  const typedOf = typesIn(reading);
  return sentences.flatMap((sentence, at) =>
    sentence.mentions
      .filter(mention => fits(sentence.text, mention))
      .map(mention => {
        const typed = typedOf(mention);
        return {
          text: mention.text,
          mention,
          sentence: sentence.index,
          match: typed.match,
          features: featuresOf(reading, sentence, { mention, typed, held: shares[at]! }, shared),
        };
      }),
  );
}

/** Returns the test for spans that can answer: of a fitting kind, and with the unit asked for. */
function answering(
  question: string,
  kind: AskedKind,
): (sentence: string, mention: Mention) => boolean {
  const units = unitsWanted(question);
  if (units) return (sentence, mention) => hasUnit(sentence, mention, units);
  if (COUNTS.test(question)) return (_, mention) => mention.kind === 'number';
  const allowed = new Set(ANSWERING[kind]);
  return (_, mention) => allowed.has(mention.kind);
}

function countsOf(sentences: readonly OpenSentence[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { mentions } of sentences)
    for (const text of new Set(mentions.map(mention => mention.text.toLowerCase())))
      counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Returns the function with its results kept: spans of a sentence share their words. */
function remembered(of: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return word => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const result = of(word);
    known.set(word, result);
    return result;
  };
}

/** Returns features of the question alone: they change how the network weighs others. */
function questionFeatures({ asked, steps, anchors }: OpenReading): string[] {
  const links = asked.text.match(LINKS)?.length ?? 0;
  return [
    ...[`asks:${asked.kind}`, `asks type:${asked.types[0] ?? ''}`, `asks nested:${asked.nested}`],
    ...[`asks steps:${Math.min(3, steps.length)}`, `asks anchors:${Math.min(3, anchors.length)}`],
    `asks links:${Math.min(4, links)}`,
  ];
}

/** Words by which a question describes one thing by another. */
const LINKS = /\b(?:of|that|which|who|whose|where|whom|by)\b/giu;

function namesHeld({ asked, sentences, passages }: OpenReading): number[] {
  const names = wholeNames(findMentions(asked.text)).map(({ text }) => nameKey(text));
  return sentences.map(({ text, passage }) => {
    const said = ` ${nameKey(text)} ${nameKey(passages[passage]!.title)} `;
    return names.length === 0
      ? 0
      : names.filter(name => said.includes(` ${name} `)).length / names.length;
  });
}

interface Shared {
  readonly counts: ReadonlyMap<string, number>;
  readonly questionStems: ReadonlySet<string>;
  readonly lower: string;
  readonly best: SentenceShares;
  readonly ofQuestion: readonly string[];
  /** By sentence, the share of the question's names that it holds. */
  readonly heldNames: readonly number[];
  readonly stemOf: (word: string) => string;
}

interface Span {
  readonly mention: Mention;
  readonly typed: TypedName;
  readonly held: SentenceShares;
}

function featuresOf(
  reading: OpenReading,
  sentence: OpenSentence,
  { mention, typed, held }: Span,
  { counts, questionStems, lower, best, ofQuestion, heldNames, stemOf }: Shared,
): Features {
  const features = new FeatureList();
  const { kind } = reading.asked;
  const { add } = features;
  fitFeatures(reading, sentence, { held, best, match: typed.match }, add);
  for (const name of ofQuestion) add(name, 1);
  const form = reading.asked.nested ? 'nested' : 'plain';
  add(`${form}:names`, heldNames[sentence.index]!);
  add(`${form}:reach:${reading.reach[sentence.passage]!.distance}`, 1);
  add(`${kind}:${mention.kind}`, 1);
  add(
    'abbreviated',
    isNameLike(mention) && reading.joint.names.key(mention.text) !== nameKey(mention.text),
  );
  const words = mention.text.split(/\s+/).length;
  add(`words:${mention.kind}:${Math.min(5, words)}`, 1);
  const stems = [...stemsOf(mention.text)];
  const asked = stems.filter(stem => questionStems.has(stem)).length / Math.max(1, stems.length);
  add('in question', lower.includes(mention.text.toLowerCase()));
  add('in question:share', asked);
  add('in question:all', asked === 1 && stems.length > 0);
  add(`inner:${mention.kind}`, isInner(sentence, mention));
  add('count', Math.log2(counts.get(mention.text.toLowerCase()) ?? 1));
  typeFeatures(reading, sentence, { mention, typed }, add);
  relationFeatures(reading, sentence, mention, add);
  bridgeFeatures(reading, sentence, mention, add);
  contextFeatures(reading, sentence, { mention, stemOf }, add);
  return features.values;
}

/** Returns true if the span stands in a longer one of its kind, or in a quotation. */
const isInner = ({ mentions }: OpenSentence, mention: Mention): boolean =>
  mentions.some(
    other =>
      other !== mention &&
      other.start <= mention.start &&
      mention.end <= other.end &&
      (other.kind === mention.kind || other.kind === 'quote'),
  );
