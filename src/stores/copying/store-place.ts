/** Copies from and to a store. */

import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { vectorsKey } from '../../search/document-vectors.ts';
import { nodeDisk } from '../disk/disk.ts';
import { readManifest } from '../disk/generation.ts';
import { isCurrent, type Manifest } from '../disk/manifest.ts';
import type { OnWarning } from '../disk/read-packed.ts';
import { Store } from '../disk/store.ts';
import { checkEmbedders, type StoreEmbedder, templateOf } from '../disk/store-embedders.ts';
import { type CopiedSpace, unaskedEmbedder } from './copied-vectors.ts';
import type { CopyPlace, CopySource, CopyTarget, TargetSettings } from './copy-side.ts';

export function storePlace(folder: string, onWarning: OnWarning): CopyPlace {
  return {
    async read(isThere) {
      const manifest = await readManifest(nodeDisk, folder);
      if (!manifest && isThere === 'optional') return undefined;
      return readStore(folder, manifest, onWarning);
    },
    write: settings => writeStore(folder, settings, onWarning),
  };
}

const spacesOf = ({ spaces = [] }: Pick<Manifest, 'spaces'>): CopiedSpace[] =>
  spaces.map(({ name, dimensions, units, ...record }) => {
    const { id, prefixes, baseUrl } = record;
    const model = defined<NonNullable<CopiedSpace['model']>>({ id, prefixes, baseUrl });
    return {
      name,
      dimensions,
      units,
      template: templateOf({ ...record, name, dimensions, units }),
      model,
    };
  });

async function readStore(
  folder: string,
  manifest: Manifest | undefined,
  onWarning: OnWarning,
): Promise<CopySource> {
  const recorded = manifest?.spaces ?? [];
  const store = await Store.open(folder, {
    onWarning,
    embedders: recorded.map(space => ({ ...space, embedder: readOnly(space) })),
  });
  const snapshot = await store.snapshot();
  const { documents } = snapshot;
  const { manifest: opened } = store;
  return {
    label: folder,
    documents: documents.length,
    chunker: opened.chunker,
    snapshot,
    spaces: spacesOf(opened),
    isEmbedded: isEmbedded(opened),
    derived: opened.graph ? ['the graph'] : [],
    async *pages(size) {
      for (let from = 0; from < documents.length; from += size)
        yield documents.slice(from, from + size);
    },
    async [Symbol.asyncDispose]() {
      await snapshot[Symbol.asyncDispose]();
      await store.close();
    },
  };
}

const readOnly = ({ id, name, dimensions }: { id: string; name: string; dimensions: number }) => ({
  ...unaskedEmbedder({ name, dimensions }),
  id,
});

async function writeStore(
  folder: string,
  { chunker, vectors, models }: TargetSettings,
  onWarning: OnWarning,
): Promise<CopyTarget> {
  const embedders = vectors.spaces.map((space): StoreEmbedder => {
    const { id, ...record } = space.model ?? modelOf(space, models);
    const { name, units } = space;
    return { name, units, ...record, embedder: { ...vectors.embedder(space), id } };
  });
  const store = await Store.open(folder, { create: true, chunker, embedders, onWarning });
  if (embedders.length > 0) checkEmbedders(folder, store.manifest, embedders, true);
  return {
    embedsLast: embedders.length > 0,
    put: (documents, call) => store.put(documents, call),
    remove: (ids, call) => store.remove(ids, call),
    async finish(call) {
      await store.embed(call);
      await store.close(call);
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

/** A store records which model made its vectors, so that no search asks another one. */
function modelOf(
  { name }: CopiedSpace,
  models: readonly StoreEmbedder[],
): NonNullable<CopiedSpace['model']> {
  const model = models.find(one => one.name === name);
  if (model) {
    const { prefixes, baseUrl, embedder } = model;
    return defined({ id: embedder.id, prefixes, baseUrl });
  }
  throw new InputError('missing-embedder', `The model of the vectors of ${name}`, {
    expected: `the embedder ${name}, by which the store knows the model again; it embeds nothing`,
    received: 'a server, which keeps the name alone',
    hint: 'Nothing was written. Name the embedder, or copy without vectors.',
  });
}

/** Returns true if every document of a store has its vectors. */
function isEmbedded(manifest: Manifest): boolean {
  return (manifest.spaces ?? []).every(({ name, units }) =>
    units.every(unit => isCurrent(manifest, vectorsKey(unit, name))),
  );
}
