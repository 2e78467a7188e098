/**
 * Size of a machine for `multihop serve`: questions a second of one core, by the CPU time of the
 * server, and memory of a document, by stores of two sizes. The server is the real command, and one
 * client asks at a time: other work on the machine changes CPU time little. `--share PART` takes a
 * part of the documents.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { machine, type Result, type Setting, type Task } from './measure.ts';
import { inTurn } from './server-load/bed.ts';
import { HEADERS } from './server-load/cannon.ts';
import { Serving } from './server-load/children.ts';
import { loadQuestions } from './server-load/real-documents.ts';
import { writtenStore } from './server-load/written-store.ts';

/** Documents of the stores. */
const SIZES = [10_000, 100_000];
/** Questions before the measurement, in which code and indexes compile. */
const WARM = 100;
const QUESTIONS = 200;
const MB = 1024 * 1024;

/** Requests of each kind: the path, and the body of a question. */
const KINDS = {
  'search by words': { path: '/v1/search', body: (query: string) => ({ query }) },
  'ask by default': { path: '/v1/ask', body: (question: string) => ({ question }) },
} as const;

interface Needs {
  /** Questions a second of one core by kind. */
  readonly perSecond: Readonly<Record<string, number>>;
  /** Bytes of the process after all questions and a collection. */
  readonly resident: number;
}

async function needsOf(store: string, next: () => string): Promise<Needs> {
  await using serving = await Serving.start({ store });
  const perSecond: Record<string, number> = {};
  for (const [kind, { path, body }] of Object.entries(KINDS)) {
    const ask = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at++) {
        const sent = { method: 'POST', headers: HEADERS, body: JSON.stringify(body(next())) };
        const response = await fetch(serving.url + path, sent);
        const text = await response.text();
        if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
      }
    };
    await ask(WARM);
    const before = (await serving.sample()).cpu;
    await ask(QUESTIONS);
    perSecond[kind] = (1000 * QUESTIONS) / ((await serving.sample()).cpu - before);
  }
  return { perSecond, resident: (await serving.sample(true)).rss };
}

export const capacity: Task = async ({ data, say, cache, share = 1 }: Setting) => {
  const folder = cache
    ? join(resolve(cache), 'capacity')
    : mkdtempSync(join(tmpdir(), 'multihop-capacity-'));
  mkdirSync(folder, { recursive: true });
  try {
    const results: Result[] = [];
    const add = (task: string, n: number, unit: string, ours: number): void => {
      results.push({ task: `capacity: ${task}`, n, unit, ours, peers: [], machine: machine() });
    };
    const sizes = SIZES.map(size => Math.max(100, Math.round(size * share)));
    const memory: number[] = [];
    for (const size of sizes) {
      const store = writtenStore({ folder, data, size, say });
      say(`${QUESTIONS} questions of each kind over ${size} documents`);
      const { perSecond, resident } = await needsOf(store, inTurn(loadQuestions(data)));
      for (const [kind, each] of Object.entries(perSecond))
        add(kind, size, 'a second of a core', each);
      add('memory of the server', size, 'MB', resident / MB);
      memory.push(resident);
    }
    const [small, large] = sizes as [number, number];
    const each = (memory[1]! - memory[0]!) / (large - small);
    add('memory of a document more', large - small, 'bytes', each);
    return results;
  } finally {
    if (!cache) rmSync(folder, { recursive: true, force: true });
  }
};
