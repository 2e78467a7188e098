/**
 * Records the runs of the demo anew, with a model behind an OpenAI-compatible endpoint:
 *
 *     npm run -s node24 -- test/demo-cassettes/record.ts openai-compatible:MODEL http://127.0.0.1:8080/v1
 *
 * For a change of prompts, of what is retrieved, or of traces. What the cassette holds already is
 * not asked again, and what nobody asked is taken from it; remove it to begin afresh.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resolveLanguageModel } from '../../src/edges/providers/resolve-model.ts';
import { sha256 } from '../../src/edges/sha256.ts';
import { CassetteFile } from '../../src/edges/storage/cassette-file.ts';
import { type CompletionStore, cachedModel } from '../../src/models/cached-model.ts';
import { CASSETTE, type DemoRun, demoRuns, RECORDED } from './demo-runs.ts';

const [name, baseUrl] = process.argv.slice(2);
if (name === undefined || baseUrl === undefined)
  throw new Error('expected a model and the address of its endpoint');
const provider = await resolveLanguageModel(name, { env: process.env, baseUrl, answerMs: 300_000 });
const cassette = await CassetteFile.toRecord(fileURLToPath(CASSETTE), { id: provider.id });
const asked = new Set<string>();
const store: CompletionStore = {
  get: key => {
    asked.add(key);
    return cassette.get(key);
  },
  put: (key, completion) => cassette.put(key, completion),
};
const runs: DemoRun[] = [];
for await (const run of demoRuns(cachedModel(provider, store, { hash: sha256 }))) {
  runs.push(run);
  console.error(
    `${new Date().toISOString()} ${run.strategy} ${run.question}: ${run.calls} calls, ${run.tokens} tokens, ${run.answer.kind}`,
  );
}
await cassette.close();
const lines = readFileSync(CASSETTE, 'utf8').split('\n');
writeFileSync(
  CASSETTE,
  lines
    .filter((line, index) => index === 0 || line === '' || asked.has(JSON.parse(line).key))
    .join('\n'),
);
writeFileSync(RECORDED, runs.map(run => `${JSON.stringify(run)}\n`).join(''));
