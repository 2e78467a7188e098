/**
 * `npm run results:agents -- [--record URL] [--cache DIR] [--out DIR]`: measures one agent and one
 * script with three sets of tools over the documents of `bench/documents`, and writes the report
 * `agents`. Needs `npm ci --prefix bench/agents --omit=optional --ignore-scripts`. `--record` asks
 * the model behind an OpenAI-compatible server (`lab/models/serve_gguf.py`) what is not recorded; a
 * second call goes on. Without it the agent is replayed from the recorded replies, of which a
 * change of what tools return leaves out questions.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { report, resultsFile } from '../../lab/results/reports/agents.ts';
import { runReport } from '../../lab/results/runner.ts';
import { ROOT } from '../../lab/results/steps.ts';
import { versionOf } from '../../lab/results/versions.ts';
import { BOOTSTRAP } from '../../src/evaluation/resamples.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { documentsOf, fetchCorpus } from '../documents/corpus.ts';
import { askAgent } from './agent.ts';
import { indexOf, type Places, SETS } from './indexes.ts';
import { jsonModel, NotRecorded, type Replies } from './json-model.ts';
import { type AgentOutcome, agentOutcome, chosenQuestions, type MeasuredSet } from './outcomes.ts';
import type { ToolSet } from './tool-set.ts';

/** Name at the server; any server with this model will do. */
const MODEL = 'qwen2.5-coder-1.5b-instruct-q4_k_m';
const KEPT = fileURLToPath(new URL('replies.br', import.meta.url));
const here = (name: string): URL => new URL(name, import.meta.url);

const { values } = parseArgs({
  options: { record: { type: 'string' }, cache: { type: 'string' }, out: { type: 'string' } },
});
const cache = resolve(values.cache ?? process.env['MULTIHOP_CACHE'] ?? join(ROOT, '.cache'));
const work = join(ROOT, '.cache', 'results', 'agents');
mkdirSync(work, { recursive: true });
const corpus = await fetchCorpus(cache, line => console.error(line));
const places: Places = { corpus: corpus.folder, work };
const questions = chosenQuestions();
const agents = await askAgents();
const control = agents.get('none')!;
const files = readdirSync(here('.')).filter(name => name.endsWith('.ts'));
const sources = versionOf('src', 'bench/documents', ...files.map(name => `bench/agents/${name}`));
const sets = Object.keys(SETS).map(name => ({ ...scriptOf(name), agent: agents.get(name)! }));
const { dependencies } = JSON.parse(readFileSync(here('package.json'), 'utf8'));
const manifest = {
  node: process.version,
  model: MODEL,
  packages: dependencies,
  sources,
  bootstrap: BOOTSTRAP,
  corpus: sha256(readFileSync(here('../documents/corpus.json'))),
  questions: sha256(questions.map(({ id }) => id).join()),
  replies: sha256(readFileSync(KEPT)),
};
const documents = documentsOf(corpus).length;
writeFileSync(resultsFile(work), JSON.stringify({ documents, manifest, sets, control }));
const given = { data: '', work, options: {} };
const out = resolve(values.out ?? join(ROOT, 'results', 'agents'));
const rendered = { steps: [], embed: false, keep: false, renderOnly: true };
await runReport(report(given), { given, cache, out, ...rendered });

/** Runs the script with one set in a process of its own, whose memory is that of the tools. */
function scriptOf(name: string): Omit<MeasuredSet, 'agent'> {
  const file = join(work, `script-${name}-${sources}.json`);
  const index = indexOf(name, places);
  if (!existsSync(file)) {
    const words = [fileURLToPath(here('script.ts')), name, places.corpus, work, file];
    const done = spawnSync(process.execPath, words, { stdio: ['ignore', 2, 2] });
    if (done.status !== 0) throw new Error(`script ${name}: exit code ${done.status}`);
  }
  return { ...JSON.parse(readFileSync(file, 'utf8')), index };
}

/** Asks each question with every set; leaves out those of which a reply is not recorded. */
async function askAgents(): Promise<Map<string, AgentOutcome[]>> {
  const replies = readReplies();
  const model = jsonModel(MODEL, replies);
  for (const name of Object.keys(SETS)) indexOf(name, places);
  const opened = await Promise.all(
    Object.entries(SETS).map(async ([name, { open }]) => [name, await open(places)] as const),
  );
  const all: (readonly [string, ToolSet | undefined])[] = [...opened, ['none', undefined]];
  const outcomes = new Map(all.map(([name]) => [name, [] as AgentOutcome[]]));
  for (const question of questions) {
    const asked = all.map(([, tools]) => askAgent(model, question.question, tools));
    const runs = await Promise.all(asked).catch(unlessRecorded);
    for (const [at, run] of runs.entries())
      outcomes.get(all[at]![0])!.push(agentOutcome(question, run));
    console.error(`${question.id}: ${runs.length === 0 ? 'not recorded' : 'asked'}`);
  }
  await Promise.all(opened.map(([, tools]) => tools.close()));
  if (values.record !== undefined) {
    const used = [...replies.kept].filter(([key]) => replies.used.has(key));
    writeFileSync(KEPT, brotliCompressSync(used.map(line => JSON.stringify(line)).join('\n')));
  }
  return outcomes;
}

function unlessRecorded(error: unknown): [] {
  if (error instanceof NotRecorded) return [];
  throw error;
}

/** Replies of the checkout, and those of a recording that was interrupted. */
function readReplies(): Replies {
  const file = join(work, 'replies.jsonl');
  const kept = existsSync(KEPT) ? brotliDecompressSync(readFileSync(KEPT)).toString() : '';
  const fresh = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = `${kept}\n${fresh}`.split('\n').filter(line => line !== '');
  const entries = lines.map(line => JSON.parse(line));
  return { kept: new Map(entries), used: new Set(), file, url: values.record };
}
