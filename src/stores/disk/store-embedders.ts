/** The embedders of a store: checks them against its records, and embeds its documents. */

import { defined } from '../../core/defined.ts';
import { PortError } from '../../core/errors.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Embedder } from '../../models/embedder.ts';
import { packDerived } from '../../search/derived/derived-index.ts';
import type { Snapshot } from '../../search/snapshot.ts';
import { documentVectors } from '../../search/vectors/document-vectors.ts';
import {
  DEFAULT_TEMPLATE,
  type TextTemplate,
  textTemplates,
} from '../../search/vectors/text-templates.ts';
import type { MadeDerived } from './derived-files.ts';
import type { Manifest, SpaceRecord } from './manifest.ts';

export interface StoreEmbedder extends Omit<SpaceRecord, 'id' | 'dimensions' | 'template'> {
  readonly embedder: Embedder;
}

/** The template of every store that this release writes. */
export const STORE_TEMPLATE: TextTemplate = textTemplates.create(DEFAULT_TEMPLATE);

/** Returns the template of a record; `header` for one from before templates were recorded. */
export const templateOf = ({ template = 'header' }: Pick<SpaceRecord, 'template'>): string =>
  template;

/** Called with 0, then with the number of texts that have vectors, of all texts of the unit. */
export type OnEmbedded = (done: number, total: number, space: string, unit: Unit) => void;

/**
 * Throws `PortError('other-embedder')` if a name denotes other vectors than those of the store, or,
 * when `writing`, is not one of the store's; throws `PortError('other-template')` if the stored
 * vectors were computed from another template of texts than this release uses.
 */
export function checkEmbedders(
  folder: string,
  { spaces = [] }: Pick<Manifest, 'spaces'>,
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
      `The store "${folder}" was embedded with another model`,
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
    `The vectors of ${recorded.name} in the store "${folder}" use another text template`,
    {
      expected: `the template ${template}`,
      received: `${STORE_TEMPLATE.name}, the template of this release of multihop`,
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

/** Returns the embedder under the name of its space. */
export function spaceEmbedder({ name, embedder }: StoreEmbedder): Embedder {
  return {
    id: name,
    dimensions: embedder.dimensions,
    embed: (texts, as, call) => embedder.embed(texts, as, call),
  };
}

export function recordOf({ name, embedder, prefixes, baseUrl, units }: StoreEmbedder): SpaceRecord {
  const { id, dimensions } = embedder;
  return defined({ name, id, dimensions, prefixes, baseUrl, template: STORE_TEMPLATE.name, units });
}

/** Merges records: a name keeps its position and its earlier units. */
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

/** Embeds the documents of a snapshot that have no vectors of a unit yet. */
export async function embedDocuments(
  snapshot: Snapshot,
  unit: Unit,
  one: StoreEmbedder,
  call: Call,
  onEmbedded: OnEmbedded = () => {},
): Promise<MadeDerived> {
  const all = snapshot.itemsOf(unit).size;
  const report = (done: number): void => onEmbedded(done, all, one.name, unit);
  const derived = documentVectors(spaceEmbedder(one), unit, STORE_TEMPLATE, (done, total) =>
    report(done === 0 ? 0 : all - total + done),
  );
  const { index, members } = await snapshot.openDerived(derived, call);
  const packed = packDerived(derived, index, members);
  return { key: derived.key, packed, documents: members.size };
}
