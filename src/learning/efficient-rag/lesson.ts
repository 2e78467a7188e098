/**
 * What one question teaches the lite classifiers: a query a level, the words to mark in each gold
 * paragraph, and the words that make the next query (sheet 9).
 */
import { type ReadSentence, readSentence } from '../../models/efficient-rag/filter-features.ts';
import { readWords, type Word } from '../../models/efficient-rag/words.ts';
import type { TrainingQuestion } from '../training-question.ts';
import { align, placeOf } from './align.ts';
import { type ResolvedStep, resolvedSteps } from './resolved-steps.ts';

export interface LessonChunk {
  /** Place of the paragraph among the question's. */
  readonly paragraph: number;
  /** One a word of its text; undefined: not known which words are useful. */
  readonly labels: readonly boolean[] | undefined;
  /** The labelled words. */
  readonly info: string;
}

export interface LessonRound {
  readonly query: string;
  readonly chunks: readonly LessonChunk[];
  /** No round comes after it. */
  readonly last: boolean;
}

/** One a word of the sentence, those of the query first. */
export interface LessonSentence {
  readonly query: string;
  readonly infos: readonly string[];
  readonly labels: readonly boolean[];
}

export interface Lesson {
  readonly rounds: readonly LessonRound[];
  readonly sentences: readonly LessonSentence[];
}

/** No rounds: the data do not say how the question is resolved. */
export function lessonOf(question: TrainingQuestion): Lesson {
  const steps = resolvedSteps(question);
  const rounds: LessonRound[] = [];
  const sentences: LessonSentence[] = [];
  let query = question.text;
  const deepest = Math.max(-1, ...steps.map(({ level }) => level));
  for (let level = 0; level <= deepest; level++) {
    const here = steps.filter(step => step.level === level);
    const places = [...new Set(here.map(({ paragraph }) => paragraph))];
    const chunks = places.map(place =>
      chunkOf(
        question,
        place,
        here.filter(({ paragraph }) => paragraph === place),
      ),
    );
    rounds.push({ query, chunks, last: level === deepest });
    if (level === deepest) break;
    const sentence = sentenceOf(
      query,
      chunks.map(({ info }) => info),
      here,
    );
    if (sentence === undefined) break;
    sentences.push(sentence);
    query = queryOf(sentence);
  }
  return { rounds, sentences };
}

/** Subject and object as they stand in the paragraph, aligned. */
function chunkOf(
  { paragraphs }: TrainingQuestion,
  paragraph: number,
  steps: readonly ResolvedStep[],
): LessonChunk {
  const words = readWords(paragraphs[paragraph]!.text);
  const found = steps
    .flatMap(({ subject, object }) => [subject, object])
    .map(text => readWords(text))
    .flatMap(sought => {
      const at = placeOf(words, sought);
      return at === undefined ? [] : [{ at, words: words.slice(at, at + sought.length) }];
    })
    .sort((a, b) => a.at - b.at);
  const objects = steps.filter(({ object }) => placeOf(words, readWords(object)) !== undefined);
  if (objects.length === 0) return { paragraph, labels: undefined, info: '' };
  const labels = align(
    words,
    found.flatMap(each => each.words),
  );
  return { paragraph, labels, info: textOf(words.filter((_, index) => labels[index])) };
}

const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');

/**
 * The rule of section 9: subject and relation are dropped from the query, the objects appended.
 * Undefined where an object is not in the infos.
 */
export function sentenceOf(
  query: string,
  infos: readonly string[],
  steps: readonly ResolvedStep[],
): LessonSentence | undefined {
  const sentence = readSentence(query, infos);
  const dropped = resolvedWords(sentence.query, steps);
  const labels = sentence.query.map((_, index) => !dropped.has(index));
  let found = 0;
  const marked = sentence.infos.map(words => {
    const own = words.map(() => false);
    for (const { object } of steps) {
      const sought = readWords(object);
      const at = placeOf(words, sought);
      if (at === undefined) continue;
      found++;
      own.fill(true, at, at + sought.length);
    }
    return own;
  });
  return found === 0 ? undefined : { query, infos, labels: [...labels, ...marked.flat()] };
}

/** The kept words in order. */
export function queryOf({ query, infos, labels }: LessonSentence): string {
  const sentence = readSentence(query, infos);
  return textOf(wordsOf(sentence).filter((_, index) => labels[index]));
}

export const wordsOf = ({ query, infos }: ReadSentence): Word[] => [...query, ...infos.flat()];

/**
 * How many words may stand between a subject and its relation, to be dropped with them: "director
 * of the film X".
 */
const BRIDGED = 3;

/** Places of the words of subjects and relations, and of the few words between the two. */
function resolvedWords(query: readonly Word[], steps: readonly ResolvedStep[]): Set<number> {
  const dropped = new Set<number>();
  for (const { subject, relation, object } of steps) {
    const kept = new Set(readWords(object).map(({ stem }) => stem));
    const sought = new Set(
      readWords(`${subject} . ${relation}`)
        .filter(({ stop, stem }) => !stop && !kept.has(stem))
        .map(({ stem }) => stem),
    );
    const places = query.flatMap(({ stem, stop }, index) =>
      !stop && sought.has(stem) ? [index] : [],
    );
    for (const [index, place] of places.entries()) {
      const next = places[index + 1];
      dropped.add(place);
      if (next !== undefined && next - place <= BRIDGED)
        for (let at = place; at < next; at++) dropped.add(at);
    }
  }
  return dropped;
}
