/** Tests `multihop score` on recorded traces of agents. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { QuestionAccount } from '../src/evaluation/hop-account.ts';
import {
  demoDataSet,
  freshFolder,
  PACKAGE,
  printed,
  refuses,
  run,
  succeeds,
} from './running-command.ts';

const AGENTS = join(PACKAGE, 'examples', 'agent-traces');
const QUESTIONS = join(AGENTS, 'questions.jsonl');
const trace = (name: string): string => join(AGENTS, 'traces', name);
const score = (...words: string[]): string[] => ['score', ...words, '--questions', QUESTIONS];

const folder = freshFolder();
const file = (name: string, ...lines: unknown[]): string => {
  const path = join(folder, name);
  writeFileSync(path, lines.map(line => JSON.stringify(line)).join('\n'));
  return path;
};

test('says which hop found each piece of gold, which none found, and the cost of each hop', async () => {
  const { rows, accounts } = await printed(score(trace('ai-sdk-otel.jsonl')));
  assert.equal(rows[0].measures.ModelTokens.mean, 405);
  const [account] = accounts[rows[0].id];
  assert.deepEqual(
    account.gold.map(({ documentId, fate, found }: Record<string, object>) => [
      documentId,
      (fate as { is: string }).is,
      (found as { hop: number } | undefined)?.hop,
    ]),
    [
      ['linnet', 'reached', 1],
      ['bay', 'reached', 2],
      ['trust', 'unfound', undefined],
    ],
  );
  const [first] = account.hops;
  assert.deepEqual([first.searches, first.gold, first.spent.modelTokens], [1, 1, 135]);
  assert.ok(first.ms > 0);
  const { out } = await succeeds(score(trace('langgraph.jsonl')));
  assert.match(out, /trust: found by no hop/);
});

describe('runs by a small model over the demo: the search finds all, the answers miss', () => {
  const files = demoDataSet(freshFolder());
  // Logs of MCP hold no call of a model.
  const calls = { 'ai-sdk': 2, mastra: 2, langgraph: 2, 'openai-agents': 2, mcp: undefined };
  for (const [agent, modelCalls] of Object.entries(calls))
    test(agent, async () => {
      const words = ['score', trace(`${agent}-by-qwen.jsonl`), '--dataset', 'multihop-rag'];
      const { rows, accounts } = await printed([...words, ...files]);
      const { AllFacts, ModelCalls, Hops, ...others } = rows[0].measures;
      assert.deepEqual([AllFacts.mean, ModelCalls?.mean, Hops.mean], [1, modelCalls, 1]);
      // "Dunmarrow Drives" is the company, not its founder, whose name the agent read.
      assert.equal(others['AnswerEM(hotpot)'].mean, 0);
      const [founder, architect] = accounts[rows[0].id] as QuestionAccount[];
      assert.ok(
        founder!.gold.every(({ fate, found }) => fate.is === 'reached' && found?.hop === 1),
      );
      assert.deepEqual([founder!.restsOn.length, architect!.restsOn.length], [2, 0]);
    });
});

test('compares several agents in one report, with results that other commands read', async () => {
  const out = join(freshFolder(), 'out');
  const names = ['langgraph.jsonl', 'openai-agents.jsonl', 'mcp.jsonl'];
  const words = score(...names.map(trace), '--out', out);
  const { rows } = await printed(words);
  const ids = rows.map(({ id }: { id: string }) => id);
  assert.deepEqual(ids, [
    'agent (langgraph.jsonl)',
    'finder (openai-agents.jsonl)',
    'agent (mcp.jsonl)',
  ]);
  const { out: report } = await succeeds(['report', out]);
  assert.match(report, /finder \(openai-agents\.jsonl\)/);
  await succeeds(['replay', out]);
  const inspected = ['inspect', join(out, 'traces', '02-finder-openai-agents-jsonl.jsonl')];
  await succeeds([...inspected, '-o', join(out, 'page.html')]);
});

test('paths that end with the same name are systems of their own', async () => {
  const paths = ['before', 'after'].map(name => {
    mkdirSync(join(folder, name));
    return file(join(name, 'runs.jsonl'), { id: 'linnet', hops: [], answer: name });
  });
  const { rows } = await printed(score(...paths));
  assert.deepEqual(
    rows.map(({ id }: { id: string }) => id),
    paths.map(path => `agent (${path})`),
  );
});

test('gold is a text that must stand in a hit; an answer rests on the hits that hold it', async () => {
  const questions = file('texts.jsonl', {
    question: 'Who leads the trust?',
    answer: 'Ada Quill',
    evidence: ['Ada Quill leads the trust', 'The trust owns the bay'],
  });
  const hits = [{ text: 'In 2019 Ada Quill leads\nthe trust.' }, { text: 'Rain fell.' }];
  const hops = [{ searches: [{ tool: 'grep', hits }] }];
  const traces = file('runs.jsonl', {
    question: 'Who leads the trust?',
    hops,
    answer: 'Ada Quill',
  });
  const { rows, accounts } = await printed(['score', traces, '--questions', questions]);
  assert.equal(rows[0].measures.FactRecall.mean, 0.5);
  const [{ gold, restsOn }] = accounts['agent'];
  assert.deepEqual(
    gold.map(({ fate }: { fate: { is: string } }) => fate.is),
    ['reached', 'unfound'],
  );
  assert.deepEqual(
    restsOn.map(({ hop }: { hop: number }) => hop),
    [1],
  );
});

test('counts the tools alone that --tool names', async () => {
  const hit = { document: 'linnet', title: 'The Linnet' };
  const searches = [
    { tool: 'search', hits: [hit] },
    { tool: 'clock', hits: [{ text: 'noon' }] },
  ];
  const traces = file('tools.jsonl', { id: 'linnet', hops: [{ searches }], answer: 'Ada' });
  const retrievals = async (...words: string[]): Promise<number> =>
    (await printed(score(traces, ...words))).rows[0].measures.Retrievals.mean;
  assert.equal(await retrievals(), 2);
  assert.equal(await retrievals('--tool', 'search'), 1);
  await refuses(score(traces, '--tool', 'serch'), /--tool.*search, clock.*serch/);
});

test('an error of a tool of MCP is no hit', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search' } };
  const content = [{ type: 'text', text: 'linnet not found' }];
  const failed = { jsonrpc: '2.0', id: 1, result: { isError: true, content } };
  const asked = { id: 'linnet', question: 'Which?', answer: 'linnet' };
  const { rows } = await printed(score(file('failed.jsonl', asked, call, failed)));
  assert.equal(rows[0].measures.Documents.mean, 0);
});

test('an agent that answers from memory is scored, and its trace verifies', async () => {
  const traces = file('memory.jsonl', { id: 'linnet', hops: [], answer: 'Ada Quill' });
  const out = join(freshFolder(), 'out');
  const { rows } = await printed(score(traces, '--measure', 'AnswerEM', '--out', out));
  assert.equal(rows[0].measures['AnswerEM(hotpot)'].mean, 1);
  await succeeds(['replay', out]);
});

test('traces of an evaluation give its measures again, and the hops that found the gold', async () => {
  const [data, out] = [freshFolder(), freshFolder()];
  const files = demoDataSet(data);
  const few = ['--strategy', 'iterative', '--measure', 'FactRecall', '--limit', '4'];
  const evaluated = await printed(['eval', 'multihop-rag', ...files, ...few, '--out', out]);
  const traces = join(out, 'traces');
  const words = ['score', traces, '--dataset', 'multihop-rag', ...files, '--measure', 'FactRecall'];
  const { rows, accounts } = await printed(words);
  assert.deepEqual(rows[0].measures, evaluated.rows[0].measures);
  const gold = Object.values<QuestionAccount[]>(accounts)
    .flat()
    .flatMap(account => account.gold);
  assert.ok(gold.filter(({ fate }) => fate.is === 'reached').every(({ found }) => found));
});

test('is a gate, as eval is', async () => {
  const traced = score(trace('langgraph.jsonl'));
  const { code, err } = await run([...traced, '--at-least', 'EvidenceRecall=70']);
  assert.equal(code, 1);
  assert.match(err, /failed: EvidenceRecall of agent is 66\.67 \(n=1\), and must be at least 70/);
  await succeeds([...traced, '--at-least', 'EvidenceRecall=66']);
});

test('warns of lines and runs that it leaves out, and refuses what holds no run', async () => {
  const good = JSON.stringify({ id: 'linnet', hops: [], answer: 'x' });
  const other = JSON.stringify({ question: 'Another one?', hops: [], answer: 'x' });
  const mixed = join(folder, 'mixed.jsonl');
  writeFileSync(mixed, [good, '{ broken', other].join('\n'));
  const { err } = await succeeds(score(mixed));
  assert.match(err, /1 lines are no JSON, the first is line 2/);
  assert.match(err, /1 runs answer no question/);
  await refuses(score(file('other.jsonl', JSON.parse(other))), /No run of the traces answers/);
  await refuses(score(file('none.json', { a: 1 })), /holds no run of an agent/);
  await refuses(score(join(folder, 'missing.json')), /missing\.json/);
  await refuses(score(mixed, '--format', 'otl'), /otel/);
  await refuses(score(mixed, '--format', 'mcp'), /holds no run of an agent/);
  const asked = { type: 'question', question: { id: 'linnet', text: 'x' } };
  const cut = file('cut.jsonl', { event: asked, ms: 0, content: 'x' });
  await refuses(score(cut), /no sound traces/);
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  await refuses(score(empty), /no traces/);
  await refuses(['score', mixed], /--questions FILE/);
});
