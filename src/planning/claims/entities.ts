/**
 * Lists the entities that a document names, by spelling alone: capitalised spans, last names of
 * people merged with their full names, and the main entity of the title.
 */
import type { Document, Span } from '../../core/corpus/document.ts';
import { wordsIn } from '../../core/text/matched-words.ts';
import { findNames, type NameSpan } from '../../language/english/names/names.ts';

export type EntityKind = 'person' | 'organisation';

export interface Entity {
  /** The full form: "Sam Altman" for a later "Altman". */
  readonly name: string;
  readonly kind: EntityKind;
  /** Starts of its mentions in the document's text, ascending. */
  readonly mentions: readonly number[];
}

export interface DocumentEntities {
  /** Most mentions first, then by first mention. */
  readonly all: readonly Entity[];
  /** The entity that the title names and the text mentions most; undefined if there is none. */
  readonly main: Entity | undefined;
  /** Returns the entity of a name as it is written in the document. */
  of(name: string): Entity | undefined;
}

const ORGANISATION =
  /\b(?:inc|corp|corporation|company|co|ltd|llc|plc|group|university|college|school|institute|agency|department|ministry|court|bank|party|council|commission|committee|league|club|fc|union|association|foundation|church|house|senate|congress|times|post|news|network|studios?|games|labs?|media|energy|health|services?|systems|technologies|city|united|states|street|park|prize|cup|awards?)\b/i;

/** Returns the kind that a pronoun needs: people have two or three plain capitalised words. */
export function kindOf(name: string): EntityKind {
  const words = name.split(/\s+/);
  const plain = words.every(word => /^\p{Lu}(?:\p{Ll}|[’'-]\p{Lu}|\.)+\p{Ll}*$/u.test(word));
  return plain && words.length >= 2 && words.length <= 3 && !ORGANISATION.test(name)
    ? 'person'
    : 'organisation';
}

/** Returns the words of a name that tell it from others, in lower case. */
export const nameWords = (name: string): string[] =>
  wordsIn(name.toLowerCase()).filter(word => !LEGAL_FORM.has(word));

const LEGAL_FORM = new Set('inc corp corporation company co ltd llc plc the s'.split(' '));

/** Finds the entities of a document; `sentences` are the spans of its sentences. */
export function entitiesOf(document: Document, sentences: readonly Span[]): DocumentEntities {
  const spans = findNames(document.text);
  const openings = new Set(sentences.map(([start]) => start));
  const inside = new Set(spans.filter(({ start }) => !openings.has(start)).map(({ text }) => text));
  // One capitalised word that opens a sentence is a name only if it is capitalised elsewhere too.
  const names = spans.filter(
    ({ text, start }) => !openings.has(start) || / /.test(text) || inside.has(text),
  );
  const full = fullNames(names);
  const found = new Map<string, number[]>();
  for (const { text, start } of names) {
    const name = full(text);
    const list = found.get(name);
    if (list) list.push(start);
    else found.set(name, [start]);
  }
  const all = [...found]
    .map(([name, mentions]) => ({ name, kind: kindOf(name), mentions }))
    .sort((a, b) => b.mentions.length - a.mentions.length || a.mentions[0]! - b.mentions[0]!);
  const byName = new Map(all.map(entity => [entity.name, entity]));
  const inTitle = new Set(nameWords(document.title));
  const main = all.find(({ name }) => nameWords(name).every(word => inTitle.has(word)));
  return { all, main, of: name => byName.get(full(name)) };
}

/** Returns the function from a name to its full form: a last name alone to the person's name. */
function fullNames(names: readonly NameSpan[]): (name: string) => string {
  const byLast = new Map<string, string>();
  for (const { text } of names) {
    if (kindOf(text) !== 'person') continue;
    const last = text.slice(text.lastIndexOf(' ') + 1);
    if (!byLast.has(last)) byLast.set(last, text);
  }
  return name => byLast.get(name) ?? name;
}
