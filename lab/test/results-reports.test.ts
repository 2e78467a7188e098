/** Tests every report: rows name members, steps are distinct, and all blocks render. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { contexts } from '../../src/context/contexts.ts';
import { measure } from '../../src/evaluation/measures.ts';
import { readers } from '../../src/readers/readers.ts';
import { retrievers } from '../../src/search/retrievers.ts';
import { strategies } from '../../src/strategies/strategies.ts';
import { compactJson, compactResults, FORMAT, readCompact, valueText } from '../results/compact.ts';
import { bestForms } from '../results/curve-tables.ts';
import {
  differenceOf,
  type Evaluation,
  type Measured,
  type MeasuredRow,
} from '../results/report.ts';
import { SWITCHES } from '../results/reports/fact-lanes-steps.ts';
import { SYSTEMS, TOKENS } from '../results/reports/fact-lanes-systems.ts';
import { REPORTS } from '../results/reports.ts';
import { ROOT } from '../results/steps.ts';
import { ablation, differences, firstLess, values } from '../results/tables.ts';
import { tokensPicture } from '../results/tokens-picture.ts';
import { estimate, measuredOf, resultsOf, rowOf } from './measured-rows.ts';

const request = { data: 'data', work: 'work', options: {} };

for (const [name, load] of Object.entries(REPORTS)) {
  const report = (await load())(request);

  describe(`report: ${name}`, () => {
    test('every row names members of the families, and every measure exists', () => {
      for (const { rows, measures, name: step } of report.evaluations) {
        for (const { strategy, retriever, context = 'lead', reader = 'extractive' } of rows) {
          assert.doesNotThrow(() => strategies.create(strategy), `${step}: ${strategy}`);
          retrievers.canonical(retriever);
          contexts.canonical(context);
          readers.canonical(reader);
        }
        for (const each of measures) assert.doesNotThrow(() => measure(each), each);
      }
    });

    test('names of steps are distinct, and labels of rows within each step', () => {
      const names = report.evaluations.map(each => each.name);
      assert.equal(new Set(names).size, names.length);
      for (const { name: step, rows } of report.evaluations) {
        const labels = rows.map(
          row => `${row.label} ${row.tokens ?? ''} ${row.context ?? ''} ${row.retriever}`,
        );
        assert.equal(new Set(labels).size, labels.length, step);
      }
    });

    test('without results no section has a table of an evaluation', async () => {
      const none = resultsOf();
      for (const { blocks } of report.sections)
        for (const block of blocks) {
          const markdown = await block(none);
          assert.ok(markdown === undefined || typeof markdown === 'string');
        }
      for (const { draw } of report.pictures ?? []) assert.equal(draw(none), '');
    });
  });
}

const factLanes = (await REPORTS['fact-lanes']!())(request);

describe('the report of fact-lanes', () => {
  const { evaluations } = factLanes;
  const curved = evaluations.filter(({ name }) => name.startsWith('curves.'));

  test('every strategy without a model or file is on a curve, at every number of tokens', () => {
    const names = curved.flatMap(({ rows }) => rows.map(row => /^[\w-]+/.exec(row.strategy)![0]));
    assert.deepEqual(
      strategies.members.map(({ name }) => name).filter(name => !names.includes(name)),
      [],
    );
    for (const { rows } of curved)
      assert.deepEqual(
        rows.map(({ tokens }) => tokens),
        TOKENS,
      );
  });

  test('the name of a step with rows of fact-lanes holds the version of its code', () => {
    const ours = ({ rows }: Evaluation): boolean =>
      rows.some(({ strategy }) => strategy.startsWith('fact-lanes'));
    for (const evaluation of evaluations)
      assert.equal(/-[0-9a-f]{8}$/.test(evaluation.name), ours(evaluation), evaluation.name);
  });

  test('ablations change one setting each, and each system takes the items that it may', () => {
    for (const name of Object.keys(SWITCHES)) assert.match(name, /^[\w-]+=[\w.]+$/);
    for (const { strategy } of Object.values(SYSTEMS))
      assert.doesNotThrow(() => strategies.create(strategy(7, 510)));
  });
});

const row = (system: string, tokens: number, scores: readonly number[]): MeasuredRow => {
  const measures = { ContextTokens: estimate(tokens - 8, scores.length) };
  return rowOf(system, { FactRecall: scores }, { system, tokens, measures });
};
const measured = (name: string, rows: readonly MeasuredRow[]): Measured =>
  measuredOf(name, rows, { manifest: { documents: 7 } });

test('a difference is paired; rows over other questions have none', () => {
  const [a, b] = [row('a', 510, [1, 1, 0.5]), row('b', 510, [0.5, 0.5, 0])];
  assert.deepEqual(differenceOf('FactRecall', a, b), { value: 0.5, low: 0.5, high: 0.5 });
  assert.equal(differenceOf('FactRecall', a, row('c', 510, [1])), undefined);
});

test('tables of values and differences equal those worked by hand', async () => {
  const entry = measured('one', [row('a', 510, [1, 1]), row('b', 510, [0.5, 0.5])]);
  const results = resultsOf(entry);
  const lines = async (block: ReturnType<typeof values>): Promise<string[]> =>
    (await block(results))!.split('\n').slice(2);
  const of = ['FactRecall'];
  assert.deepEqual(await lines(values('one', of, { intervals: false })), [
    '| a | 100.00 |',
    '| b | 50.00 |',
  ]);
  const minus = '−50.00 [−50.00, −50.00]';
  const plus = '+50.00 [+50.00, +50.00]';
  assert.deepEqual(await lines(differences('one', of, [['a', 'b']])), [`| a | b | ${minus} |`]);
  assert.deepEqual(await lines(firstLess('one', of)), [`| b | ${plus} |`]);
  assert.deepEqual(await lines(ablation('one', of, 'ContextTokens')), [
    '| nothing | 502.0 | 100.00 |  |',
    `| b | 502.0 | 50.00 | ${minus} |`,
  ]);
  assert.equal(await values('another', of)(results), undefined);
});

test('shows the best form of each system; the picture lists the highest line first', () => {
  const curve = (system: string, score: number): Measured =>
    measured(
      system,
      TOKENS.map(tokens => row(system, tokens, [score, score])),
    );
  const best = bestForms([curve('a', 0.2), curve('b', 0.5), curve('a', 0.4)], 510);
  assert.deepEqual(
    best.map(({ rows }) => rows[2]!.result.measures['FactRecall']!.mean),
    [0.4, 0.5],
  );
  const lines = best.map(({ rows }) => ({ label: rows[0]!.label, rows }));
  const svg = tokensPicture('T', 'FactRecall', TOKENS, lines);
  assert.ok(svg.indexOf('>b</text>') < svg.indexOf('>a</text>'));
  assert.ok(svg.includes('50.00 at 502.0 tokens'));
});

test('compact results hold three figures a measure, one a cost, and names, measures and manifests once', () => {
  const budget = { contextTokens: 510 };
  const both = ['one', 'two'].map((name): [string, Measured] => {
    const { result, ...rest } = row('a', 510, [1, 0, 0]);
    const parts = { strategy: 's', retriever: 'r', context: 'c', reader: name, budget };
    return [name, measured(name, [{ ...rest, result: { ...result, ...parts } }])];
  });
  const text = compactJson(compactResults({ measured: new Map(both), printed: new Map() }));
  const { evaluations, ...lists } = JSON.parse(text);
  assert.deepEqual(lists, {
    format: FORMAT,
    names: ['s', 'r', 'c', 'one', 'budget contextTokens=510', 'two'],
    measures: [['FactRecall', 'ContextTokens']],
    manifests: [{ documents: 7 }],
  });
  assert.deepEqual(evaluations['two'], {
    questions: 2,
    measures: 0,
    rows: [[[0, 1, 2, 5, 4], '3333-0+0 502']],
    manifest: 0,
  });
});

test('a manifest after the first states what differs from it, and is read whole', () => {
  const manifests = [
    { corpus: null, documents: 7, sample: { seed: 1 } },
    { chunker: 'whole', documents: 7 },
    { documents: 7, sample: { seed: 2 } },
  ];
  const all = manifests.map((manifest, at): [string, Measured] => {
    const name = `step ${at}`;
    return [name, measuredOf(name, [row('a', 1, [1])], { manifest })];
  });
  const text = compactJson(compactResults({ measured: new Map(all), printed: new Map() }));
  const [, lacks, other] = JSON.parse(text).manifests;
  assert.deepEqual([lacks, other], [{ chunker: 'whole', sample: null }, { sample: { seed: 2 } }]);
  const [first, ...others] = manifests;
  const { corpus: _, ...stated } = first!;
  assert.deepEqual(readCompact(text).manifests, [stated, ...others]);
});

test('a compact value is a mean with the distances to the ends of its interval', () => {
  const estimate = { mean: 0.69014, low: 0.67849, high: 0.70251, n: 9 };
  assert.equal(valueText('FactRecall', estimate), '6901-12+12');
  assert.equal(
    valueText('EvidenceReliance', { ...estimate, mean: -0.05, low: -0.1, high: 0 }),
    '-500-50+50',
  );
  assert.equal(valueText('ContextTokens', { ...estimate, mean: 509.6789 }), '509.7');
  assert.equal(
    valueText('EMPer100Tokens', { ...estimate, mean: 0.13588, low: 0.12388, high: 0.1481 }),
    '0.1359-0.012+0.012',
  );
  assert.equal(valueText('FactRecall', undefined), '–');
});

test('results/ is at most 0.8 MB: reports, pictures and compact JSON', t => {
  const folder = join(ROOT, 'results');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path =>
    statSync(join(folder, path)).isFile(),
  );
  const strange = files.filter(
    path => !/(?:report\.md|result\.json|\.svg)$|^(?:attack|bench)./.test(path),
  );
  assert.deepEqual(strange, []);
  const bytes = files.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
  t.diagnostic(`results/ ${bytes} bytes`);
  assert.ok(bytes <= 800_000, `${bytes} bytes`);
  for (const path of files.filter(name => name.endsWith('result.json'))) {
    const { format } = JSON.parse(readFileSync(join(folder, path), 'utf8'));
    assert.equal(format, FORMAT, path);
  }
});
