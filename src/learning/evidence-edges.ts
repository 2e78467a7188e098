/**
 * The evidence triples of 2WikiMultiHopQA as edges between paragraphs: each subject is one, and an
 * object that is a subject too leads on (treehop.md 6.2.1-3).
 */
import { cleanCharacters } from '../text/clean-characters.ts';
import type { Edge, TrainingQuestion } from './training-question.ts';

/**
 * Edges between paragraphs, and the paragraphs of all subjects; undefined where a subject is none
 * of them.
 */
export function evidenceEdges(
  question: TrainingQuestion,
): { readonly edges: readonly Edge[]; readonly nodes: readonly number[] } | undefined {
  const nodes = new Set<number>();
  const mapped: { readonly subject: number; readonly object: string }[] = [];
  for (const [subject, , object] of question.evidences) {
    const place = subjectPlace(question, subject);
    if (place === undefined) return undefined;
    nodes.add(place);
    mapped.push({ subject: place, object });
  }
  const edges = mapped.flatMap(({ subject, object }): Edge[] => {
    const place = objectPlace(question, object, nodes);
    return place === undefined || place === subject ? [] : [[subject, place]];
  });
  return { edges, nodes: [...nodes] };
}

/**
 * Exact title, equal without typography, one title within the other, a text that begins so; the
 * supporting titles first.
 */
export function subjectPlace(question: TrainingQuestion, name: string): number | undefined {
  const plain = plainName(name);
  const tests: readonly ((title: string) => boolean)[] = [
    title => title === name,
    title => plainName(title) === plain,
    title => contains(plainName(title), plain) || contains(plain, plainName(title)),
  ];
  return titled(question, tests) ?? beginning(question, name);
}

/** As a subject, but one name must begin or end the other: an object may be any word. */
function objectPlace(
  question: TrainingQuestion,
  name: string,
  nodes: ReadonlySet<number>,
): number | undefined {
  const plain = plainName(name);
  const tests: readonly ((title: string) => boolean)[] = [
    title => title === name,
    title => plainName(title) === plain,
    title => atEnd(plainName(title), plain) || atEnd(plain, plainName(title)),
  ];
  const place = titled(question, tests) ?? beginning(question, name);
  return place !== undefined && nodes.has(place) ? place : undefined;
}

/**
 * The first test that a title passes decides; of several titles the longest, which is the most
 * particular.
 */
function titled(
  { paragraphs, supporting }: TrainingQuestion,
  tests: readonly ((title: string) => boolean)[],
): number | undefined {
  for (const among of [supporting, paragraphs.map(({ title }) => title)])
    for (const test of tests) {
      const found = among.filter(
        title => title !== '' && test(title) && paragraphs.some(each => each.title === title),
      );
      if (found.length === 0) continue;
      const longest = found.reduce((a, b) => (b.length > a.length ? b : a));
      return paragraphs.findIndex(({ title }) => title === longest);
    }
  return undefined;
}

function beginning({ paragraphs }: TrainingQuestion, name: string): number | undefined {
  const place =
    name.trim() === ''
      ? -1
      : paragraphs.findIndex(({ text }) => contains(text.slice(0, name.length + 1), name));
  return place < 0 ? undefined : place;
}

/** Typography, accents and repeated white space away. */
const plainName = (name: string): string =>
  cleanCharacters(name)
    .trim()
    .replace(/\s+/g, ' ')
    .normalize('NFD')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
    .replace(/[^\u0000-\u007f]/g, '');

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Whole words only: "Anna" is not in "Annabel". */
function contains(long: string, short: string): boolean {
  if (short.trim() === '') return false;
  for (let at = long.indexOf(short); at >= 0; at = long.indexOf(short, at + 1))
    if (!isWord(long[at - 1]) && !isWord(long[at + short.length])) return true;
  return false;
}

const atEnd = (long: string, short: string): boolean =>
  contains(long, short) && (long.startsWith(short) || long.endsWith(short));
