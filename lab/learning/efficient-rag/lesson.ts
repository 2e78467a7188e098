/**
 * Derives from a question the training examples of the lite classifiers: a query per level, the
 * words to mark in each gold paragraph, and the words that form the next query.
 */
import {
  type ReadSentence,
  readSentence,
} from '../../../src/models/efficient-rag/filter-features.ts';
import { readWords, type Word } from '../../../src/models/efficient-rag/words.ts';
import type { TrainingQuestion } from '../training-question.ts';
import { align, placeOf } from './align.ts';
import { type ResolvedStep, resolvedSteps } from './resolved-steps.ts';

export interface LessonChunk {
  /** Index of the paragraph among the question's. */
  readonly paragraph: number;
  /** One label per word of its text; undefined if the useful words are unknown. */
  readonly labels: readonly boolean[] | undefined;
  /** The labelled words. */
  readonly info: string;
}

export interface LessonRound {
  readonly query: string;
  readonly chunks: readonly LessonChunk[];
  /** True if no round follows. */
  readonly last: boolean;
}

/** A query with marked texts, with one label per word, those of the query first. */
export interface LessonSentence {
  readonly query: string;
  readonly infos: readonly string[];
  readonly labels: readonly boolean[];
}

export interface Lesson {
  readonly rounds: readonly LessonRound[];
  readonly sentences: readonly LessonSentence[];
}

/**
 * Returns the lesson of a question; it has no rounds if the data do not state how the question is
 * resolved.
 */
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

/** Aligns subject and object with their occurrences in the paragraph. */
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
 * Labels the words of the next query: drops subject and relation from the query, and appends the
 * objects. Returns undefined if no object is among the marked texts.
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
    const marked = words.map(() => false);
    for (const { object } of steps) {
      const sought = readWords(object);
      const at = placeOf(words, sought);
      if (at === undefined) continue;
      found++;
      marked.fill(true, at, at + sought.length);
    }
    return marked;
  });
  return found === 0 ? undefined : { query, infos, labels: [...labels, ...marked.flat()] };
}

/** Returns the words that are labelled true, in order. */
export function queryOf({ query, infos, labels }: LessonSentence): string {
  const sentence = readSentence(query, infos);
  return textOf(wordsOf(sentence).filter((_, index) => labels[index]));
}

export const wordsOf = ({ query, infos }: ReadSentence): Word[] => [...query, ...infos.flat()];

/**
 * Most words between a subject and its relation that are dropped with them: "director of the film
 * X".
 */
const MAX_BRIDGED = 3;

/**
 * Returns the positions of the words of subjects and relations, and of the few words between them.
 */
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
      if (next !== undefined && next - place <= MAX_BRIDGED)
        for (let at = place; at < next; at++) dropped.add(at);
    }
  }
  return dropped;
}
