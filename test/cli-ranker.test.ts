/** Tests that questions are ranked by the ranker of @multihop/ranker where it is installed. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { rankerFile, rankerParts } from './random-ranker.ts';
import { freshFolder, start } from './running-command.ts';

const QUESTION = 'How long must a fund manager keep records of suspicious payments?';
const RULES = [
  '1.1 A fund manager must keep records of suspicious payments for six years.',
  '1.2 A bank keeps records of payments.',
  '2.1 A manager of a fund reports what is suspicious.',
];

/** Returns a project with a store of rules and a ranker of these weights. */
async function project(weights: Uint8Array): Promise<string> {
  const folder = freshFolder();
  mkdirSync(join(folder, 'rules'));
  for (const [at, rule] of RULES.entries()) writeFileSync(join(folder, 'rules', `${at}.txt`), rule);
  const installed = join(folder, 'node_modules', '@multihop', 'ranker');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'package.json'), '{"name":"@multihop/ranker"}');
  writeFileSync(join(installed, 'ranker.safetensors'), weights);
  const { code, err } = await start(['ingest', 'rules', '--store', 'store'], { cwd: folder })
    .result;
  assert.equal(code, 0, err);
  return folder;
}

interface Asked {
  readonly spent: { readonly rerankedPairs?: number };
  /** The last line of the trace, and the resources that its first line names. */
  readonly trace: string;
}

async function ask(cwd: string, ...words: string[]): Promise<Asked> {
  const all = ['ask', QUESTION, '--store', 'store', '--json', '--trace', 'trace.jsonl', ...words];
  const { out, err } = await start(all, { cwd }).result;
  assert.notEqual(out, '', err);
  const trace = readFileSync(join(cwd, 'trace.jsonl'), 'utf8');
  return { ...(JSON.parse(out) as Omit<Asked, 'trace'>), trace };
}

const WEIGHTS = rankerFile(rankerParts({ positions: 160, metadata: { name: 'tiny' } }));

const ranked = await project(WEIGHTS);

describe('the default where a ranker is installed', () => {
  test('reads the candidates by it, and the trace names its file and counts the pairs', async () => {
    const { spent, trace } = await ask(ranked);
    assert.equal(spent.rerankedPairs, RULES.length);
    assert.match(trace, /"reranker":\{"ranker":"tiny@[0-9a-f]{12}"\}/);
  });

  test('reads none with reranker=none, and the trace names none', async () => {
    const { spent, trace } = await ask(ranked, '--strategy', 'fact-lanes(reranker=none)');
    assert.equal(spent.rerankedPairs, undefined);
    assert.doesNotMatch(trace, /"reranker"/);
  });

  test('reads as many as a limit on pairs allows, and the trace names the limit', async () => {
    const { spent, trace } = await ask(ranked, '--budget', 'reranked-pairs=2');
    assert.equal(spent.rerankedPairs, 2);
    assert.match(trace, /"stopped":\{"by":"limit","limit":"rerankedPairs"\}/);
  });
});

test('a file that is no ranker is an error before any answer', async () => {
  const folder = await project(new TextEncoder().encode('no weights'));
  const { code, out } = await start(['ask', QUESTION, '--store', 'store'], { cwd: folder }).result;
  assert.deepEqual([code, out], [2, '']);
});
