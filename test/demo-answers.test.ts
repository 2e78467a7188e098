/**
 * Tests the claims of the demo with the shipped constants: one search misses, three hops find, null
 * questions are refused and others answered.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ask, ingest } from '../src/index.ts';

interface DemoQuestion {
  readonly id: string;
  readonly query: string;
  readonly answer: string;
  readonly question_type: string;
  readonly evidence_list: readonly { readonly url: string }[];
}

const read = (name: string): string =>
  readFileSync(new URL(`../demo/${name}`, import.meta.url), 'utf8');
const documents = read('corpus.jsonl')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as { id: string; text: string; url: string });
const questions = JSON.parse(read('questions.json')) as DemoQuestion[];
const demo = questions.find(({ id }) => id === 'demo')!;
const byUrl = new Map(documents.map(({ url, id }) => [url, id]));
/** Context and reader of all strategies but the default one. */
const READ_BY = { context: 'lead', reader: 'extractive' };
/** Readers abstain by their own thresholds here; `ask` also withholds improbable answers. */
const BY_READERS = { answerAt: 0 };
const gold = demo.evidence_list.map(({ url }) => byUrl.get(url)!);

for (const retriever of ['lexical', 'lexical(s1)'])
  test(`the demo question under ${retriever}: ten hits of one search miss its last document, three hops find it`, async () => {
    const engine = await ingest(documents);
    const once = await ask(demo.query, { engine, retriever, strategy: 'fixed-top-k(k=10)' });
    const hops = await ask(demo.query, { engine, retriever, strategy: 'iterative(rounds=3)' });
    assert.ok(!once.evidence.some(({ documentId }) => documentId === gold.at(-1)));
    assert.deepEqual(
      gold.filter(id => !hops.evidence.some(({ documentId }) => documentId === id)),
      [],
    );
    assert.ok(hops.hops[2]!.kept.some(({ documentId }) => documentId === gold.at(-1)));
  });

test('the demo question gets the right answer', async () => {
  const trace = await ask(demo.query, {
    engine: await ingest(documents),
    strategy: 'iterative(rounds=3)',
    ...READ_BY,
  });
  assert.equal(trace.answer.kind === 'answered' && trace.answer.text, demo.answer);
});

test('the demo question gets the right answer by the default strategy and reader', async () => {
  const { answer } = await ask(demo.query, { engine: await ingest(documents), ...BY_READERS });
  assert.equal(answer.kind === 'answered' && answer.text, demo.answer);
});

test('the defaults find all gold articles of the 32 answerable questions', async () => {
  const engine = await ingest(documents);
  const missed: string[] = [];
  for (const { id, query, evidence_list } of questions) {
    const { evidence } = await ask(query, { engine });
    const found = new Set(evidence.map(({ documentId }) => documentId));
    if (!evidence_list.every(({ url }) => found.has(byUrl.get(url)!))) missed.push(id);
  }
  assert.deepEqual(missed, []);
});

for (const strategy of ['budgeted-agent', 'iterative(rounds=3)', 'equal-budget-top-k'])
  test(`with the shipped threshold ${strategy} refuses nine of ten null questions and answers eight of ten others`, async t => {
    const engine = await ingest(documents);
    const refused = { null: 0, other: 0 };
    const count = { null: 0, other: 0 };
    for (const { query, question_type } of questions) {
      const kind = question_type === 'null_query' ? 'null' : 'other';
      count[kind]++;
      const { answer } = await ask(query, { engine, strategy, ...READ_BY, ...BY_READERS });
      if (answer.kind === 'abstained') refused[kind]++;
    }
    t.diagnostic(
      `refused ${refused.null} of ${count.null} null questions, ${refused.other} of ${count.other} others`,
    );
    assert.equal(count.null, 10);
    assert.ok(refused.null >= 9, `${refused.null} null questions refused`);
    assert.ok(
      count.other - refused.other >= 0.8 * count.other,
      `${refused.other} of ${count.other} others refused`,
    );
  });
