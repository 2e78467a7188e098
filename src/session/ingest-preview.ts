/** Tells what an ingest of files would do to a store, and writes nothing. */
import type { Document } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';
import { planPut } from '../search/corpus/plan-put.ts';
import { nodeDisk } from '../stores/disk/disk.ts';
import { readManifest } from '../stores/disk/generation.ts';
import { behindClaims } from '../stores/disk/kept-claims.ts';
import { behindGraph } from '../stores/disk/kept-graph.ts';
import type { Manifest } from '../stores/disk/manifest.ts';
import { Store } from '../stores/disk/store.ts';
import { claimsPlan } from './claims.ts';
import type { FileReading } from './file-reading.ts';
import { type GraphModelSource, type GraphPlan, graphPlan } from './recognisers.ts';

/** Ids of documents, each list in the order of the reading. */
export interface IngestPreview {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Documents of vanished files with `sync`, and ids that documents have no more. */
  readonly removed: readonly string[];
  /** Documents of vanished files, which only `sync` removes. */
  readonly vanished: readonly string[];
  /** Number of documents that stay as they are. */
  readonly unchanged: number;
  /** Calls of the language model that would read documents into the graph. */
  readonly plan?: GraphPlan;
  /** Calls of the language model that would generate claims. */
  readonly claims?: GraphPlan;
}

export interface PreviewOptions {
  /** Name of the entity recogniser by which the ingest would keep a graph. */
  readonly graph?: string | undefined;
  /** `rules`, or the language model by which it would keep a claim base. */
  readonly claims?: string | undefined;
  readonly language?: GraphModelSource | undefined;
}

/** Reads all files; the folder may have no store yet. */
export async function previewIngest(
  reading: FileReading,
  folder: string,
  { graph, claims, language }: PreviewOptions = {},
): Promise<IngestPreview> {
  const stored = await storedDocuments(folder);
  const written = new Map<string, Document>();
  const added: string[] = [];
  const changed: string[] = [];
  let unchanged = 0;
  for await (const document of reading.documents()) {
    const plan = planPut([document], id => stored.get(id));
    if (plan.written.length === 0) {
      unchanged++;
      continue;
    }
    (plan.replaced.size > 0 ? changed : added).push(document.id);
    if ((graph ?? claims) !== undefined) written.set(document.id, document);
  }
  const gone = await reading.vanishedIds();
  const removed = gone.removed.filter(id => stored.has(id)).sort();
  const counts = {
    added,
    changed,
    removed,
    vanished: gone.vanished.filter(id => stored.has(id)).sort(),
    unchanged: unchanged + reading.unchanged,
  };
  const manifest = await readManifest(nodeDisk, folder);
  const stay = [...stored.values()].filter(({ id }) => !written.has(id) && !removed.includes(id));
  const read = (kept: boolean): Document[] => [...written.values(), ...(kept ? [] : stay)];
  const plan = graph && (await graphPlan(graph, read(hasGraph(manifest, graph)), language));
  const base =
    claims && (await claimsPlan(claims, read(hasClaims(manifest, claims)), language ?? {}));
  return defined({ ...counts, plan: plan || undefined, claims: base || undefined });
}

/** True if the store has a graph by this recogniser: documents of before were read. */
const hasGraph = (manifest: Manifest | undefined, graph: string): boolean =>
  manifest?.graph?.recogniser === graph && behindGraph(manifest).recogniser === undefined;

const hasClaims = (manifest: Manifest | undefined, name: string): boolean =>
  manifest?.claims?.name === name && !behindClaims(manifest);

async function storedDocuments(folder: string): Promise<ReadonlyMap<string, Document>> {
  if (!(await readManifest(nodeDisk, folder))) return new Map();
  const { documents } = await (await Store.open(folder)).snapshot();
  return new Map(documents.map(document => [document.id, document]));
}
