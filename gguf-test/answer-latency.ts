/**
 * `MULTIHOP_GGUF=FOLDER npm run -s node24 -- gguf-test/answer-latency.ts [QUESTIONS=12]`: asks
 * questions of the demo with a real model at 510 tokens of evidence, in free form, and prints the
 * seconds until the first word and until the answer: in a warm session, whose model knows the
 * beginning of its prompt, and by a command that loads the model.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { ask, ingest } from '../src/index.ts';
import { ggufLanguageModel } from '../src/providers/llama/gguf-language-model.ts';

const FOLDER = process.env.MULTIHOP_GGUF ?? '';
const name = readdirSync(FOLDER).find(file => file.endsWith('.gguf'));
if (name === undefined) throw new Error(`MULTIHOP_GGUF: expected a folder with a file *.gguf`);
const file = join(FOLDER, name);
const BIN = fileURLToPath(new URL('../tools/multihop.mjs', import.meta.url));
const DEMO = new URL('../demo/', import.meta.url);
const demo = (part: string): string => readFileSync(new URL(part, DEMO), 'utf8');
const documents = demo('corpus.jsonl')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as { id: string; text: string });
const questions = (JSON.parse(demo('questions.json')) as { query: string }[]).map(
  ({ query }) => query,
);
const count = Number(process.argv[2] ?? 12);

const how = {
  engine: await ingest(documents),
  strategy: 'fact-lanes(tokens=510)',
  // The model is asked each time: sure rules take no time worth a figure.
  reader: 'cascade(sure=1.01)',
  answerAt: 0,
};
const load = (): Promise<unknown> => import('node-llama-cpp');
const model = await ggufLanguageModel({ file, gpu: false, load });

interface Timed {
  readonly first: number;
  readonly whole: number;
}

async function timed(question: string): Promise<Timed> {
  const start = performance.now();
  let first = Number.NaN;
  const onText = (): void => {
    if (Number.isNaN(first)) first = performance.now() - start;
  };
  await ask(question, { ...how, model, onText });
  return { first, whole: performance.now() - start };
}

// The first question pays for the beginning of the prompt.
await timed(questions[0]!);
const times: Timed[] = [];
for (const question of questions.slice(1, 1 + count)) times.push(await timed(question));
await model.close();

const median = (values: readonly number[]): string => {
  const sorted = values.filter(value => !Number.isNaN(value)).sort((a, b) => a - b);
  return ((sorted[Math.floor(sorted.length / 2)] ?? Number.NaN) / 1000).toFixed(1);
};
const store = join(mkdtempSync(join(tmpdir(), 'multihop-latency-')), 'demo.store');
const command = (...words: string[]): number | null =>
  spawnSync(process.execPath, [BIN, ...words, '--store', store], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: 'ignore',
  }).status;
command('ingest', fileURLToPath(new URL('corpus.jsonl', DEMO)));
const started = performance.now();
const choices = ['--strategy', how.strategy, '--reader', how.reader, '--model', `gguf:${file}`];
const status = command('ask', questions[1]!, ...choices);
const oneShot = (performance.now() - started) / 1000;
console.log(`${name}, ${availableParallelism()} cores, ${times.length} questions`);
console.log(`first word, p50: ${median(times.map(({ first }) => first))} s`);
console.log(`answer, p50: ${median(times.map(({ whole }) => whole))} s`);
console.log(`a command that loads the model: ${oneShot.toFixed(1)} s (exit ${status})`);
