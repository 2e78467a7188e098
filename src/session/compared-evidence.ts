/** Sorts evidence by the two things that a question compares. */
import type { Document } from '../core/corpus/document.ts';
import { metadataText } from '../core/corpus/document.ts';
import type { Trace } from '../core/trace/trace.ts';
import { Asked } from '../language/asked.ts';
import {
  isAbout,
  isCompared,
  joinedThings,
  setsAgainst,
} from '../language/english/question/compared-sides.ts';
import { predictQuestionType } from '../language/english/question/question-type.ts';
import { type AskedTerm, holdsTerm, termsOf } from '../language/english/words/terms.ts';
import type { Quote } from './evidence-view.ts';

/** Names of the compared things, in the order of the question. */
export type ComparedNames = readonly [string, string];

/** A part of the evidence that may be about one of the things. */
interface Part {
  readonly documentId: string;
  readonly texts: readonly Quote[];
}

/**
 * Returns the side of each part, and the names of both; undefined unless the question compares two
 * things and each has evidence of its own. A part is of the thing that its document, its source or
 * its headings name, else of the thing that its text names; of no side if it names both or none.
 */
export function comparedSides<T extends Part>(
  { question, language }: Pick<Trace, 'question' | 'language'>,
  parts: readonly T[],
  documents: ReadonlyMap<string, Document>,
): { readonly names: ComparedNames; readonly sides: ReadonlyMap<T, string> } | undefined {
  // The words that compare are English.
  if (language !== undefined) return undefined;
  const placed = parts.map(part => placedPart(part, documents.get(part.documentId)!));
  const titles = parts.map(({ documentId }) => documents.get(documentId)!.title);
  const names = namesIn(question.text, placed, titles);
  if (names === undefined) return undefined;
  const sides = new Map<T, string>();
  for (const [at, part] of parts.entries()) {
    const side = sideOf(part, placed[at]!, names);
    if (side !== undefined) sides.set(part, side);
  }
  const found = new Set(sides.values());
  return names.every(name => found.has(name)) ? { names, sides } : undefined;
}

/** The words beside a text that say what it is about. */
interface PlacedPart {
  readonly source: string;
  /** Words of the folders of its document. */
  readonly folders: ReadonlySet<string>;
  /** Words of its title and source. */
  readonly title: ReadonlySet<string>;
  readonly heading: ReadonlySet<string>;
}

function placedPart({ texts }: Part, { id, title, metadata }: Document): PlacedPart {
  const source = metadataText(metadata, 'source') ?? '';
  return {
    source,
    folders: termsOf(id.split('/').slice(0, -1).join(' ')),
    title: termsOf(`${title} ${source}`),
    heading: termsOf(texts.flatMap(({ heading = [] }) => heading).join(' ')),
  };
}

function namesIn(
  question: string,
  parts: readonly PlacedPart[],
  titles: readonly string[],
): ComparedNames | undefined {
  const sources = [...new Set(parts.map(({ source }) => source).filter(source => source !== ''))];
  const asked = new Asked(question, { sources, days: [] });
  const isReport = predictQuestionType(question) !== 'inference';
  const [first, second, ...more] = asked.cited.sources;
  if (isReport && first !== undefined && second !== undefined)
    return more.length === 0 ? [first, second] : undefined;
  if (!asked.values.some(isCompared) && !setsAgainst(question)) return undefined;
  // A word that all parts are about, or none, tells no side.
  const some = (holds: (part: PlacedPart, term: AskedTerm) => boolean) => (term: AskedTerm) =>
    parts.some(part => holds(part, term)) && !parts.every(part => holds(part, term));
  const isProject = some(
    ({ folders, title }, term) =>
      holdsTerm(folders, term) || (term.isName && holdsTerm(title, term)),
  );
  const isSubject = some(({ heading }, term) => term.isName && holdsTerm(heading, term));
  return joinedThings(question, { isProject, isSubject }, titles);
}

function sideOf(
  { texts }: Part,
  { source, folders, title, heading }: PlacedPart,
  names: ComparedNames,
): string | undefined {
  if (names.includes(source)) return source;
  const place = new Set([...folders, ...title, ...heading]);
  const placed = names.filter(name => isAbout(place, name));
  if (placed.length > 0) return placed.length === 1 ? placed[0] : undefined;
  const said = termsOf(texts.map(({ text }) => text).join(' '));
  const stated = names.filter(name => isAbout(said, name));
  return stated.length === 1 ? stated[0] : undefined;
}
