/** The object that `multihop ingest --json` prints. */
import { defined } from '../core/defined.ts';
import type { IngestSummary } from '../session/document-store.ts';

interface Printed extends IngestSummary {
  readonly repeated: number | undefined;
  readonly prefixed: number | undefined;
  readonly ignored: number | undefined;
  readonly noted: number | undefined;
  readonly belowHalf: number | undefined;
}

/** `ms`: milliseconds that the ingest took. */
export function printedSummary(store: string, summary: Printed, ms: number): object {
  const { read, added, changed, unchanged, removed, vanished, skipped, documents } = summary;
  const { repeated, prefixed, noted, belowHalf, ignored, embedded } = summary;
  const { graph, graphModel, claimsModel } = summary;
  const some = <T extends object>(made: T): T | undefined =>
    Object.keys(made).length > 0 ? made : undefined;
  return defined<object>({
    store,
    read,
    added,
    changed,
    unchanged,
    removed,
    vanished,
    skipped,
    repeated: repeated || undefined,
    prefixed: prefixed || undefined,
    ignored: ignored || undefined,
    noted: noted || undefined,
    belowHalf: belowHalf || undefined,
    documents,
    embedded: some(embedded),
    graph: some(graph),
    graphModel,
    claimsModel,
    ms,
  });
}
