/**
 * A record (a JSON object, a CSV row) into a document: which field is the id, the title, the text,
 * and what becomes of the others.
 */

import { createHash } from 'node:crypto';
import type { Document, Metadata, MetadataValue } from '../../core/corpus/document.ts';
import { outlineProblem, statedOutline } from '../../core/corpus/outline.ts';
import { defined } from '../../core/defined.ts';
import type { Skipped } from '../files/decode.ts';

export const ID_FIELDS: readonly string[] = ['id', '_id', 'doc_id', 'url'];
export const TEXT_FIELDS: readonly string[] = [
  'text',
  'body',
  'content',
  'contents',
  'page_content',
  'passage',
];
/** Stand in for a missing `published_at` when they hold an ISO date. */
const DATE_FIELDS: readonly string[] = ['date', 'published', 'created'];
const KNOWN: readonly string[] = [
  ...ID_FIELDS,
  ...TEXT_FIELDS,
  ...DATE_FIELDS,
  'title',
  'published_at',
];
/** design/reliability section 3: JSON has 64 levels at most. */
const MAX_DEPTH = 64;
/** Fields of one record, nested ones counted, and the longest name of one with its path. */
const MOST_FIELDS = 10_000;
const LONGEST_FIELD = 1000;

export type Fields = Readonly<Record<string, unknown>>;

export interface Loaded {
  readonly document: Document;
  /** Source of the id: a field of the record, the file's path, or the content itself. */
  readonly idFrom: 'field' | 'path' | 'content';
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns names of fields: known ones in small letters, if no other field has that name. */
export function knownNames(fields: readonly string[]): string[] {
  const names = fields.map(name => name.trim());
  const taken = new Set(names);
  return names.map(name => {
    const known = name.toLowerCase();
    if (!KNOWN.includes(known) || taken.has(known)) return name;
    taken.add(known);
    return known;
  });
}

/**
 * The document of a record. `path` is its id when no field names an id; without `path` the id
 * derives from title and text.
 */
export function documentFromRecord(record: Fields, path?: string): Loaded | Skipped {
  const textField = TEXT_FIELDS.find(field => typeof fieldOf(record, field) === 'string');
  if (textField === undefined) {
    const names = knownNames(Object.keys(record));
    if (names.some(name => TEXT_FIELDS.includes(name) && !Object.hasOwn(record, name)))
      return documentFromRecord(
        Object.fromEntries(Object.values(record).map((value, at) => [names[at]!, value])),
        path,
      );
    return { skipped: `no text: none of the fields ${TEXT_FIELDS.join(', ')} holds a text` };
  }
  const text = (fieldOf(record, textField) as string).toWellFormed();
  const title = printScalar(fieldOf(record, 'title')) ?? '';
  if (text.trim() === '' && title.trim() === '')
    return { skipped: 'no text: title and text are empty' };
  const idField = ID_FIELDS.find(field => (printScalar(fieldOf(record, field)) ?? '') !== '');
  const outline = statedOutline(fieldOf(record, 'outline'));
  const problem = outlineProblem({ text, outline });
  if (problem !== undefined) return { skipped: `its outline is wrong: expected ${problem}` };
  const used = new Set([
    textField,
    'title',
    outline === undefined ? '' : 'outline',
    idField === 'url' ? '' : (idField ?? ''),
  ]);
  const metadata = metadataOf(record, used);
  if (typeof metadata === 'string') return { skipped: metadata };
  const content = defined<Omit<Document, 'id'>>({ title, text, metadata, outline });
  if (idField !== undefined)
    return {
      document: { id: printScalar(fieldOf(record, idField))!, ...content },
      idFrom: 'field',
    };
  return {
    document: { id: path ?? contentId(title, text), ...content },
    idFrom: path === undefined ? 'content' : 'path',
  };
}

/**
 * Every other field: objects flattened with dots, an object `metadata` lifted, lists of scalars as
 * texts, null left out. A text says why there are none: the names of nested fields hold their whole
 * path, so that depth, names and number are bounded.
 */
function metadataOf(record: Fields, used: ReadonlySet<string>): Metadata | string {
  let seen = 0;
  let problem = '';
  const flat = new Map<string, MetadataValue>();
  const set = (name: string, value: MetadataValue): void => {
    // A key __proto__ would be set as a prototype by whoever copies it by assignment.
    if (!flat.has(name) && !name.split('.').includes('__proto__')) flat.set(name, value);
  };
  const visit = (name: string, value: unknown, depth: number): boolean => {
    if (value === null || value === undefined) return true;
    if (depth > MAX_DEPTH) problem = `nested deeper than ${MAX_DEPTH} levels`;
    else if (name.length > LONGEST_FIELD)
      problem = `the name of a field is longer than ${LONGEST_FIELD} characters`;
    else if (++seen > MOST_FIELDS) problem = `more than ${MOST_FIELDS} fields`;
    if (problem !== '') return false;
    if (Array.isArray(value)) {
      const present = value.filter(item => item !== null && item !== undefined);
      if (present.some(item => typeof item === 'object'))
        return value.every((item, index) => visit(`${name}.${index}`, item, depth + 1));
      if (present.length > 0)
        set(
          name,
          present.map(item => printScalar(item) ?? ''),
        );
      return true;
    }
    if (isFields(value))
      return Object.entries(value).every(([key, inner]) =>
        visit(`${name}.${key.toWellFormed()}`, inner, depth + 1),
      );
    if (typeof value === 'number' && !Number.isFinite(value)) set(name, String(value));
    else if (typeof value === 'string') set(name, value.toWellFormed());
    else if (typeof value === 'number' || typeof value === 'boolean') set(name, value);
    return true;
  };
  const fields = Object.entries(record).filter(([key]) => !used.has(key));
  for (const [key, value] of fields)
    if (!(key === 'metadata' && isFields(value)) && !visit(key.toWellFormed(), value, 1))
      return problem;
  const lifted = fieldOf(record, 'metadata');
  if (isFields(lifted))
    for (const [key, value] of Object.entries(lifted))
      if (!visit(key.toWellFormed(), value, 2)) return problem;
  namePublished(flat);
  return Object.fromEntries(flat);
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}(?!\d)/;

/** Sees to `published_at`: one flavour of time, and another field's date where it is missing. */
function namePublished(flat: Map<string, MetadataValue>): void {
  if (!flat.has('published_at')) {
    const field = DATE_FIELDS.find(
      name => typeof flat.get(name) === 'string' && ISO_DAY.test(flat.get(name) as string),
    );
    if (field === undefined) return;
    flat.set('published_at', flat.get(field)!);
    flat.delete(field);
  }
  const value = flat.get('published_at');
  if (typeof value === 'string') flat.set('published_at', isoTime(value));
}

/**
 * The Hugging Face flavour `2023-10-07 20:15:26.000000000Z` as `2023-10-07T20:15:26+00:00`; any
 * other text as it is.
 */
export function isoTime(value: string): string {
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d*))?(?:Z|\+00:00)$/.exec(
    value.trim(),
  );
  if (!match) return value;
  const digits = match[3] ?? '';
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const fraction = digits.slice(0, end);
  return `${match[1]}T${match[2]}${fraction && `.${fraction}`}+00:00`;
}

/** The same for the same title and text, on every machine: 16 hexadecimal digits of SHA-256. */
export function contentId(title: string, text: string): string {
  return createHash('sha256').update(title).update('\0').update(text).digest('hex').slice(0, 16);
}

function fieldOf(record: Fields, field: string): unknown {
  return Object.hasOwn(record, field) ? record[field] : undefined;
}

function printScalar(value: unknown): string | undefined {
  if (typeof value === 'string') return value.toWellFormed();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
