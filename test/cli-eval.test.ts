/**
 * Tests the commands eval, report, replay, learn and dataset on the demo corpus in the layout of
 * MultiHop-RAG.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sealEvents } from '../src/core/trace/audit.ts';
import type { Trace } from '../src/core/trace/trace.ts';
import { resourcesIn } from '../src/core/trace/trace.ts';
import type { EvaluationResult } from '../src/evaluation/run.ts';
import { readVerdicts } from '../src/experiments/results-folder.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { embeddings, ModelServer } from './providers-server.ts';
import {
  argv,
  demoDataSet,
  freshFolder,
  printed,
  refuses,
  run,
  start,
  succeeds,
} from './running-command.ts';

const folder = freshFolder();
const files = demoDataSet(folder);
const out = join(folder, 'results');
const evaluating = (...words: string[]): string[] => argv`eval multihop-rag ${files} ${words}`;
const evaluate = (...words: string[]): Promise<EvaluationResult> => printed(evaluating(...words));

describe('eval', () => {
  test('repeated options give all combinations; --row gives single rows', async () => {
    const result = await evaluate(
      ...argv`--strategy fixed-top-k --strategy slot-agent
      --retriever lexical --retriever lexical(s1) --row ${'strategy=iterative; context=whole'}`,
    );
    assert.deepEqual(
      result.rows.map(({ strategy, retriever, context }) => [strategy, retriever, context]),
      [
        ['fixed-top-k(k=2)', 'lexical', 'sentences(perDocument=5)'],
        ['fixed-top-k(k=2)', 'lexical(s1)', 'sentences(perDocument=5)'],
        ['slot-agent', 'lexical', 'sentences(perDocument=5)'],
        ['slot-agent', 'lexical(s1)', 'sentences(perDocument=5)'],
        ['iterative(rounds=2)', 'lexical', 'whole'],
      ],
    );
    assert.equal(new Set(result.rows.map(({ id }) => id)).size, 5);
  });

  test('the object has the documented shape, and its numbers are consistent', async () => {
    const result = await evaluate(
      ...argv`--strategy budgeted-agent --strategy equal-budget-top-k
      --retriever lexical(s1)`,
    );
    const { rows, pairs, manifest } = result;
    const agent = rows[0]!;
    const keys = (value: object): string => Object.keys(value).join(' ');
    assert.equal(keys(result), 'dataset questions rows pairs manifest');
    assert.equal(
      keys(agent),
      'id strategy retriever context reader budget measures byType byEvidence',
    );
    assert.equal(keys(pairs[0]!), 'a b measure difference low high shareAGreater');
    const types = Object.keys(agent.byType).sort();
    assert.deepEqual(types, ['comparison', 'inference', 'null', 'temporal']);
    assert.equal(keys(agent.byEvidence), '2 3 4');
    assert.deepEqual([result.dataset, result.questions], ['multihop-rag', 42]);
    for (const { mean, low, high, n } of Object.values(agent.measures))
      assert.ok(low <= mean + 1e-9 && mean <= high + 1e-9 && n > 0 && n <= 42);
    assert.equal(agent.measures['FactRecall']!.n, 32);
    const ids = new Set(rows.map(({ id }) => id));
    for (const { a, b, low, high, difference, shareAGreater } of pairs) {
      assert.ok(ids.has(a) && ids.has(b));
      assert.ok(low <= difference + 1e-9 && difference <= high + 1e-9);
      assert.ok(shareAGreater >= 0 && shareAGreater <= 1);
    }
    assert.equal(typeof manifest['corpus'], 'string');
  });

  test('the row of a strategy whose model is missing says that rules do its work', async () => {
    const words = argv`--strategy hipporag1 --strategy fixed-top-k --limit 2 --measure FactRecall`;
    const { rows } = await evaluate(...words);
    assert.deepEqual(
      rows.map(({ strategy, rules }) => [strategy, rules]),
      [
        ['hipporag1(k=5)', true],
        ['fixed-top-k(k=2)', undefined],
      ],
    );
    const { out: text } = await succeeds(evaluating(...words));
    assert.match(text, /hipporag1\(k=5\) \(rules\)/);
    assert.doesNotMatch(text, /fixed-top-k\(k=2\) \(rules\)/);
  });

  test('the same run twice prints the same, except for times', async () => {
    const words = argv`--strategy decomposition --measure FactRecall --measure QaAccuracy(strict)`;
    assert.deepEqual(await evaluate(...words), await evaluate(...words));
  });

  test('runs controls only on request', async () => {
    assert.equal((await evaluate('--strategy', 'fixed-top-k')).rows.length, 1);
    const { rows } = await evaluate('--strategy', 'fixed-top-k', '--controls');
    assert.deepEqual(
      rows.slice(1).map(({ id }) => id),
      ['always-yes', 'majority-by-predicted-type', 'all-cue-words'],
    );
  });

  test('controls repeat rows with other evidence, and say what answers rest on', async () => {
    const { rows, controls } = await evaluate(
      ...argv`--strategy fact-lanes
      --measure QaAccuracy(strict) --control swapped-evidence
      --control flipped-evidence(seed=2) --control question-only`,
    );
    assert.deepEqual(
      rows.map(({ control, strategy, reader }) => control?.name ?? `${strategy} ${reader}`),
      [
        ...['fact-lanes(tokens=510) combined-reader', 'none question-only', 'own-evidence'],
        ...['swapped-evidence', 'swapped-evidence', 'flipped-evidence(seed=2)'],
      ],
    );
    const [swapped, flipped] = controls!;
    assert.equal(swapped!.of, rows[0]!.id);
    assert.ok(swapped!.treated > 0 && swapped!.treated <= swapped!.questions);
    const counted = Object.values(swapped!.rules).reduce((sum, count) => sum + count, 0);
    assert.equal(counted, swapped!.treated);
    const { all } = swapped!.figures['EvidenceReliance']!;
    assert.deepEqual(rows[0]!.measures['EvidenceReliance'], all);
    const [before, after] = [rows[2]!, rows[4]!].map(row => row.measures['QaAccuracy(strict)']!);
    assert.ok(before!.n >= after!.n && after!.n === swapped!.treated);
    assert.ok(all.low <= all.mean && all.mean <= all.high && all.n <= swapped!.treated);
    assert.equal(flipped!.figures['FollowsEdit']!.all.n, flipped!.treated);
    assert.deepEqual(Object.keys(flipped!.rules).sort(), ['date', 'name', 'polarity']);
  });

  for (const [option, value, says] of [
    ['--strategy', 'fixd-top-k', /Did you mean fixed-top-k/],
    ['--row', 'strategi=slot-agent', /Did you mean strategy/],
    ['--measure', 'FactRecal', /Did you mean FactRecall/],
    ['--control', 'swaped-evidence', /Did you mean swapped-evidence/],
    ['--budget', 'hops=two', /hops/],
    ['--passages', 'all', /own/],
  ] as const)
    test(`a wrong ${option} is refused before any work`, () =>
      refuses(evaluating(option, value), says));

  test('without files and without MULTIHOP_DATA, the error names the missing data', () =>
    refuses(['eval', 'multihop-rag'], /--corpus FILE and --questions FILE/));

  test('an abort during the run leaves sealed traces and exits 130', async () => {
    const abort = new AbortController();
    const target = freshFolder();
    const traces = join(target, 'traces');
    const running = run(
      evaluating(...argv`--strategy budgeted-agent --strategy slot-agent --out ${target}`),
      { signal: abort.signal },
    );
    // Aborts as soon as the first trace file exists.
    while (!existsSync(traces) || readdirSync(traces).length === 0)
      await new Promise(resolve => setImmediate(resolve));
    abort.abort(new DOMException('Interrupted', 'AbortError'));
    assert.equal((await running).code, 130);
    for (const name of readdirSync(traces)) await succeeds(['verify-trace', join(traces, name)]);
    assert.ok(!existsSync(join(target, 'result.json')));
  });
});

describe('the results of eval', () => {
  const traces = join(out, 'traces');
  before(async () => {
    await evaluate(
      ...argv`--strategy budgeted-agent --strategy equal-budget-top-k --controls
      --out ${out}`,
    );
  });

  test('traces verify, and replay gives them the same scores without searching', async () => {
    const names = readdirSync(traces);
    assert.equal(names.length, 2);
    for (const name of names) await succeeds(['verify-trace', join(traces, name)]);
    const recorded = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as EvaluationResult;
    const again: EvaluationResult = await printed(
      argv`replay ${out} --dataset multihop-rag ${files}`,
    );
    for (const [index, row] of again.rows.entries())
      assert.deepEqual({ ...row, id: '' }, { ...recorded.rows[index]!, id: '' });
  });

  test('replay --json prints the same for single traces as for the whole folder', async () => {
    const { out: text } = await run(['replay', out, '--json']);
    const told = JSON.parse(text) as { files: { file: string; traces: Trace[] }[] };
    assert.equal(text, `${JSON.stringify(told, undefined, 2)}\n`);
    assert.deepEqual(
      told.files.map(file => file.traces.length),
      [42, 42],
    );
    const { out: plain } = await run(['replay', out]);
    assert.match(plain, /: 42 traces, verified/);
    for (const { question, answer } of told.files[0]!.traces) {
      assert.ok(plain.includes(`\n${question.text}\n`));
      assert.ok(answer.kind === 'abstained' || plain.includes(answer.text));
    }
    const empty = join(freshFolder(), 'empty.jsonl');
    writeFileSync(empty, sealEvents([], sha256));
    assert.deepEqual(await printed(['replay', empty]), { files: [{ file: empty, traces: [] }] });
  });

  test('a changed trace is not replayed', async () => {
    const target = join(freshFolder(), 'changed.jsonl');
    const text = readFileSync(join(traces, readdirSync(traces)[0]!), 'utf8');
    writeFileSync(target, text.replace('"kept":[', '"kept":[ '));
    await refuses(['replay', target], /line \d+/);
  });

  for (const [format, pattern] of [
    ['text', /What reaches the reader/],
    ['markdown', /\| FactRecall/],
    ['html', /^<!doctype html>/i],
    ['svg', /^<svg /],
  ] as const)
    test(`report as ${format}`, async () => {
      assert.match((await succeeds(['report', out, '--format', format])).out, pattern);
    });

  test('report refuses a folder without results', () => refuses(['report', folder], /no results/));

  test('report refuses results whose traces a later evaluation that was killed wrote', async () => {
    const again = join(freshFolder(), 'out');
    const words = evaluating('--out', again);
    await succeeds(words);
    await succeeds(['report', again]);
    const { child, result } = start(words);
    while (!existsSync(join(again, 'unfinished.json'))) await wait(5);
    child.kill('SIGKILL');
    await result;
    await refuses(['report', again], /has not ended.*those of an earlier one/);
    // A replay would judge the later traces by the verdicts on the earlier answers.
    writeFileSync(join(again, 'verdicts.json'), '[]');
    assert.throws(() => readVerdicts(again), /has not ended/);
    await succeeds(words);
    await succeeds(['report', again]);
    assert.ok(!existsSync(join(again, 'unfinished.json')));
  });
});

test('learn prints each fold', async () => {
  const words = argv`learn support-threshold multihop-rag ${files}`;
  const { threshold, folds } = await printed(words);
  assert.ok(threshold > 0 && threshold < 1 && folds.length === 5);
});

test('dataset prints the facts that chunkers leave whole', async () => {
  const set: { documents: number; chunkers: { chunker: string; share: number }[] } = await printed(
    argv`dataset multihop-rag ${files}`,
  );
  assert.equal(set.documents, 44);
  assert.equal(set.chunkers.find(({ chunker }) => chunker.startsWith('sentences'))!.share, 1);
});

describe('eval with models', () => {
  let server: ModelServer;
  before(async () => {
    server = await ModelServer.start(embeddings);
  });
  after(() => server.stop());
  const retrievers = argv`--retriever ${'fused(lexical, dense(openai-compatible:toy))'}
    --retriever hybrid`;

  test('an embedder makes a space; its vectors are kept in the cache folder', async () => {
    const words = argv`--strategy fixed-top-k ${retrievers} --embedder openai-compatible:toy
      --base-url ${server.url} --cache ${join(folder, 'cache')} --measure FactRecall`;
    const first = await evaluate(...words);
    assert.deepEqual(resourcesIn(first.manifest, 'embedder'), {
      'openai-compatible:toy': 'openai-compatible:toy@64',
    });
    assert.deepEqual(Object.values(first.manifest['failed'] as Record<string, number>), [0, 0]);
    server.reset();
    assert.deepEqual((await evaluate(...words)).rows, first.rows);
    const texts = server.requests.flatMap(({ body }) => body.input);
    assert.ok(texts.length <= 1, `${texts.length} texts`);
  });

  test('a space without its embedder is refused before any work', () =>
    refuses(evaluating(...retrievers), /vector space "openai-compatible:toy".*an embedder/));
});
