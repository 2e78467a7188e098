/** Creates the engine that searches one generation of a store, from its documents and indexes. */

import type { SegmentedCorpus } from '../../search/corpus/segmented-corpus.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { storedDerived } from './derived-files.ts';
import type { Disk } from './disk.ts';
import type { Generation } from './generation.ts';
import { searchedClaims } from './kept-claims.ts';
import { isGraphKey, recogniserOf } from './kept-graph.ts';
import type { OnWarning } from './read-packed.ts';
import { STORE_TEMPLATE, spaceEmbedder } from './store-embedders.ts';
import type { StoreOptions } from './store-options.ts';
import { storedSegments } from './stored-indexes.ts';

type Listeners = 'onBuilding' | 'onGraph';

export interface StoreEngineOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly generation: Generation;
  readonly options: Pick<StoreOptions, 'embedders' | 'recogniser' | 'claims' | Listeners>;
  /** The segments of the generation in memory, where a write of this process left them. */
  readonly corpus: SegmentedCorpus | undefined;
  readonly onWarning: OnWarning;
  /** Returns true while the store names a file: segments in memory outlive replaced files. */
  isThere(file: string): boolean;
}

export function storeEngine({
  disk,
  folder,
  generation: { manifest, segments },
  options,
  corpus,
  onWarning,
  isThere,
}: StoreEngineOptions): EmbeddedEngine {
  const onBuilding = (key: string): void => {
    if (isGraphKey(key)) options.onGraph?.(key);
  };
  const building = (): void => options.onBuilding?.();
  const recogniser = recogniserOf(manifest, options.recogniser);
  const stored = { isThere, building, warn: onWarning };
  return new EmbeddedEngine({
    corpus,
    segments: corpus ? undefined : storedSegments(disk, folder, segments, stored),
    chunker: manifest.chunker,
    derived: storedDerived(disk, folder, manifest, { onWarning, onBuilding }),
    embedders: (options.embedders ?? []).map(spaceEmbedder),
    template: STORE_TEMPLATE,
    recogniser,
    claims: searchedClaims(manifest, options.claims),
  });
}
