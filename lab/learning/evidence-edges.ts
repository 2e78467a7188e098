/**
 * Maps the evidence triples of 2WikiMultiHopQA to edges between paragraphs: each subject is a
 * paragraph, and an object that is also a subject leads to its paragraph. See
 * docs/papers/tree-hop.md.
 */
import { cleanCharacters } from '../../src/core/text/clean-characters.ts';
import type { Edge, TrainingQuestion } from './training-question.ts';

/**
 * Returns the edges between paragraphs, and the paragraphs of all subjects; undefined if a subject
 * matches no paragraph.
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
 * Returns the index of the paragraph of a subject: by exact title, title without typography, one
 * title inside the other, or a text that begins with it; the supporting titles first.
 */
export function subjectPlace(question: TrainingQuestion, name: string): number | undefined {
  const plain = plainName(name);
  const tests: readonly ((title: string) => boolean)[] = [
    title => title === name,
    title => plain !== '' && plainName(title) === plain,
    title => contains(plainName(title), plain) || contains(plain, plainName(title)),
  ];
  return titled(question, tests) ?? beginning(question, name);
}

/**
 * Returns the index of the paragraph of an object, as for a subject, except that one name must
 * begin or end the other, because an object may be any word.
 */
function objectPlace(
  question: TrainingQuestion,
  name: string,
  nodes: ReadonlySet<number>,
): number | undefined {
  const plain = plainName(name);
  const tests: readonly ((title: string) => boolean)[] = [
    title => title === name,
    title => plain !== '' && plainName(title) === plain,
    title => atEnd(plainName(title), plain) || atEnd(plain, plainName(title)),
  ];
  const place = titled(question, tests) ?? beginning(question, name);
  return place !== undefined && nodes.has(place) ? place : undefined;
}

/**
 * Returns the index of the title that passes the first test that any passes; of several titles the
 * longest, which is the most specific.
 */
function titled(
  { paragraphs, supporting }: TrainingQuestion,
  tests: readonly ((title: string) => boolean)[],
): number | undefined {
  for (const among of [supporting, paragraphs.map(({ title }) => title)])
    for (const test of tests) {
      const matching = among.filter(
        title => title !== '' && test(title) && paragraphs.some(each => each.title === title),
      );
      if (matching.length === 0) continue;
      const longest = matching.reduce((a, b) => (b.length > a.length ? b : a));
      return paragraphs.findIndex(({ title }) => title === longest);
    }
  return undefined;
}

/** Returns the index of the text that begins with the name, behind one quotation mark at most. */
function beginning({ paragraphs }: TrainingQuestion, name: string): number | undefined {
  const place =
    name.trim() === ''
      ? -1
      : paragraphs.findIndex(
          ({ text }) =>
            beginsWith(text, name) || (!isWord(text[0]) && beginsWith(text.slice(1), name)),
        );
  return place < 0 ? undefined : place;
}

const beginsWith = (text: string, name: string): boolean =>
  text.startsWith(name) && !isWord(text[name.length]);

/** Removes typography, accents and repeated white space. */
const plainName = (name: string): string =>
  cleanCharacters(name)
    .trim()
    .replace(/\s+/g, ' ')
    .normalize('NFD')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
    .replace(/[^\u0000-\u007f]/g, '');

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

/**
 * Returns true if the text contains the words as whole words: "Annabel" does not contain "Anna".
 */
function contains(long: string, short: string): boolean {
  if (short.trim() === '') return false;
  for (let at = long.indexOf(short); at >= 0; at = long.indexOf(short, at + 1))
    if (!isWord(long[at - 1]) && !isWord(long[at + short.length])) return true;
  return false;
}

const atEnd = (long: string, short: string): boolean =>
  contains(long, short) && (long.startsWith(short) || long.endsWith(short));
