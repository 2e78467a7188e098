/**
 * Reads the replies of a model that was asked for entities or triples. Replies are parsed as JSON
 * and never run; one that was cut off counts up to its last complete entry.
 */
import type { EntityTriple } from '../../models/entity-recogniser.ts';
import { jsonValuesIn } from '../../models/json-in-text.ts';
import { withoutThinking } from '../../models/thoughts.ts';
import { isFields } from '../json-fields.ts';

export interface ReadReply<T> {
  readonly values: readonly T[];
  /** Entries that are not what was asked for: triples of another number of parts. */
  readonly dropped: number;
  /** 'cut': read up to the last complete entry; 'unread': holds no such list. */
  readonly state: 'whole' | 'cut' | 'unread';
}

/** Characters of an entity or a relation: longer ones are sentences. UTF-16 units. */
const LONGEST = 200;

export const readEntities = (text: string): ReadReply<string> =>
  readList(text, 'named_entities', textOf);

export const readTriples = (text: string): ReadReply<EntityTriple> =>
  readList(text, 'triples', tripleOf);

function readList<T>(
  text: string,
  name: string,
  read: (entry: unknown) => T | undefined,
): ReadReply<T> {
  const whole = firstList(text, name);
  const list = whole ?? firstList(completed(text), name);
  if (!list) return { values: [], dropped: 0, state: 'unread' };
  const values = list.flatMap(entry => read(entry) ?? []);
  const state = whole ? 'whole' : 'cut';
  return { values, dropped: list.length - values.length, state };
}

/** Returns the named list of the first object that has it, else the longest list by itself. */
function firstList(text: string, name: string): readonly unknown[] | undefined {
  let bare: readonly unknown[] | undefined;
  for (const value of jsonValuesIn(text)) {
    const list = isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    if (Array.isArray(list)) return list;
    // Prose has lists too, such as a citation [1].
    if (Array.isArray(value) && value.length > (bare?.length ?? -1)) bare = value;
  }
  return bare;
}

/** Returns a part of a triple or an entity; a number, as models write years, as text. */
function textOf(part: unknown): string | undefined {
  const text = typeof part === 'number' ? String(part) : part;
  if (typeof text !== 'string' || text.length > LONGEST) return undefined;
  const trimmed = text.toWellFormed().replace(/\s+/g, ' ').trim();
  return trimmed === '' ? undefined : trimmed;
}

function tripleOf(entry: unknown): EntityTriple | undefined {
  if (!Array.isArray(entry) || entry.length !== 3) return undefined;
  const [head, relation, tail] = entry.map(textOf);
  if (head === undefined || relation === undefined || tail === undefined) return undefined;
  return { head, relation, tail };
}

/** Characters that are searched, and brackets that may be open. */
const MAX_LENGTH = 1_000_000;
const MAX_DEPTH = 8;

/**
 * Returns the JSON of a reply that ends within it, cut after the last complete entry of its list
 * and closed; the empty text if there is none. Takes linear time.
 */
export function completed(text: string): string {
  const reply = withoutThinking(text).slice(0, MAX_LENGTH);
  const start = reply.search(/\{\s*"|\[\s*["[]/);
  if (start < 0) return '';
  const open: string[] = [];
  let inString = false;
  let ends: { readonly at: number; readonly closing: string } | undefined;
  for (let at = start; at < reply.length; at++) {
    const character = reply[at]!;
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') {
        inString = false;
        if (isEntry(open)) ends = { at: at + 1, closing: closingOf(open) };
      }
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      if (open.length === MAX_DEPTH) break;
      open.push(character === '{' ? '}' : ']');
    } else if (character === '}' || character === ']') {
      if (open.pop() !== character || open.length === 0) break;
      if (isEntry(open)) ends = { at: at + 1, closing: closingOf(open) };
    }
  }
  return ends ? reply.slice(start, ends.at) + ends.closing : '';
}

/** Returns true directly within the list: `[` or `{ "name": [`. */
const isEntry = (open: readonly string[]): boolean =>
  open.at(-1) === ']' && (open.length === 1 || (open.length === 2 && open[0] === '}'));

const closingOf = (open: readonly string[]): string => open.toReversed().join('');
