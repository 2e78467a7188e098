/**
 * Replays the recorded runs of the demo from their cassette without a model: traces have the same
 * hashes, and answers are equal.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { replayedModel } from '../../src/models/cached-model.ts';
import type { LanguageModel, Prompt } from '../../src/models/language-model.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { CassetteFile } from '../../src/stores/disk/cassette-file.ts';
import {
  CASSETTE,
  type DemoRun,
  demoRuns,
  QUESTIONS,
  RECORDED,
  readDemo,
  STRATEGIES,
} from './demo-runs.ts';

const tape = readFileSync(CASSETTE, 'utf8');
const recorded = readFileSync(RECORDED, 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as DemoRun);
const HINT =
  'If prompts, retrieval or traces were changed deliberately, record anew: test/demo-cassettes/record.ts';

interface Line {
  readonly key: string;
  readonly text: string;
}
const lines = tape
  .trimEnd()
  .split('\n')
  .slice(1)
  .map(line => JSON.parse(line) as Line);

/** Returns all runs with their prompts and completions. */
async function replayed(): Promise<{
  runs: DemoRun[];
  prompts: Prompt[];
  completions: Set<string>;
  misses: number;
}> {
  const cassette = await CassetteFile.toReplay(fileURLToPath(CASSETTE));
  assert.equal(cassette.damaged, 0);
  const model = replayedModel(cassette.model, cassette, { hash: sha256 });
  const prompts: Prompt[] = [];
  const completions = new Set<string>();
  const recorder: LanguageModel = {
    id: model.id,
    async generate(prompt, call, onText) {
      prompts.push(prompt);
      const completion = await model.generate(prompt, call, onText);
      completions.add(completion.text);
      return completion;
    },
  };
  const runs: DemoRun[] = [];
  for await (const run of demoRuns(recorder)) runs.push(run);
  return { runs, prompts, completions, misses: model.misses };
}
const replay = replayed();

test('every strategy is recorded on every question', () => {
  assert.deepEqual(
    recorded.map(({ strategy, question }) => [strategy, question]),
    STRATEGIES.flatMap(strategy => QUESTIONS.map(question => [strategy, question])),
  );
  const total = (of: (run: DemoRun) => number): number =>
    recorded.reduce((sum, run) => sum + of(run), 0);
  assert.ok(total(({ calls }) => calls) >= 3 * recorded.length - QUESTIONS.length * 3);
  assert.ok(
    recorded.some(({ answer }) => answer.kind === 'answered') &&
      recorded.some(({ answer }) => answer.kind === 'abstained'),
  );
});

test('the cassette has exactly the requested completions', async () => {
  const { misses, completions } = await replay;
  assert.equal(misses, 0, HINT);
  assert.deepEqual(
    lines.filter(({ text }) => !completions.has(text)).map(({ key }) => key),
    [],
    HINT,
  );
});

for (const [index, run] of recorded.entries())
  test(`${run.strategy}, ${run.question}: the same trace and the same answer`, async () => {
    const { runs } = await replay;
    assert.deepEqual(runs[index], run, HINT);
  });

test('every prompt is within the limit of tokens, as counted by the model', () => {
  for (const { usage } of lines as unknown as { usage: { input: number } }[])
    assert.ok(usage.input <= 2000, `${usage.input} tokens`);
});

test('the cassette contains no prompt, no shown passage and no key', async () => {
  const { prompts } = await replay;
  for (const message of prompts.flatMap(({ messages }) => messages)) {
    // A model may repeat a short piece of its prompt, and a repair shows the earlier output.
    if (message.role === 'assistant' || message.text.length < 40) continue;
    assert.ok(!tape.includes(JSON.stringify(message.text).slice(1, -1)), message.text.slice(0, 80));
  }
  for (const line of readDemo('corpus.jsonl').trim().split('\n')) {
    const { text } = JSON.parse(line) as { text: string };
    assert.ok(!tape.includes(JSON.stringify(text).slice(1, -1)));
  }
  assert.doesNotMatch(tape, /sk-[A-Za-z0-9]{8}|bearer|authorization|api[-_]?key|https?:\/\//i);
  assert.ok(tape.length < 300_000);
});
