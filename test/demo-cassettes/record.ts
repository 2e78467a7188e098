/**
 * Records the runs of the demo anew, with a model behind an OpenAI-compatible endpoint, or without
 * arguments from the cassette alone, if traces have changed and prompts have not:
 *
 *     npm run -s node24 -- test/demo-cassettes/record.ts openai-compatible:MODEL URL
 *     npm run -s node24 -- test/demo-cassettes/record.ts
 *
 * Completions on the cassette are reused, and those that no run requests are removed. Remove the
 * cassette to record everything anew.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CompletionStore, cachedModel, replayedModel } from '../../src/models/cached-model.ts';
import type { LanguageModel } from '../../src/models/language-model.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { resolveModel } from '../../src/providers/resolve-model.ts';
import { CassetteFile } from '../../src/stores/disk/cassette-file.ts';
import { CASSETTE, type DemoRun, demoRuns, RECORDED } from './demo-runs.ts';

const [name, baseUrl] = process.argv.slice(2);
if (name === undefined) await recordFromCassette();
else if (baseUrl === undefined) throw new Error('expected a model and the address of its endpoint');
else await recordFromModel(name, baseUrl);

/** Throws `Error` if a run requests a completion that the cassette lacks. */
async function recordFromCassette(): Promise<void> {
  const cassette = await CassetteFile.toReplay(fileURLToPath(CASSETTE));
  const model = replayedModel(cassette.model, cassette, { hash: sha256 });
  const runs = await runsOf(model);
  if (model.misses > 0)
    throw new Error(`The cassette lacks ${model.misses} completions: record with a model`);
  writeRuns(runs);
}

async function recordFromModel(model: string, url: string): Promise<void> {
  const provider = await resolveModel('model', model, {
    env: process.env,
    baseUrl: url,
    answerMs: 300_000,
  });
  const cassette = await CassetteFile.toRecord(fileURLToPath(CASSETTE), { id: provider.id });
  const requested = new Set<string>();
  const store: CompletionStore = {
    get: key => {
      requested.add(key);
      return cassette.get(key);
    },
    put: (key, completion) => cassette.put(key, completion),
  };
  const runs = await runsOf(cachedModel(provider, store, { hash: sha256 }));
  await cassette.close();
  const lines = readFileSync(CASSETTE, 'utf8').split('\n');
  writeFileSync(
    CASSETTE,
    lines
      .filter((line, index) => index === 0 || line === '' || requested.has(JSON.parse(line).key))
      .join('\n'),
  );
  writeRuns(runs);
}

async function runsOf(model: LanguageModel): Promise<DemoRun[]> {
  const runs: DemoRun[] = [];
  for await (const run of demoRuns(model)) {
    runs.push(run);
    console.error(
      `${new Date().toISOString()} ${run.strategy} ${run.question}: ${run.calls} calls, ${run.tokens} tokens, ${run.answer.kind}`,
    );
  }
  return runs;
}

function writeRuns(runs: readonly DemoRun[]): void {
  writeFileSync(RECORDED, runs.map(run => `${JSON.stringify(run)}\n`).join(''));
}
