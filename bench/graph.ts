/**
 * The graph of sentences over 6,119 passages with vectors at hand: build, size, opening, one
 * document more or less, and the expansion of a question; then PageRank.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sentencesOf } from '../src/core/corpus/chunker.ts';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { cachedEmbedder } from '../src/models/cached-embedder.ts';
import type { Embedder } from '../src/models/embedder.ts';
import { nameRecogniser } from '../src/models/name-recogniser.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { resolveModel } from '../src/providers/resolve-model.ts';
import type { DerivedIndex, DerivedSource } from '../src/search/derived/derived-index.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { nearestSentences } from '../src/search/graphs/nearest-sentences.ts';
import { sentenceEntities } from '../src/search/graphs/sentence-entities.ts';
import { entityLayer, semantic, semanticLayer } from '../src/search/graphs/sentence-graph.ts';
import { DOCUMENT_LINKS } from '../src/search/links/document-links.ts';
import { ENTITY_WALKS } from '../src/search/ports/entity-walks-port.ts';
import { NEIGHBOURS } from '../src/search/ports/neighbours-port.ts';
import type { Snapshot } from '../src/search/snapshot.ts';
import { textTemplates } from '../src/search/vectors/text-templates.ts';
import { Store } from '../src/stores/disk/index.ts';
import { VectorCacheFolder } from '../src/stores/disk/vector-cache.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { realCorpus } from './corpora.ts';
import { machine, median, type Result, type Setting, type Spent, type Task } from './measure.ts';
import { pageRank } from './page-rank.ts';
import { now, since } from './tree-hop-store.ts';

const call = freeCall();
const template = textTemplates.create('header');
/** Documents that are added and removed in turn. */
const WRITES = 20;
const QUESTIONS = 100;
const SEEDS = 3;

/** Vectors at hand: those of words by hashes, or of a model, read from a cache or made once. */
async function vectorsAtHand(
  { embedder: name, cache: folder, say }: Setting,
  documents: readonly Document[],
): Promise<Embedder> {
  const texts = documents.flatMap(document =>
    sentencesOf(document).map(sentence => template.passage(document, sentence)),
  );
  const cache = folder === undefined ? undefined : new VectorCacheFolder(folder);
  const model =
    name === undefined ? undefined : await resolveModel('embedder', name, { env: process.env });
  const made = model ?? hashedEmbedder('hashed', 384);
  const embedder = model && cache ? cachedEmbedder(model, cache, { hash: sha256 }) : made;
  const known = new Map<string, Float32Array>();
  for (let from = 0; from < texts.length; from += 4096) {
    const some = texts.slice(from, from + 4096);
    const vectors = await embedder.embed(some, 'passage', call);
    for (const [at, vector] of vectors.entries()) known.set(some[at]!, vector);
    say(`graph: vectors of ${from + some.length} of ${texts.length} sentences`);
  }
  await cache?.close();
  await (model as { close?(): Promise<void> } | undefined)?.close?.();
  const embed: Embedder['embed'] = async given => given.map(text => known.get(text)!);
  return { id: name ?? 'hashed', dimensions: embedder.dimensions, embed };
}

const spentBy = async (work: () => unknown): Promise<Spent> => {
  const started = now();
  await work();
  return since(started);
};

interface Row {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly note: string;
}

const times = (what: string, spent: readonly Spent[], note = ''): Row => ({
  what,
  unit: 'wall ms, p50',
  ours: median(spent.map(({ wall }) => wall)),
  note: `CPU p50 ${median(spent.map(({ cpu }) => cpu)).toPrecision(3)} ms${note}`,
});

async function building(snapshot: Snapshot, labels: readonly string[]): Promise<Row> {
  const [id] = (await snapshot.parts('sentence', [snapshot.documents[0]!.id], call))[0]!;
  const request = { unit: 'sentence', ids: [id!.id], labels } as const;
  const spent = await spentBy(() => snapshot.port(NEIGHBOURS)!.neighbours(request, call));
  return times('build, no model called, and the first edges', [spent]);
}

/** Seeds by words, then edges of every label: of the seeds, and of all that they lead to. */
async function expansion(
  snapshot: Snapshot,
  labels: readonly string[],
  questions: readonly string[],
): Promise<Row[]> {
  const port = snapshot.port(NEIGHBOURS)!;
  const orders = [1, 2].map(() => ({ spent: [] as Spent[], reached: [] as number[] }));
  for (const text of questions) {
    const query = { unit: 'sentence', k: SEEDS, queries: [{ text }] } as const;
    let ids = (await snapshot.search(query, call))[0]!.map(({ id }) => id);
    const reached = new Set(ids);
    let [wall, cpu] = [0, 0];
    for (const { spent, reached: counts } of orders) {
      const started = now();
      const lists = await port.neighbours({ unit: 'sentence', ids, labels }, call);
      ids = [...new Set(lists.flat().map(({ to }) => to))].filter(to => !reached.has(to));
      for (const to of ids) reached.add(to);
      const took = since(started);
      [wall, cpu] = [wall + took.wall, cpu + took.cpu];
      spent.push({ wall, cpu });
      counts.push(reached.size);
    }
  }
  return orders.map(({ spent, reached }, order) =>
    times(
      `expansion of ${SEEDS} seeds to order ${order + 1}`,
      spent.slice(QUESTIONS / 4),
      `, ${median(reached)} sentences reached`,
    ),
  );
}

/** From the names of a question to the first 20 passages, by a walk over entities and passages. */
async function walking(snapshot: Snapshot, questions: readonly string[]): Promise<Row[]> {
  const walks = snapshot.port(ENTITY_WALKS)!;
  const [ready, spent]: Spent[][] = [[], []];
  // The strategies that walk join names that may mean one entity by default.
  const request = { unit: 'document', through: 'items', k: 20, synonyms: true } as const;
  for (const text of questions) {
    const read = [{ title: '', sentences: [text] }];
    const [found] = await nameRecogniser.recognise(read, call);
    const started = now();
    const named = await walks.entities('document', found!.sentences.flat(), call);
    const seeds = named.flatMap(one => (one ? [[one.name, 1 / one.items] as const] : []));
    await walks.walk({ ...request, entities: seeds }, call);
    (ready!.length === 0 ? ready! : spent!).push(since(started));
  }
  return [
    times(
      'the first walk over entities and passages, synonyms joined: their graph is made',
      ready!,
    ),
    times('a walk over entities and passages, synonyms joined', spent!),
  ];
}

/** A document less and more; beside it, with what is computed of the collection each time. */
async function writing(
  source: DerivedSource,
  indexes: readonly [DerivedIndex, (index: never) => unknown][],
): Promise<Row[]> {
  const { documents } = source;
  const step = Math.floor(documents.length / (WRITES + 1));
  const states = new Map<DerivedIndex, unknown>();
  for (const [index] of indexes)
    states.set(index, await index.add(index.empty(), source.documents, source, call));
  const rounds: Row[][] = [];
  for (const what of ['deleted', 'added']) {
    const [alone, ready]: Spent[][] = [[], []];
    for (let at = 0; at < WRITES; at++) {
      const document = documents[(at + 1) * step]!;
      const ids = new Set([document.id]);
      const written = await spentBy(async () => {
        for (const [index] of indexes) {
          const state = states.get(index);
          const next =
            what === 'deleted'
              ? index.remove!(state, ids)
              : await index.add!(state, [document], source, call);
          states.set(index, next);
        }
      });
      const seen = await spentBy(() =>
        indexes.forEach(([index, view]) => void view(states.get(index) as never)),
      );
      alone!.push(written);
      ready!.push({ wall: written.wall + seen.wall, cpu: written.cpu + seen.cpu });
    }
    const first = `, the first ${alone![0]!.cpu.toPrecision(3)} ms of CPU`;
    rounds.push([
      times(`one document ${what}`, alone!, first),
      times(`one document ${what}, and edges ready`, ready!),
    ]);
  }
  return rounds.flat();
}

async function storing(
  documents: readonly Document[],
  indexes: readonly [DerivedIndex, (index: never) => unknown][],
): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'graph-'));
  try {
    const store = await Store.open(folder, { create: true, chunker: 'whole' });
    await store.put(documents, call);
    for (const [index] of indexes) await store.keep(index, call);
    const bytes = store.manifest.derived!.reduce((sum, file) => sum + file.bytes, 0);
    const opened: Spent[] = [];
    const ready: Spent[] = [];
    for (let round = 0; round < 5; round++) {
      const snapshot = await (await Store.open(folder)).snapshot();
      // Any derived index needs the documents and their fingerprints.
      await snapshot.openDerived(DOCUMENT_LINKS, call);
      const read: unknown[] = [];
      opened.push(
        await spentBy(async () => {
          for (const [index] of indexes) read.push((await snapshot.openDerived(index, call)).index);
        }),
      );
      ready.push(
        await spentBy(() => indexes.forEach(([, view], at) => void view(read[at] as never))),
      );
    }
    return [
      { what: 'size on the disk', unit: 'MB', ours: bytes / 1e6, note: '' },
      times('opened: read, verified, unpacked, beside documents that are read', opened),
      times('edges ready after opening', ready),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const graph: Task = async setting => {
  const { items, questions } = realCorpus(setting.data);
  const documents: Document[] = items.map(item => ({ ...item, title: item.title ?? '' }));
  const embedder = await vectorsAtHand(setting, documents);
  const engine = new EmbeddedEngine({ documents, chunker: 'whole', embedders: [embedder] });
  const { current } = engine;
  const sentences = current.itemsOf('sentence').size;
  const labels = ['adjacent', 'entity', semantic(embedder.id)];
  const indexes: [DerivedIndex, (index: never) => unknown][] = [
    [sentenceEntities() as DerivedIndex, entityLayer],
    [nearestSentences(embedder, template) as DerivedIndex, semanticLayer],
  ];
  const rows = [
    await building(current, labels),
    ...(await expansion(current, labels, questions.slice(0, QUESTIONS))),
    ...(await walking(current, questions.slice(0, QUESTIONS))),
    ...(await storing(documents, indexes)),
    ...(await writing(current.derivedSource, indexes)),
  ];
  const results = rows.map(
    ({ what, ...row }): Result => ({
      task: `graph: ${what}, ${embedder.id}`,
      n: sentences,
      ...row,
      peers: [],
      machine: machine(),
    }),
  );
  return [...results, ...(await pageRank(setting))];
};
