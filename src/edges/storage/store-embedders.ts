/**
 * The embedders of a store: whether one fits what was recorded, and the vectors that it makes of
 * all items.
 */
import { PortError } from '../../errors.ts';
import { type PackedVectors, VectorIndex } from '../../indexes/vector/vector-index.ts';
import { embedChecked } from '../../models/checked-vectors.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { Unit } from '../../ranking/ranking.ts';
import type { Snapshot } from '../../retrieval/snapshot.ts';
import {
  DEFAULT_TEMPLATE,
  type TextTemplate,
  textTemplates,
} from '../../retrieval/text-templates.ts';
import type { Call } from '../../trace/call.ts';
import type { Manifest, SpaceRecord } from './manifest.ts';

export interface StoreEmbedder extends Omit<SpaceRecord, 'id' | 'dimensions' | 'template'> {
  readonly embedder: Embedder;
}

/** What the embedders of every store read in this release. */
export const STORE_TEMPLATE: TextTemplate = textTemplates.create(DEFAULT_TEMPLATE);

/**
 * What the vectors of a record were made of; `header` was the only one before templates were
 * recorded.
 */
export const templateOf = ({ template = 'header' }: SpaceRecord): string => template;

/** Texts of the unit that have vectors now, from none on, and how many there are. */
export type OnEmbedded = (done: number, total: number, space: string, unit: Unit) => void;

const BATCH = 64;

/**
 * Throws `PortError('other-embedder')` where a name stands for other vectors than those that the
 * store was embedded with, or with `writing` where it is not one of the store's;
 * `PortError('other-template')` where they were made of other words than this release embeds.
 */
export function checkEmbedders(
  folder: string,
  { spaces = [] }: Manifest,
  given: readonly StoreEmbedder[],
  writing = false,
): void {
  for (const { name, embedder } of given) {
    const recorded = spaces.find(space => space.name === name);
    if (recorded) checkTemplate(folder, recorded);
    if (
      recorded
        ? recorded.id === embedder.id && recorded.dimensions === embedder.dimensions
        : !writing || spaces.length === 0
    )
      continue;
    throw new PortError(
      'store',
      'other-embedder',
      `The store "${folder}" was embedded by another model`,
      {
        expected: (recorded ? [recorded] : spaces).map(wordsOf).join(' or '),
        received: wordsOf({ name, id: embedder.id, dimensions: embedder.dimensions }),
        hint: 'Nothing was changed. Name the embedder of the store, or ingest the documents into a new store.',
      },
    );
  }
}

function checkTemplate(folder: string, recorded: SpaceRecord): void {
  const template = templateOf(recorded);
  if (template === STORE_TEMPLATE.name) return;
  throw new PortError(
    'store',
    'other-template',
    `In the store "${folder}" ${recorded.name} read its texts by another template`,
    {
      expected: `the template ${template}`,
      received: `${STORE_TEMPLATE.name}, which is what this release of multihop reads`,
      hint: 'Nothing was changed. Use the release that wrote the store, or ingest the documents into a new store.',
    },
  );
}

const wordsOf = ({
  name,
  id,
  dimensions,
}: Pick<SpaceRecord, 'name' | 'id' | 'dimensions'>): string =>
  `${name === id ? name : `${name} (${id})`} of ${dimensions} dimensions`;

/** The embedder under the name by which the store knows its space. */
export function named({ name, embedder }: StoreEmbedder): Embedder {
  return {
    id: name,
    dimensions: embedder.dimensions,
    embed: (texts, as, call) => embedder.embed(texts, as, call),
  };
}

export function recordOf({ name, embedder, prefixes, baseUrl, units }: StoreEmbedder): SpaceRecord {
  const { id, dimensions } = embedder;
  return {
    name,
    id,
    dimensions,
    ...(prefixes ? { prefixes } : {}),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    template: STORE_TEMPLATE.name,
    units,
  };
}

/** What the recorded ones become by these: a name keeps its place, and the units that it had. */
export function mergedRecords(
  recorded: readonly SpaceRecord[],
  given: readonly StoreEmbedder[],
): SpaceRecord[] {
  const merged = new Map(recorded.map(record => [record.name, record]));
  for (const one of given) {
    const record = recordOf(one);
    const units = [...new Set([...(merged.get(one.name)?.units ?? []), ...record.units])].sort();
    merged.set(one.name, { ...merged.get(one.name), ...record, units });
  }
  return [...merged.values()];
}

/** The vectors of all items of a unit, in the snapshot's order. */
export async function embedItems(
  snapshot: Snapshot,
  unit: Unit,
  { name, embedder }: StoreEmbedder,
  call: Call,
  onEmbedded: OnEmbedded = () => {},
): Promise<PackedVectors> {
  const { items, documentOf } = snapshot.itemsOf(unit);
  const { dimensions } = embedder;
  const rows = new Float32Array(items.length * dimensions);
  onEmbedded(0, items.length, name, unit);
  for (let from = 0; from < items.length; from += BATCH) {
    const texts = items
      .slice(from, from + BATCH)
      .map((item, at) => STORE_TEMPLATE.passage(snapshot.documents[documentOf[from + at]!]!, item));
    const vectors = await embedChecked(embedder, texts, 'passage', call);
    for (const [at, vector] of vectors.entries()) rows.set(vector, (from + at) * dimensions);
    onEmbedded(Math.min(items.length, from + BATCH), items.length, name, unit);
  }
  return VectorIndex.build(rows, dimensions).pack();
}
