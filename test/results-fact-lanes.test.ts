/**
 * The report of fact-lanes: the rows that it runs, the cause of a missed fact by hand, paired
 * differences, and what the report says.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contexts } from '../src/context/contexts.ts';
import type { Span } from '../src/corpus/document.ts';
import { emptyTrace } from '../src/evaluation/empty-trace.ts';
import type { Example, Gold } from '../src/evaluation/example.ts';
import { measure } from '../src/evaluation/measures.ts';
import { readers } from '../src/reading/readers.ts';
import { retrievers } from '../src/retrieval/retrievers.ts';
import { strategies } from '../src/strategies/strategies.ts';
import type { Trace } from '../src/trace/trace.ts';
import { differenceOf, type MeasuredRow } from '../tools/fact-lanes-measured.ts';
import { causeOf, missesBy } from '../tools/fact-lanes-misses.ts';
import { tokensPicture } from '../tools/fact-lanes-pictures.ts';
import { plan, SECTIONS, SWITCHES } from '../tools/fact-lanes-steps.ts';
import { SYSTEMS, TOKENS } from '../tools/fact-lanes-systems.ts';
import { learnCommands } from '../tools/fact-lanes-versions.ts';
import { bestForms, factLanesReport } from '../tools/results-fact-lanes-report.ts';

const versions = { strategy: 'aaaaaaaa', reader: 'bbbbbbbb' };
const steps = plan(versions);

test('every row names members of the families, and every measure is one', () => {
  for (const { step, rows } of SECTIONS.flatMap(section => steps[section])) {
    for (const { row } of rows) {
      const parts = new Map(
        row
          .split('; ')
          .map(part => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
      );
      assert.doesNotThrow(() => strategies.create(parts.get('strategy')!), row);
      for (const [family, part] of [
        [retrievers, 'retriever'],
        [contexts, 'context'],
        [readers, 'reader'],
      ] as const)
        assert.doesNotThrow(() => family.canonical(parts.get(part)!), row);
    }
    for (const [at, word] of step.words.entries())
      if (word === '--measure') assert.doesNotThrow(() => measure(step.words[at + 1]!));
  }
});

test('every strategy that needs no model and no file stands in the curves, at every number of tokens', () => {
  const names = steps.curves.flatMap(({ rows }) =>
    rows.map(({ row }) => /^strategy=([\w-]+)/.exec(row)![1]!),
  );
  assert.deepEqual(
    strategies.members.map(({ name }) => name).filter(name => !names.includes(name)),
    [],
  );
  for (const { rows } of steps.curves)
    assert.deepEqual(
      rows.map(({ tokens }) => tokens),
      TOKENS,
    );
});

test('a step has a name of its own; what fact-lanes has part in is another one with other weights, the rest is not', () => {
  const named = (of: typeof steps): string[] =>
    SECTIONS.flatMap(section => of[section].map(({ step }) => step.name));
  const [before, after] = [named(steps), named(plan({ strategy: 'cccccccc', reader: 'dddddddd' }))];
  assert.equal(new Set(before).size, before.length);
  const ours = SECTIONS.flatMap(section => steps[section]).map(({ rows }) =>
    rows.some(({ row }) => row.startsWith('strategy=fact-lanes')),
  );
  assert.deepEqual(
    before.map((name, at) => name !== after[at]),
    ours,
  );
});

/** Four sentences of 10 characters each. */
const TEXT = 'Aa bb cc. Dd ee ff. Gg hh ii. Jj kk ll.';
const sentence = (index: number): Span => [10 * index, 10 * index + 9];
const gold = (span: Span): Gold => ({
  documentId: 'd',
  title: '',
  fact: TEXT.slice(...span),
  span,
});
const hit = (index: number) => ({
  id: `d#${index}`,
  documentId: 'd',
  start: sentence(index)[0],
  end: sentence(index)[1],
  score: 1,
});

interface Told {
  readonly found?: readonly number[];
  readonly shown?: readonly number[];
  readonly refused?: readonly (readonly [index: number, why: string])[];
}

function traceOf({ found = [], shown = [], refused = [] }: Told): Trace {
  const row = { strategy: '', retriever: '', context: '', reader: '', budget: {} };
  const text = shown.map(index => TEXT.slice(...sentence(index))).join('\n');
  const parts =
    shown.length === 0
      ? []
      : [{ id: 'd', documentId: 'd', start: 0, end: text.length, spans: shown.map(sentence) }];
  const search = { text: 'q', retriever: '', unit: 'sentence' as const, hits: found.map(hit) };
  const rejected = refused.map(([index, why]) => ({
    id: `d#${index}`,
    search: { hop: 0, search: 0 },
    why,
  }));
  return {
    ...emptyTrace({ id: 'q', text: 'q' }, row),
    hops: [{ searches: [search], kept: [], rejected, spent: {} }],
    context: { name: '', text, tokens: 0, parts },
  };
}

test('the cause of a missed fact', () => {
  const cause = (span: Span, told: Told): string => causeOf(gold(span), traceOf(told), TEXT);
  assert.equal(cause(sentence(1), {}), 'unfound');
  assert.equal(cause([10, 29], { found: [1, 2], shown: [1] }), 'part');
  assert.equal(
    cause(sentence(1), { found: [0, 1], shown: [0], refused: [[1, 'near-duplicate']] }),
    'duplicate',
  );
  assert.equal(
    cause(sentence(1), { found: [0, 1], shown: [0], refused: [[1, 'budget']] }),
    'below',
  );
  const many = Array.from({ length: 10 }, (): [number, string] => [3, 'budget']);
  assert.equal(
    cause(sentence(1), { found: [0, 1], shown: [0], refused: [...many, [1, 'budget']] }),
    'other',
  );
  assert.equal(cause(sentence(1), { found: [1] }), 'ranked');
  assert.equal(cause(sentence(1), { found: [0] }), 'sentence');
});

test('each missed fact is counted once, under its type too; what is shown is no miss', () => {
  const example: Example = {
    ...{ id: 'q', question: { id: 'q', text: 'q' }, answers: [], type: 'temporal' },
    gold: [gold(sentence(0)), gold(sentence(1)), gold(sentence(2))],
  };
  const misses = missesBy(
    [example],
    [traceOf({ found: [0, 1], shown: [0], refused: [[1, 'budget']] })],
    () => TEXT,
  );
  assert.deepEqual(Object.keys(misses), ['all', 'temporal']);
  const { questions, facts, causes } = misses['all']!;
  assert.deepEqual([questions, facts, causes.below, causes.other], [1, 3, 1, 1]);
  assert.equal(
    Object.values(causes).reduce((sum, count) => sum + count, 0),
    2,
  );
});

const measured = (system: string, tokens: number, scores: readonly number[]): MeasuredRow => {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const estimate = (value: number) => ({ mean: value, low: value, high: value, n: scores.length });
  const measures = { FactRecall: estimate(mean), ContextTokens: estimate(tokens - 8) };
  const parts = { strategy: '', retriever: '', context: '', reader: '', budget: {} };
  return {
    ...{ system, tokens, row: `${system} ${tokens}`, scores: { FactRecall: scores } },
    result: { id: system, ...parts, measures, byType: {}, byEvidence: {}, failed: 0 },
  };
};

test('a difference is paired; rows of other questions have none', () => {
  const [a, b] = [measured('a', 510, [1, 1, 0.5]), measured('b', 510, [0.5, 0.5, 0])];
  assert.deepEqual(differenceOf('FactRecall', a, b), { value: 0.5, low: 0.5, high: 0.5 });
  assert.equal(differenceOf('FactRecall', a, measured('c', 510, [1])), undefined);
});

const curve = (system: string, score: number) => ({
  ...{
    name: system,
    controls: [],
    questions: 2,
    manifest: {},
    groups: { byType: {}, byEvidence: {} },
  },
  rows: TOKENS.map(tokens => measured(system, tokens, [score, score])),
});

test('a system stands in its best form; the picture names every line, the highest first', () => {
  const best = bestForms([curve('a', 0.2), curve('b', 0.5), curve('a', 0.4)]);
  assert.deepEqual(
    best.map(({ rows }) => rows[2]!.result.measures['FactRecall']!.mean),
    [0.4, 0.5],
  );
  const svg = tokensPicture(
    'T',
    'FactRecall',
    TOKENS,
    best.map(({ rows }) => ({ label: rows[0]!.system, rows })),
  );
  assert.ok(
    svg.indexOf('>b</text>') < svg.indexOf('>a</text>') && svg.includes('50.00 at 502.0 tokens'),
  );
});

test('the report says which steps are missing, and that a ranker without weights is no result', () => {
  const none = {
    goals: undefined,
    currency: undefined,
    ablation: undefined,
    reread: undefined,
    latency: undefined,
    misses: undefined,
  };
  const rest = {
    thresholds: {},
    generality: {},
    learnt: {},
    bench: [],
    pictures: [],
    unfinished: ['goals'],
  };
  const weights = { ranker: {}, reader: {}, unfitted: ['words'], unexplained: ['lsa'] };
  const report = factLanesReport({
    questions: 2,
    curves: [curve('fact-lanes, bge', 0.5), curve('other', 0.4)],
    ...none,
    ...rest,
    weights,
  });
  assert.match(report, /Not evaluated: goals\./);
  assert.match(report, /No result: the ranker that ships has no weights yet/);
  assert.match(report, /does not say how the weights for lsa were fitted/);
  assert.match(
    report,
    /fact-lanes, bge 50\.00 %\. The best of the other strategies: other 40\.00 %/,
  );
  const fitted = factLanesReport({
    questions: 2,
    curves: [],
    ...none,
    ...rest,
    weights: { ...weights, unfitted: [] },
  });
  assert.match(fitted, /were fitted on these very questions/);
});

test('switches put off one thing each, and each system takes what room it is given', () => {
  for (const name of Object.keys(SWITCHES)) assert.match(name, /^[\w-]+=[\w.]+$/);
  for (const { strategy } of Object.values(SYSTEMS))
    assert.doesNotThrow(() => strategies.create(strategy(7, 510)));
});

test('weights are fitted again by the commands that their files name', () => {
  const row = { strategy: 'fixed-top-k', retriever: 'lexical', context: 'whole' };
  const commands = learnCommands({
    ranker: { words: { retriever: 'lexical' } },
    reader: { rows: [row] },
    unfitted: [],
    unexplained: [],
  });
  assert.deepEqual(commands['learn.fact-ranker'], [
    'learn',
    'fact-ranker',
    'multihop-rag',
    '--retriever',
    'lexical',
  ]);
  assert.deepEqual(commands['learn.fact-reader']!.slice(3), [
    '--row',
    'strategy=fixed-top-k; retriever=lexical; context=whole',
  ]);
  assert.deepEqual(learnCommands({ ranker: {}, reader: {}, unfitted: [], unexplained: [] }), {});
});
