/**
 * Prepares documents for a server: cuts them, reads their terms, and names their content by a hash,
 * so that equal documents are written once.
 */
import type { Document, MetadataValue, Passage } from '../../core/corpus/document.ts';
import { InputError, PortError } from '../../core/errors.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { Cut } from '../../search/corpus/items.ts';
import { filterable, OWN_FIELDS, type Scalar } from '../../search/corpus/segment.ts';
import { subjectsInOrder } from '../../search/corpus/subjects.ts';
import { checkDocument, documentLine, documentOf } from '../disk/segment.ts';
import { type ItemTerms, termsOf } from './terms.ts';

export const UNITS: readonly Unit[] = ['document', 'passage', 'sentence'];

export interface PreparedItem extends Passage, ItemTerms {
  readonly unit: Unit;
  /** Place among the document's items of the unit. */
  readonly place: number;
}

/** A value of a field by which filters select. */
export interface FieldScalar {
  readonly field: string;
  readonly value: Scalar;
  /** True for the document's id and title, which catalogues leave out. */
  readonly own: boolean;
}

export interface PreparedDocument {
  readonly document: Document;
  /** JSON that `recordedDocument` restores. */
  readonly record: string;
  readonly hash: string;
  readonly values: readonly FieldScalar[];
  readonly items: readonly PreparedItem[];
}

/** Longest id in bytes of UTF-8: servers limit the keys of their indexes. */
const ID_BYTES = 480;

/** Throws `InputError('bad-document')`. */
export function checkStorable(document: Document): void {
  const bytes = Buffer.byteLength(checkDocument(document).id);
  if (bytes <= ID_BYTES) return;
  throw new InputError('bad-document', `The document "${document.id.slice(0, 40)}..."`, {
    expected: `an id of at most ${ID_BYTES} bytes`,
    received: `${bytes} bytes`,
  });
}

/** Returns a hash that is equal for equal documents, whatever the order of their metadata. */
export function contentHash(document: Document): string {
  const { metadata } = document;
  const sorted = Object.fromEntries(
    Object.keys(metadata)
      .sort()
      .map(field => [field, metadata[field]!] as const),
  );
  return sha256(documentLine({ ...document, metadata: sorted }));
}

/** Returns the document of a record. Throws `PortError('engine-damaged')`. */
export function recordedDocument(record: string, label: string): Document {
  try {
    return documentOf(JSON.parse(record));
  } catch (cause) {
    throw new PortError(
      'engine',
      'engine-damaged',
      `The server ${label} holds a damaged document`,
      { cause, hint: 'Remove it and ingest it again.' },
    );
  }
}

/** Cuts a document into the items of all units and reads their terms. */
export function prepareDocument(document: Document, cut: Cut): PreparedDocument {
  return {
    document,
    record: documentLine(document),
    hash: contentHash(document),
    values: valuesOf(document),
    items: UNITS.flatMap(unit => itemsOf(document, unit, cut)),
  };
}

function itemsOf(document: Document, unit: Unit, cut: Cut): PreparedItem[] {
  const subjectOf = subjectsInOrder();
  const { metadata } = document;
  return cut(unit, document).map((item, place) => {
    const title = subjectOf(document, unit === 'document' ? -1 : item.start);
    const { id, text } = item;
    return { ...item, unit, place, ...termsOf({ id, title, text, metadata }) };
  });
}

function valuesOf(document: Document): FieldScalar[] {
  const { metadata } = document;
  return Object.entries(filterable(document)).flatMap(([field, value]) => {
    const own = OWN_FIELDS.includes(field) && !Object.hasOwn(metadata, field);
    return [...scalarsOf(value)].map(scalar => ({ field, value: scalar, own }));
  });
}

const scalarsOf = (value: MetadataValue): ReadonlySet<Scalar> =>
  new Set(typeof value === 'object' ? value : [value]);
