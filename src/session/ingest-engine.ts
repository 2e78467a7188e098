/** Ingests documents into an engine on a server. */

import type { Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import { readDocuments } from '../documents/read-documents.ts';
import type { SkippedEvent } from '../documents/skipped-event.ts';
import { ingestEvents } from '../run/ingest.ts';
import { named } from '../stores/disk/store-embedders.ts';
import { openEngine } from '../stores/servers/open-engine.ts';
import { addressOf } from '../stores/servers/remote-engine.ts';
import type { ModelSources } from './model-sources.ts';
import { Models } from './models.ts';

export interface EngineIngestOptions extends ModelSources {
  /** Address of the engine. */
  readonly engine: string;
  readonly paths: readonly string[];
  readonly format?: string | undefined;
  readonly strict?: boolean;
  readonly chunker?: string | undefined;
  /** Units that get vectors. */
  readonly units: readonly Unit[];
  readonly signal: AbortSignal;
  /** Called after each write with the documents read so far. */
  readonly onStored?: (documents: number) => void;
}

export interface EngineIngest {
  readonly label: string;
  readonly read: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly skipped: readonly SkippedEvent[];
  /** Number of documents of the engine. */
  readonly documents: number;
}

/** Reads files and puts their documents; every counted document is stored. */
export async function ingestIntoEngine(options: EngineIngestOptions): Promise<EngineIngest> {
  const { paths, format, strict = false, signal, chunker, units, env } = options;
  const models = new Models({ ...options, ingests: true });
  try {
    const { embedders } = await models.forIngest(units);
    await using engine = await openEngine(options.engine, {
      ...{ env, units, embedders: embedders.map(named) },
      ...(chunker === undefined ? {} : { chunker }),
    });
    const skipped: SkippedEvent[] = [];
    let counts = { documents: 0, added: 0, changed: 0, unchanged: 0 };
    const reading = readDocuments(paths, { strict, ...(format === undefined ? {} : { format }) });
    for await (const event of ingestEvents(reading, { engine, signal }))
      if (event.type === 'skipped') skipped.push(event as SkippedEvent);
      else {
        counts = event;
        options.onStored?.(event.documents);
      }
    const { documents } = await engine.state(freeCall(signal));
    const { documents: read, added, changed, unchanged } = counts;
    return { label: addressOf(engine), read, added, changed, unchanged, skipped, documents };
  } finally {
    await models.close();
  }
}
