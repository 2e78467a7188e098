/**
 * The ports of a snapshot that serve derived indexes: edges between items, walks over entities, and
 * claims where there is a claim base.
 */
import type { Document, Passage } from '../../core/corpus/document.ts';
import type { Filter } from '../../core/corpus/filter.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import { SnapshotClaims } from '../claims/snapshot-claims.ts';
import type { DerivedIndex } from '../derived/derived-index.ts';
import { DOCUMENT_LINKS } from '../links/document-links.ts';
import { LINK, LinkNeighbours } from '../links/link-neighbours.ts';
import { CLAIMS, type Claims } from '../ports/claims-port.ts';
import { ENTITY_FACTS, type EntityFacts } from '../ports/entity-facts-port.ts';
import { ENTITY_WALKS, type EntityWalks } from '../ports/entity-walks-port.ts';
import { NEIGHBOURS, type Neighbours } from '../ports/neighbours-port.ts';
import { type ServedPort, servePort } from '../ports.ts';
import type { Embedding } from '../vectors/embedding.ts';
import { sentenceEntities } from './sentence-entities.ts';
import { graphLabels, labelsWithoutModel, openLayer } from './sentence-graph.ts';
import { SnapshotNeighbours } from './snapshot-neighbours.ts';
import { SnapshotWalks } from './snapshot-walks.ts';

/** A snapshot as its graphs read it. */
export interface GraphSource {
  /** Undefined if there is none of that id. */
  document(id: string): Document | undefined;
  /** All documents, ascending by id. */
  all(): readonly Document[];
  /** Throws `InputError('unknown-id')`. */
  item(unit: Unit, id: string): Passage;
  /** Returns the items of a document, in its order. */
  parts(unit: Unit, documentId: string): readonly Passage[];
  /** Cuts a document into its items, in the document's order. */
  cut(unit: Unit, document: Document): readonly Passage[];
  /** Returns the documents that pass. Throws `InputError('unknown-field')`. */
  passing(filter: Filter): ReadonlySet<string>;
  open<T>(index: DerivedIndex<T>, call: Call): Promise<T>;
}

/** Returns the labels of the edges that an engine of these models serves. */
export const edgeLabels = (embedding: Embedding): string[] => [LINK, ...graphLabels(embedding)];

export function graphPorts(source: GraphSource, embedding: Embedding): ServedPort[] {
  const links = (call: Call) => source.open(DOCUMENT_LINKS, call);
  const { recogniser, claims } = embedding;
  const walks = new SnapshotWalks({
    item: source.item,
    parts: source.parts,
    passing: source.passing,
    entities: call => source.open(sentenceEntities(recogniser), call),
  });
  return [
    ...(claims ? [servePort<Claims>(CLAIMS, new SnapshotClaims(source, claims))] : []),
    servePort<Neighbours>(
      NEIGHBOURS,
      new SnapshotNeighbours({
        labels: edgeLabels(embedding),
        unasked: [LINK, ...labelsWithoutModel(embedding)],
        links: new LinkNeighbours({ ...source, links }),
        item: source.item,
        sentences: id => source.parts('sentence', id),
        layer: (label, call) => openLayer(label, embedding, index => source.open(index, call)),
      }),
    ),
    servePort<EntityWalks>(ENTITY_WALKS, walks),
    servePort<EntityFacts>(ENTITY_FACTS, walks),
  ];
}
