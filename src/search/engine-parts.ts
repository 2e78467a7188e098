/** The functions that engines share apart from their searches. */
import type { Chunker } from '../core/corpus/chunker.ts';
import type { Document, Passage } from '../core/corpus/document.ts';
import { type Filter, matches } from '../core/corpus/filter.ts';
import { subjectAt } from '../core/corpus/outline.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import type { CapableEngine } from './capabilities.ts';
import { checkSearch, unknownId } from './checked-search.ts';
import { cutBy } from './corpus/items.ts';
import { countFields, countValues, filterable } from './corpus/segment.ts';
import type { Catalogue, FieldValue, Records, SearchRequest } from './engine.ts';
import { ValueCatalogue } from './filters/value-catalogue.ts';

/** A piece of a document that can be searched. */
export interface EngineItem {
  readonly unit: Unit;
  /** Stands before the text where words are counted: the document's title, headings behind it. */
  readonly title: string;
  readonly passage: Passage;
}

const UNITS: readonly Unit[] = ['document', 'passage', 'sentence'];

/** Cuts a document into the items of all units, as the embedded engine cuts it. */
function items(document: Document, chunker: Chunker): EngineItem[] {
  const cut = cutBy(chunker);
  return UNITS.flatMap(unit =>
    cut(unit, document).map(passage => ({
      unit,
      passage,
      title: subjectAt(document, unit === 'document' ? -1 : passage.start),
    })),
  );
}

/** True for a document that a filter selects by its metadata, its id or its title. */
function passes(filter: Filter | undefined, document: Document): boolean {
  return !filter || matches(filter, filterable(document));
}

/** Records and catalogue of documents that are in memory. */
export interface DocumentsAtHand extends Records, Catalogue {
  /** Returns one item by its id. Throws `InputError('unknown-id')`. */
  item(unit: Unit, id: string): Passage;
  /**
   * Refuses a search that the engine does not state, a filter by a field that no document has, and
   * a `k` that is no whole number. Throws `InputError`.
   */
  check(request: SearchRequest, engine: CapableEngine): void;
}

/** Serves documents that are in memory, cut by the chunker as they are read. */
function atHand(documents: readonly Document[], chunker: Chunker): DocumentsAtHand {
  const byId = new Map(documents.map(document => [document.id, document]));
  const fields = [...countFields(documents).keys()].sort();
  const cut = cutBy(chunker);
  const document = (id: string): Document => {
    const found = byId.get(id);
    if (!found) throw unknownId('document', id);
    return found;
  };
  const item = (unit: Unit, id: string): Passage => {
    // The id of a piece is that of its document, "#" and a number.
    const owner = byId.get(unit === 'document' ? id : id.slice(0, id.lastIndexOf('#')));
    const found = owner && cut(unit, owner).find(item => item.id === id);
    if (!found) throw unknownId(unit, id);
    return found;
  };
  const count = (field: string, filter?: Filter): FieldValue[] => {
    const passing = documents.filter(document => passes(filter, document));
    return [...countValues(passing, field)].map(([value, number]) => ({
      value,
      documents: number,
    }));
  };
  const catalogue = new ValueCatalogue(count);
  const read = async (unit: Unit, ids: readonly string[]): Promise<(Document | Passage)[]> =>
    ids.map(id => (unit === 'document' ? document(id) : item(unit, id)));
  return {
    item,
    read: read as Records['read'],
    check: (request, engine) =>
      checkSearch(request, engine, byId.size > 0 ? new Set(fields) : undefined),
    parts: async (unit, ids) => ids.map(id => [...cut(unit, document(id))]),
    values: async (field, request) => catalogue.values(field, request),
    fields: async () => [...fields],
  };
}

/**
 * The parts that engines need beside their own searches: `items` cuts a document, `passes` applies
 * a filter, `atHand` serves the records and the catalogue of documents in memory, and `unknownId`
 * is the error of an id that is not there.
 *
 * @example
 * ```ts
 * import { chunkers, engineParts } from 'multihop/retrieval';
 *
 * const ada = { id: 'ada', title: 'Ada', text: 'She wrote. She read.', metadata: { year: 1843 } };
 * console.log(engineParts.items(ada, chunkers.create('whole')).map(({ passage }) => passage.id));
 * console.log(engineParts.passes({ op: 'in', field: 'year', values: [1842, 1843] }, ada)); // true
 * ```
 */
export const engineParts: {
  readonly items: typeof items;
  readonly passes: typeof passes;
  readonly atHand: typeof atHand;
  readonly unknownId: typeof unknownId;
} = { items, passes, atHand, unknownId };
