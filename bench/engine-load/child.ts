/**
 * Holds composed passages in one engine and asks it: `child.ts WHAT DATA PASSAGES QUESTIONS
 * IN_FLIGHT [opensearch://...]`, without an address in an embedded one. WHAT is `write`, `ask` or
 * `both`. Prints one line of JSON.
 */
import type { Document } from '../../src/core/corpus/document.ts';
import { defined } from '../../src/core/defined.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import type { Engine } from '../../src/search/engine.ts';
import type { LexicalItem } from '../../src/search/indexes/lexical/lexical-index.ts';
import { openOpenSearch } from '../../src/stores/servers/opensearch.ts';
import type { RemoteEngine } from '../../src/stores/servers/remote-engine.ts';
import { composedPassages, realCorpus } from '../corpora.ts';
import { type Asked, askAll, type ServerCpu, WAYS } from './asking.ts';

export interface Written {
  readonly passages: number;
  /** Wall seconds of all writes, and of the first search of each unit. */
  readonly seconds: number;
}

export interface Loaded {
  readonly written?: Written;
  readonly asked: readonly Asked[];
  /** MB that this process holds at the end. */
  readonly resident: number;
}

/** Passages in one write. */
const BATCH = 1000;
/**
 * Milliseconds that a request may wait, 20 times the default: with so many questions at once on few
 * cores a request waits for those before it.
 */
const TIMEOUT_MS = 600_000;
const SAY_EVERY = 50_000;

async function write(engine: Engine, passages: Iterable<Document>): Promise<Written> {
  const started = performance.now();
  const writer = { count: 0, batch: [] as Document[] };
  const flush = async (): Promise<void> => {
    await engine.put(writer.batch, freeCall());
    writer.count += writer.batch.length;
    writer.batch = [];
    if (writer.count % SAY_EVERY === 0) console.error(`bench: ${writer.count} passages written`);
  };
  for (const passage of passages) if (writer.batch.push(passage) === BATCH) await flush();
  await flush();
  // An embedded engine indexes what was written when it is asked.
  for (const way of WAYS) await askAll(engine, way, ['x'], 1);
  return { passages: writer.count, seconds: (performance.now() - started) / 1000 };
}

/** Makes them one after another, so that no list of all is held. */
function* composed(real: readonly LexicalItem[], size: number): Generator<Document> {
  for (const { id, title = '', text } of composedPassages(real, size))
    yield { id, title, text, metadata: {} };
}

const spread = <T>(list: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)]!);

interface NodeStats {
  readonly nodes: Readonly<
    Record<string, { readonly process: { readonly cpu: { readonly total_in_millis: number } } }>
  >;
}

const cpuOfServers =
  (url: string): ServerCpu =>
  async () => {
    const answer = await fetch(`http://${new URL(url).host}/_nodes/stats/process`);
    const { nodes } = (await answer.json()) as NodeStats;
    return Object.values(nodes).reduce((sum, one) => sum + one.process.cpu.total_in_millis, 0);
  };

async function askWays(
  engine: Engine,
  questions: readonly string[],
  inFlight: number,
  url: string | undefined,
): Promise<Asked[]> {
  const serverCpu = url === undefined ? undefined : cpuOfServers(url);
  const asked: Asked[] = [];
  for (const way of WAYS) {
    // The first questions read the catalogue and compile code, which is no part of the load.
    await askAll(engine, way, questions.slice(0, 2), 1);
    for (const atOnce of [1, inFlight]) {
      // One after another is for a comparison only, and would take long.
      const chosen = atOnce === 1 ? spread(questions, Math.min(10, questions.length)) : questions;
      console.error(`bench: ${chosen.length} questions, ${atOnce} at once, ${way.name}`);
      asked.push(await askAll(engine, way, chosen, atOnce, serverCpu));
    }
  }
  return asked;
}

async function load(engine: Engine | RemoteEngine, words: readonly string[]): Promise<Loaded> {
  const [what, data, passages, questions, inFlight, url] = words;
  const real = realCorpus(data!);
  const written =
    what === 'ask' ? undefined : await write(engine, composed(real.items, Number(passages)));
  const chosen = spread(real.questions, Number(questions));
  const asked = what === 'write' ? [] : await askWays(engine, chosen, Number(inFlight), url);
  const resident = process.memoryUsage().rss / 1e6;
  return defined({ written, asked, resident });
}

const [, , ...words] = process.argv;
const url = words[5];
const chunker = 'whole';
const engine = url
  ? await openOpenSearch(url, { chunker, timeoutMs: TIMEOUT_MS })
  : new EmbeddedEngine({ chunker });
console.log(JSON.stringify(await load(engine, words)));
if ('close' in engine) await engine.close();
