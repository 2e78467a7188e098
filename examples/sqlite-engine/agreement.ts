/**
 * Prints how far the SQLite engine agrees with the embedded one over the news articles of
 * MultiHop-RAG, and what each takes: `node examples/sqlite-engine/agreement.ts FOLDER [QUESTIONS]`,
 * after `npm run build`. FOLDER holds `corpus.json` and `MultiHopRAG.dev.json`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, type Engine } from 'multihop';
import { readDataSet } from 'multihop/formats';
import { EmbeddedEngine } from 'multihop/retrieval';
import { SqliteEngine } from './sqlite-engine.ts';

const RUNS = [
  ['one search of passages', { strategy: 'fixed-top-k(k=10)', retriever: 'lexical' }],
  ['fact-lanes', { strategy: 'fact-lanes', retriever: 'lexical(unit=sentence)' }],
] as const;
const [, , folder, count = '100'] = process.argv;
if (folder === undefined) throw new Error('usage: agreement.ts FOLDER [QUESTIONS]');

const { documents, examples } = await readDataSet('multihop-rag', {
  corpus: join(folder, 'corpus.json'),
  questions: join(folder, 'MultiHopRAG.dev.json'),
});
const texts = examples.slice(0, Number(count)).map(({ question }) => question.text);
const store = mkdtempSync(join(tmpdir(), 'sqlite-engine-'));
try {
  const started = performance.now();
  using sqlite = new SqliteEngine(join(store, 'news.sqlite'));
  await sqlite.put(documents);
  const seconds = (performance.now() - started) / 1000;
  console.log(`${documents.length} articles written in ${seconds.toFixed(1)} s`);
  await using snapshot = await sqlite.snapshot();
  const embedded = new EmbeddedEngine({ documents });
  for (const [name, members] of RUNS) {
    const ranked = async (engine: Engine | typeof snapshot, text: string): Promise<string[]> =>
      (await ask(text, { engine, ...members, reader: 'evidence-only' })).ranking.slice(0, 10);
    let shared = 0;
    const spent = { sqlite: 0, embedded: 0 };
    for (const text of texts) {
      const first = performance.now();
      const ours = await ranked(embedded, text);
      const second = performance.now();
      const theirs = new Set(await ranked(snapshot, text));
      spent.embedded += second - first;
      spent.sqlite += performance.now() - second;
      shared += ours.filter(id => theirs.has(id)).length / Math.max(1, ours.length);
    }
    const each = (ms: number): string => `${(ms / texts.length).toFixed(0)} ms`;
    console.log(
      `${name}: ${(shared / texts.length).toFixed(3)} of the first ten documents agree over ${texts.length} questions; a question takes ${each(spent.sqlite)} here, ${each(spent.embedded)} in the embedded engine`,
    );
  }
} finally {
  rmSync(store, { recursive: true });
}
