/**
 * Small changes on running servers, which `MULTIHOP_OPENSEARCH` (`opensearch://HOST:PORT`) and
 * `MULTIHOP_POSTGRES` name: how soon one is seen, how long 1,000 take, what kills lose, and how far
 * rankings stray from those of a fresh index. Composed passages stay there for the next run.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Document } from '../src/core/corpus/document.ts';
import { sentenceSpans } from '../src/core/text/sentences.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { readMultihopRag } from '../src/documents/data-sets/multihop-rag.ts';
import { sampleQuestions } from '../src/evaluation/question-sample.ts';
import { openEngine } from '../src/stores/servers/open-engine.ts';
import type { RemoteEngine } from '../src/stores/servers/remote-engine.ts';
import { composedPassages, realCorpus } from './corpora.ts';
import { machine, type Result, type Setting, type Task } from './measure.ts';

const call = freeCall();
/** Passages in one write of the corpus. */
const BATCH = 1000;
/** Passages, of which `--share PART` takes a part. */
const PASSAGES = 1_000_000;
const CHANGES = 1000;
const SEEN = 100;
const KILLS = 20;
const TIMEOUT_MS = 600_000;
/** Begins the text that the writer changes a document to. */
const LATER = 'Then said by ';
const WRITER = fileURLToPath(new URL('engine-changes/writer.ts', import.meta.url));

interface Server {
  readonly name: string;
  /** Returns the address of an engine. */
  readonly place: (name: string) => string;
}

/** Returns the servers that the environment names. */
function servers(say: Setting['say']): Server[] {
  const { MULTIHOP_OPENSEARCH: search, MULTIHOP_POSTGRES: sql } = process.env;
  if (!search && !sql) say('neither MULTIHOP_OPENSEARCH nor MULTIHOP_POSTGRES is set');
  return [
    ...(search ? [{ name: 'OpenSearch', place: (name: string) => `${search}/${name}` }] : []),
    ...(sql ? [{ name: 'PostgreSQL', place: (name: string) => `${sql}?schema=${name}` }] : []),
  ];
}

/** Opens an engine with at least so many composed passages. */
async function holding(url: string, size: number, { data, say }: Setting): Promise<RemoteEngine> {
  const engine = await openEngine(url, { chunker: 'whole', timeoutMs: TIMEOUT_MS });
  const { documents } = await engine.state(call);
  let batch: Document[] = [];
  let count = 0;
  for (const { id, title = '', text } of composedPassages(realCorpus(data).items, size)) {
    if (++count <= documents) continue;
    batch.push({ id, title, text, metadata: {} });
    if (batch.length < BATCH && count < size) continue;
    await engine.put(batch, call);
    batch = [];
    if (count % 20_000 === 0) say(`engines-changes: ${count} passages in ${engine.label}`);
  }
  return engine;
}

/** Passages of which each changes to one with a word of its own. */
function* changesOf(data: string, size: number): Generator<Document & { readonly word: string }> {
  const run = randomUUID().slice(0, 8);
  let at = 0;
  for (const { title = '', text } of composedPassages(realCorpus(data).items, CHANGES, 7)) {
    const id = String(Math.floor((at * size) / CHANGES)).padStart(8, '0');
    const word = `x${run}y${at++}`;
    yield { id, title, text: `${text} The mark is ${word}.`, metadata: {}, word };
  }
}

interface Spent {
  /** Milliseconds from the call of `put` to the hit in a new snapshot, ascending. */
  readonly seen: readonly number[];
  /** Seconds of all changes one after another. */
  readonly seconds: number;
}

async function change(engine: RemoteEngine, size: number, data: string): Promise<Spent> {
  const seen: number[] = [];
  for (const { word, ...document } of [...changesOf(data, size)].slice(0, SEEN)) {
    const started = performance.now();
    await engine.put([document], call);
    await using snapshot = await engine.snapshot();
    const [hits] = await snapshot.search(
      { unit: 'passage', k: 1, queries: [{ text: word }] },
      call,
    );
    if (hits![0]?.documentId !== document.id) throw new Error(`"${word}" is not found`);
    seen.push(performance.now() - started);
  }
  const changes = [...changesOf(data, size)];
  const started = performance.now();
  for (const { word: _, ...document } of changes) await engine.put([document], call);
  return { seen: seen.sort((a, b) => a - b), seconds: (performance.now() - started) / 1000 };
}

/** The outcome of kills of a writer in the middle of its changes. */
interface Killed {
  /** Acknowledged changes, and those that cannot be read. */
  readonly acknowledged: number;
  readonly lost: number;
  /** Longest wait of the next change, in milliseconds. */
  readonly longest: number;
}

async function kill(engine: RemoteEngine, url: string): Promise<Killed> {
  const acknowledged = new Map<string, string>();
  let longest = 0;
  for (let at = 0; at < KILLS; at++) {
    const writer = spawn(process.execPath, [WRITER, url, String(at)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(writer, 'exit');
    const lines = createInterface({ input: writer.stdout });
    const first = once(lines, 'line');
    lines.on('line', line => {
      const [id, text] = JSON.parse(line) as [string, string];
      acknowledged.set(id, text);
    });
    await first;
    await wait(37 * (at % 10));
    writer.kill('SIGKILL');
    await ended;
    const started = performance.now();
    await engine.put([{ id: 'next', title: '', text: `After ${at}.`, metadata: {} }], call);
    longest = Math.max(longest, performance.now() - started);
  }
  await using snapshot = await engine.snapshot();
  const stored = await snapshot.read('document', [...acknowledged.keys()], call);
  // A change whose acknowledgement the kill cut off may be stored.
  const lost = stored.filter(
    ({ id, text }) => text !== acknowledged.get(id) && !text.startsWith(LATER),
  ).length;
  await engine.remove(['next', ...acknowledged.keys()], call);
  return { acknowledged: acknowledged.size, lost, longest };
}

export const engineChanges: Task = async setting => {
  const size = Math.round((setting.share ?? 1) * PASSAGES);
  const rows: Result[] = [];
  const row = (task: string, unit: string, ours: number, note: string): void => {
    rows.push({
      task: `engines-changes: ${task}`,
      n: size,
      unit,
      ours,
      note,
      machine: machine(),
      peers: [],
    });
  };
  for (const { name, place } of servers(setting.say)) {
    const url = place(`changes${size}`);
    await using engine = await holding(url, size, setting);
    setting.say(`engines-changes: changes in ${name}`);
    const { seen, seconds } = await change(engine, size, setting.data);
    const [median, last] = [seen[SEEN >> 1]!, seen.at(-1)!].map(Math.round);
    const p95 = seen[Math.floor(0.95 * SEEN)]!;
    row(
      `a change until a new question finds it, ${name}`,
      'wall ms, p95',
      p95,
      `p50 ${median}, longest ${last} of ${SEEN}`,
    );
    row(`${CHANGES} single changes, ${name}`, 'wall s', seconds, 'one after another');
    const { acknowledged, lost, longest } = await kill(engine, url);
    const after = `${acknowledged} acknowledged; the next change waited at most ${Math.round(longest)} ms`;
    row(`changes lost after ${KILLS} kills of a writer, ${name}`, 'changes', lost, after);
  }
  return rows;
};

const SHARES = [0.01, 0.05, 0.2];
const QUESTIONS = 200;
const UNITS = ['document', 'passage', 'sentence'] as const;

/** Replaces each second sentence by one of another document. */
function changed({ text, ...document }: Document, other: Document): Document {
  const [own, theirs] = [text, other.text].map(of =>
    sentenceSpans(of).map(([from, to]) => of.slice(from, to)),
  );
  const mixed = own!.map((sentence, at) => (at % 2 === 0 ? sentence : (theirs![at] ?? sentence)));
  return { ...document, text: mixed.join(' ') };
}

async function rankings(engine: RemoteEngine, texts: readonly string[]): Promise<string[][]> {
  await using snapshot = await engine.snapshot();
  const queries = texts.map(text => ({ text }));
  const found: string[][] = [];
  for (const unit of UNITS)
    for (const ranking of await snapshot.search({ unit, k: 10, queries }, call))
      found.push(ranking.map(({ id }) => id));
  return found;
}

/** Returns the mean share of the hits of a fresh index that an index kept by changes finds. */
function agreement(kept: readonly string[][], fresh: readonly string[][]): number {
  const shares = fresh.flatMap((ids, at) =>
    ids.length === 0 ? [] : [ids.filter(id => kept[at]!.includes(id)).length / ids.length],
  );
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Changes a growing share of MultiHop-RAG, one document after another, without a merge between. */
export const engineDrift: Task = async ({ data, say }) => {
  const folder = `${data}/multihop-rag`;
  const set = await readMultihopRag(`${folder}/corpus.json`, `${folder}/MultiHopRAG.dev.json`);
  const texts = sampleQuestions(set.examples, QUESTIONS).examples.map(one => one.question.text);
  const count = set.documents.length;
  const rows: Result[] = [];
  for (const { name, place } of servers(say)) {
    const open = (): Promise<RemoteEngine> =>
      openEngine(place(`drift${randomUUID().slice(0, 8)}`), { timeoutMs: TIMEOUT_MS });
    await using kept = await open();
    await kept.put(set.documents, call);
    const now = [...set.documents];
    // Each 7th of the list, round and round: neighbours are of one day.
    const order = Array.from({ length: count }, (_, at) => (at * 7) % count);
    let done = 0;
    for (const share of SHARES) {
      for (; done < share * count; done++) {
        const at = order[done]!;
        now[at] = changed(now[at]!, set.documents[(at + 301) % count]!);
        await kept.put([now[at]!], call);
      }
      say(`engines-drift: ${done} of ${count} changed in ${name}`);
      await using fresh = await open();
      await fresh.put(now, call);
      rows.push({
        task: `engines-drift: agreement@10 with a fresh index after changes of ${100 * share} %, ${name}`,
        n: count,
        unit: 'share of hits',
        ours: agreement(await rankings(kept, texts), await rankings(fresh, texts)),
        note: `${done} single changes; ${texts.length} questions, documents, passages and sentences`,
        machine: machine(),
        peers: [],
      });
      await fresh.remove(
        now.map(({ id }) => id),
        call,
      );
    }
    await kept.remove(
      now.map(({ id }) => id),
      call,
    );
  }
  return rows;
};
