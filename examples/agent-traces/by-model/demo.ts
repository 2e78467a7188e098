/** Holds what every agent by a model has: model, instructions, limits, the store, the questions. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DocumentStore, openStore } from 'multihop';

const DEMO = join(import.meta.dirname, '..', '..', '..', 'demo');
/** Questions of two hops, by their place in the file. */
const ASKED = [1, 4];

export const { MODEL_URL = '', MODEL = 'qwen2.5-coder-1.5b-instruct' } = process.env;
export const BUDGET = { documents: 4, contextTokens: 300 };
export const STEPS = 4;
export const INSTRUCTIONS =
  'Call retrieve with the question. Then answer in a few words, from the evidence alone.';

/** Opens a new store of the demo documents; `place` is its folder. */
export async function demoStore(): Promise<{ place: string; store: DocumentStore }> {
  const place = mkdtempSync(join(tmpdir(), 'demo-'));
  const store = await openStore(place);
  const lines = readFileSync(join(DEMO, 'corpus.jsonl'), 'utf8').trim().split('\n');
  await store.ingest(lines.map(line => JSON.parse(line)));
  return { place, store };
}

export function asked(): string[] {
  const questions = JSON.parse(readFileSync(join(DEMO, 'questions.json'), 'utf8'));
  return ASKED.map(at => questions[at].query);
}

/** Writes what a library recorded; of records of multihop the evidence alone, to stay small. */
export const written = (recorded: object): string =>
  JSON.stringify(recorded, (_, value) =>
    value?.evidence && value.hops ? { evidence: value.evidence } : value,
  );
