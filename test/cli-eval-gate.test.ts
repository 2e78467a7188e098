/** Tests that `eval` is a gate: it fails below a value, and where a row is worse than before. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { main } from '../src/cli/command-line.ts';
import {
  argv,
  demoDataSet,
  freshFolder,
  printed,
  refuses,
  run,
  succeeds,
} from './running-command.ts';

const folder = freshFolder();
const files = demoDataSet(folder);
const [, CORPUS, , QUESTIONS] = files as [string, string, string, string];
const words = (...more: string[]): string[] => over(CORPUS, QUESTIONS, ...more);
const over = (corpus: string, questions: string, ...more: string[]): string[] =>
  argv`eval multihop-rag --corpus ${corpus} --questions ${questions}
  --strategy fixed-top-k --measure FactRecall ${more}`;

/** A corpus without the documents that many questions need. */
function poorer(): string {
  const path = join(freshFolder(), 'corpus.json');
  const documents = JSON.parse(readFileSync(CORPUS, 'utf8')) as { readonly body: string }[];
  const emptied = documents.map((one, at) => (at % 2 ? one : { ...one, body: 'Nothing.' }));
  writeFileSync(path, JSON.stringify(emptied));
  return path;
}

test('a value that is reached passes, one that is not fails and is named with its interval', async () => {
  await succeeds(words('--at-least', 'FactRecall=1'));
  const { code, out, err } = await run(words('--at-least', 'FactRecall=99.5'));
  assert.equal(code, 1);
  assert.match(out, /^Evaluation on multihop-rag/);
  assert.match(
    err,
    /failed: FactRecall of fixed-top-k\(k=2\) is \d+\.\d\d \[\d.*\] .*must be at least 99\.50/,
  );
});

test('a measure that only --at-least names is computed, whatever signs its name has', async () => {
  const least = ['--at-least', 'HopRecall@2(nulls=zero)=99', '--at-least', 'Hops=2'];
  const { rows, gate } = await printed(words(...least));
  assert.ok(rows[0].measures['HopRecall@2(nulls=zero)'].mean < 0.99);
  assert.deepEqual(
    gate.map(({ measure, least }: { measure: string; least: number }) => [measure, least]),
    [
      ['HopRecall@2(nulls=zero)', 0.99],
      ['Hops', 2],
    ],
  );
});

test('the same results pass a baseline; worse ones fail with the questions that changed', async () => {
  const accepted = join(freshFolder(), 'accepted');
  await succeeds(words('--out', accepted));
  const same = await printed(words('--not-below', accepted));
  assert.deepEqual(same.gate, []);
  const scores = join(accepted, 'scores.json');
  const { code, err } = await run(over(poorer(), QUESTIONS, '--not-below', scores));
  assert.equal(code, 1);
  assert.match(
    err,
    /failed: FactRecall of fixed-top-k\(k=2\): −\d+\.\d\d \[.*\] \(n=\d+\); changed: /,
  );
  assert.match(err, /\d+\.\d\d → 0\.00/);
});

test('a question without an id that stands at another place is compared with itself', async () => {
  const [accepted, later] = [freshFolder(), join(freshFolder(), 'questions.json')];
  await succeeds(words('--out', accepted));
  const all = JSON.parse(readFileSync(QUESTIONS, 'utf8')) as object[];
  writeFileSync(later, JSON.stringify([{ ...all[0], query: 'Who added this?' }, ...all]));
  const [before, after] = await Promise.all(
    [QUESTIONS, later].map(async questions => {
      const { gate } = await printed(over(poorer(), questions, '--not-below', accepted));
      return [gate[0].n, gate[0].difference, gate[0].changed.length];
    }),
  );
  assert.deepEqual(after, before);
});

test('without such an option the object has no gate', async () => {
  assert.equal('gate' in (await printed(words())), false);
});

test('refuses values that are none, and baselines that are none', async () => {
  await refuses(words('--at-least', 'FactRecall'), /MEASURE=VALUE/);
  await refuses(words('--at-least', 'FactRecall=much'), /MEASURE=VALUE/);
  await refuses(words('--at-least', 'FactRecal=5'), /FactRecall/);
  await refuses(words('--at-least', 'FactRecall=600'), /at most 100/);
  await refuses(words('--not-below', join(folder, 'none')), /no file or folder/);
  const result = join(freshFolder(), 'result.json');
  writeFileSync(result, JSON.stringify(await printed(words())));
  await refuses(words('--not-below', result), /scores\.json/);
});

test('a baseline of costs alone compares nothing, and is refused', async () => {
  const costs = argv`eval multihop-rag --corpus ${CORPUS} --questions ${QUESTIONS}
    --strategy fixed-top-k --measure Documents`;
  const out = join(freshFolder(), 'run');
  await succeeds([...costs, '--out', out]);
  await refuses([...costs, '--not-below', out], /expected a measure of quality/);
});

test('--watch evaluates again after a change, and names the questions that changed', async t => {
  const questions = join(freshFolder(), 'questions.json');
  const all = readFileSync(QUESTIONS, 'utf8');
  const few = (JSON.parse(all) as Record<string, unknown>[]).slice(0, 3);
  writeFileSync(questions, JSON.stringify(few));
  const { stdout, until, stop } = watching(t, over(CORPUS, questions, '--watch'));
  await until(/Watching/);
  const evidence = [{ ...(few[0]!['evidence_list'] as object[])[0], fact: 'Nothing says this.' }];
  const changed = [{ ...few[0], evidence_list: evidence }, ...few.slice(1)];
  writeFileSync(questions, JSON.stringify(changed));
  await until(/FactRecall of .*; changed: .* → 0\.00/);
  assert.equal(stdout.written.text.match(/^Evaluation on/gm)?.length, 2);
  assert.equal(await stop(), 0);
});

test('--watch compares with the evaluation just before, also after one of other questions', async t => {
  const place = freshFolder();
  const corpus = join(place, 'corpus.jsonl');
  const lines = (...all: object[]): string => all.map(one => JSON.stringify(one)).join('\n');
  const text = 'Ada wrote the program.';
  writeFileSync(corpus, lines({ id: 'a', text }, { id: 'b', text: 'Rain fell.' }));
  const questions = join(place, 'questions.jsonl');
  const ask = (id: string, gold: string): void =>
    writeFileSync(questions, lines({ id, question: text, answer: 'Ada', gold_ids: [gold] }));
  ask('q1', 'a');
  const asked = argv`eval jsonl --corpus ${corpus} --questions ${questions} --watch
    --strategy ${'fixed-top-k(k=1)'} --measure Recall@1`;
  const { until, stop } = watching(t, asked);
  await until(/Watching/);
  ask('q2', 'a');
  await until(/another evaluation/);
  ask('q2', 'b');
  await until(/changed: q2 100\.00 → 0\.00/);
  assert.equal(await stop(), 0);
});

/** Runs a command until `stop`; `until` waits for what it says on stderr. */
function watching(t: TestContext, words: string[]) {
  const interrupt = new AbortController();
  t.after(() => interrupt.abort());
  const sink = (): Sink => {
    const written = { text: '' };
    return { written, write: text => (written.text += text) };
  };
  const [stdout, stderr] = [sink(), sink()];
  const running = main(words, {
    stdout,
    stderr,
    signal: interrupt.signal,
  });
  const until = async (form: RegExp): Promise<void> => {
    for (let waits = 0; !form.test(stderr.written.text); waits++) {
      assert.ok(waits < 1200, stderr.written.text);
      await wait(50);
    }
  };
  const stop = (): Promise<number> => {
    interrupt.abort(new DOMException('Interrupted', 'AbortError'));
    return running;
  };
  return { stdout, until, stop };
}

interface Sink {
  readonly written: { text: string };
  write(text: string): unknown;
}
