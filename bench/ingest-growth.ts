/**
 * The cost of writing while searching: time per document as a corpus grows, one put until the next
 * search sees it, and queries over many small segments against one.
 */
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { syntheticCorpus } from './corpora.ts';
import { machine, median, perQuery, type Result, type Setting, type Task } from './measure.ts';

const GROWTH = [10_000, 20_000, 40_000, 80_000, 160_000, 320_000];
const BATCH = 1000;
const PASSAGES = 100_000;
const SINGLE_PUTS = 1000;
const K = 10;
const call = freeCall();

interface Documents {
  readonly documents: readonly Document[];
  readonly questions: readonly string[];
}

/** Passages of real sentences; ids in an order that has nothing to do with that of the puts. */
function documentsOf(data: string, size: number): Documents {
  const { items, questions } = syntheticCorpus(data, size);
  const documents = items.map((item, at) => ({
    ...item,
    id: `${(Math.imul(at, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}`,
  }));
  return { documents, questions };
}

/** The title and the first sentence of a passage: documents whose cost is mostly their number. */
const tiny = (document: Document): Document => ({
  ...document,
  text: document.text.split(/(?<=[.!?])\s+/)[0]!,
});

async function search(engine: EmbeddedEngine, text: string): Promise<void> {
  await engine.current.search({ unit: 'passage', k: K, queries: [{ text }] }, call);
}

/** CPU microseconds of this thread per document, up to each size. */
interface Growth {
  readonly ingest: ReadonlyMap<number, number>;
  readonly questions: ReadonlyMap<number, number>;
}

/**
 * Times puts, each with a search for an absent word, which makes the put visible, and the question
 * that follows each.
 */
async function growth({ documents, questions }: Documents): Promise<Growth> {
  const ingest = new Map<number, number>();
  const asked = new Map<number, number>();
  const engine = new EmbeddedEngine({ chunker: 'whole' });
  let [writing, asking] = [0, 0];
  for (let from = 0; from < documents.length; from += BATCH) {
    const before = process.threadCpuUsage();
    await engine.put(documents.slice(from, from + BATCH), call);
    await search(engine, 'absentword');
    writing += microseconds(process.threadCpuUsage(before));
    const between = process.threadCpuUsage();
    await search(engine, questions[(from / BATCH) % questions.length]!);
    asking += microseconds(process.threadCpuUsage(between));
    const size = from + BATCH;
    if (!GROWTH.includes(size)) continue;
    ingest.set(size, writing / size);
    asked.set(size, asking / (size / BATCH));
  }
  return { ingest, questions: asked };
}

const microseconds = ({ user, system }: NodeJS.CpuUsage): number => user + system;

/** Measures the first size several times: it is what the others are compared with. */
async function steadyGrowth(documents: Documents, runs: number): Promise<Growth> {
  const few = { ...documents, documents: documents.documents.slice(0, GROWTH[0]) };
  const firsts: Growth[] = [];
  for (let run = 0; run < runs; run++) firsts.push(await growth(few));
  const all = await growth(documents);
  const first = (costs: (one: Growth) => ReadonlyMap<number, number>): Map<number, number> =>
    new Map([...costs(all), [GROWTH[0]!, median(firsts.map(one => costs(one).get(GROWTH[0]!)!))]]);
  return { ingest: first(one => one.ingest), questions: first(one => one.questions) };
}

function growthRows({ ingest, questions }: Growth, note: string): Result[] {
  const first = ingest.get(GROWTH[0]!)!;
  return [...ingest].map(([n, ours]) => ({
    task: 'ingest-growth',
    n,
    unit: 'CPU µs per document',
    ours,
    peers: [],
    note: `${note}; ${(ours / first).toFixed(2)} times that of the first ${GROWTH[0]}; a question after each put ${(questions.get(n)! / 1000).toFixed(2)} ms`,
    machine: machine(),
  }));
}

interface Latencies {
  readonly engine: EmbeddedEngine;
  /** Milliseconds from a put of one document to the end of a search after it. */
  readonly wall: readonly number[];
}

async function singlePuts(base: Documents, more: readonly Document[]): Promise<Latencies> {
  const engine = new EmbeddedEngine({ chunker: 'whole', documents: base.documents });
  await search(engine, base.questions[0]!);
  const wall: number[] = [];
  for (const [at, document] of more.entries()) {
    const started = performance.now();
    await engine.put([document], call);
    await search(engine, base.questions[at % base.questions.length]!);
    wall.push(performance.now() - started);
  }
  return { engine, wall };
}

function putRow(n: number, wall: readonly number[]): Result {
  const sorted = [...wall].sort((a, b) => a - b);
  const at = (share: number): string => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(2);
  return {
    task: 'put-to-search',
    n,
    unit: 'ms',
    ours: median(wall),
    peers: [],
    note: `of ${wall.length} puts of one document, each followed by a search; 90 % within ${at(0.9)}, 99 % within ${at(0.99)}, all within ${at(1)}`,
    machine: machine(),
  };
}

/** Compares queries over the segments of single puts with the same corpus merged, in turns. */
async function segmentedQueries(
  engine: EmbeddedEngine,
  questions: readonly string[],
  runs: number,
): Promise<Result> {
  const inSegments = engine.current;
  engine.merge();
  const merged = engine.current;
  const few = questions.slice(0, 200);
  const ask = async (snapshot: typeof merged): Promise<void> => {
    for (const text of few)
      await snapshot.search({ unit: 'passage', k: K, queries: [{ text }] }, call);
  };
  const [many, one]: number[][] = [[], []];
  for (let run = 0; run < runs; run++) {
    many!.push((await perQuery(few.length, () => ask(inSegments))).cpu);
    one!.push((await perQuery(few.length, () => ask(merged))).cpu);
  }
  return {
    task: 'segments-query',
    n: merged.corpus.size,
    unit: 'CPU ms per query',
    ours: median(many!),
    peers: [],
    note: `over ${inSegments.corpus.segments.length} segments; ${median(one!).toFixed(4)} ms after a merge, ${(median(many!) / median(one!)).toFixed(2)} times`,
    machine: machine(),
  };
}

export const ingestGrowth: Task = async ({ data, runs, say }: Setting) => {
  say(`ingest-growth: making ${GROWTH.at(-1)} documents`);
  const { documents, questions } = documentsOf(data, GROWTH.at(-1)!);
  const base = { documents: documents.slice(0, PASSAGES), questions };
  const more = documents.slice(PASSAGES, PASSAGES + SINGLE_PUTS);
  const results: Result[] = [];
  await growth({ documents: documents.slice(0, 5 * BATCH), questions });
  for (const [note, list] of [
    ['one sentence each', documents.map(tiny)],
    ['passages', documents],
  ] as const) {
    say(`ingest-growth: ${note}, ${BATCH} a put, a search after each`);
    results.push(...growthRows(await steadyGrowth({ documents: list, questions }, runs), note));
  }
  for (const size of [6000, PASSAGES]) {
    say(`ingest-growth: ${SINGLE_PUTS} single puts onto ${size} passages`);
    const onto = { documents: base.documents.slice(0, size), questions };
    const { engine, wall } = await singlePuts(onto, more);
    results.push(putRow(size, wall), await segmentedQueries(engine, questions, runs));
  }
  return results;
};
