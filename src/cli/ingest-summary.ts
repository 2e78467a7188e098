/** The object that `multihop ingest --json` prints. */
import type { SkippedEvent } from '../documents/skipped-event.ts';
import type { IngestSummary } from '../session/document-store.ts';

/** `ms`: milliseconds that the ingest took. */
export function printedSummary(
  store: string,
  {
    read,
    added,
    changed,
    unchanged,
    removed,
    vanished,
    documents,
    embedded,
    fitted,
    graph,
    graphModel,
    repeated,
    prefixed,
  }: IngestSummary & { readonly repeated: number; readonly prefixed: number },
  skipped: readonly SkippedEvent[],
  ms: number,
): object {
  const made = Object.entries({ embedded, fitted, graph });
  return {
    ...{ store, read, added, changed, unchanged, removed, vanished },
    skipped: skipped.map(({ type: _, ...rest }) => rest),
    ...(repeated > 0 ? { repeated } : {}),
    ...(prefixed > 0 ? { prefixed } : {}),
    documents,
    ...Object.fromEntries(made.filter(([, bySpace]) => Object.keys(bySpace).length > 0)),
    ...(graphModel ? { graphModel } : {}),
    ms,
  };
}
