/** Tests the script and the tools of the report of agents on a folder of three files. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { grepTools, rareWords } from '../../bench/agents/grep.ts';
import { type AgentOutcome, chosenQuestions, reached } from '../../bench/agents/outcomes.ts';
import { scripted } from '../../bench/agents/scripted.ts';
import { resultOf, type ToolSet } from '../../bench/agents/tool-set.ts';
import { halfOf } from '../../bench/documents/questions.ts';
import { report, resultsFile } from '../results/reports/agents.ts';

const FILES = {
  'oak.md': 'The crane of Oak\nlifts 40 tonnes.\n\nThe crane was built by Ash.',
  'ash.md': `${'Nothing of note.\n'.repeat(80)}Ash was founded in 1912.`,
  'elm.md': 'The crane\n'.repeat(9),
};
const QUESTION = 'When was the company founded that built the crane of Oak?';

describe('the script over grep', () => {
  let folder: string;
  let tools: ToolSet;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'multihop-agents-'));
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
    tools = grepTools(folder);
  });
  after(() => rmSync(folder, { recursive: true }));

  test('asks for the words in the fewest files, and ranks files by words before lines', async () => {
    assert.deepEqual(await rareWords(folder, QUESTION), ['founded', 'built', 'oak', 'crane']);
    const { text, hits } = await resultOf(tools.search, { pattern: 'crane|built|oak' });
    assert.deepEqual(hits, [
      { path: 'oak.md', line: 1 },
      { path: 'elm.md', line: 1 },
    ]);
    assert.match(
      text,
      /^oak\.md \(2 lines\)\n1: The crane of Oak\n4: The crane was built by Ash\./,
    );
  });

  test('reads each hit once, around its line, until it has the characters', async () => {
    const texts = await scripted(tools, QUESTION, 10_000);
    assert.ok(texts.some(text => text.includes('lifts 40 tonnes')));
    assert.ok(texts.some(text => text.endsWith('Ash was founded in 1912.')));
    assert.equal(new Set(texts).size, texts.length);
    assert.equal((await scripted(tools, QUESTION, 20)).length, 2);
  });

  test('an error of a tool is a result, and no file beyond the folder is read', async () => {
    const outside = await resultOf(tools.read, { path: '../secret' });
    assert.deepEqual(outside, { text: 'Error: no such file', hits: [] });
    const wrong = await resultOf(tools.search, { pattern: '(' });
    assert.match(wrong.text, /^Error: /);
  });
});

test('60 questions of the half that choices may use are chosen, whatever their order', () => {
  const chosen = chosenQuestions();
  assert.equal(new Set(chosen.map(({ id }) => id)).size, 60);
  assert.ok(chosen.every(({ id, kind }) => halfOf(id) === 'tune' && kind !== 'unanswerable'));
});

test('evidence over lines that a tool numbers is reached', () => {
  const evidence = [{ document: 'oak.md', pattern: 'crane of Oak lifts 40' }];
  const question = { ...chosenQuestions()[0]!, evidence };
  assert.ok(reached(['1: The crane of Oak', '2: lifts 40 tonnes.'], question));
  assert.ok(!reached(['1: The crane of Oak'], question));
});

test('the report prints shares, paired differences and costs', async () => {
  const work = mkdtempSync(join(tmpdir(), 'multihop-agents-'));
  const outcome = (right: boolean): AgentOutcome => ({
    id: 'a',
    kind: 'one-hop',
    right,
    reached: right,
    answer: '',
    calls: ['x'],
    context: 100,
    read: 250,
  });
  const set = (label: string, right: boolean): object => ({
    label,
    own: { seconds: 3, memory: 2 ** 20 },
    script: [{ id: 'a', kind: 'one-hop', reached: [false, right, right, right], calls: 2 }],
    agent: [outcome(right)],
  });
  const sets = [set('grep', false), set('multihop', true)];
  const results = { documents: 3, manifest: {}, sets, control: [outcome(false)] };
  mkdirSync(work, { recursive: true });
  writeFileSync(resultsFile(work), JSON.stringify(results));
  const { sections } = report({ data: '', work, options: {} });
  const blocks = sections.flatMap(section => section.blocks);
  const none = { measured: new Map(), printed: new Map() };
  const markdown = (await Promise.all(blocks.map(block => block(none)))).join('\n');
  assert.match(markdown, /\| multihop \| 0\.0 \[0\.0, 0\.0\], n = 1 \| 100\.0 /);
  assert.match(markdown, /multihop less grep: right answers 100\.0 points/);
  assert.match(markdown, /\| control: no tools \| 0\.0 .*\| – \| 1\.0 \| 100 \| 250 \|/);
  assert.match(markdown, /\| grep \| – \| – \| 1 \| 3\.00 \|/);
  rmSync(work, { recursive: true });
});
