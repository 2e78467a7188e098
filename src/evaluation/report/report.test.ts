import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { Parser } from 'htmlparser2';
import { manyQuestions } from '../../../test/report-fixture.ts';
import type { CurvePoint } from '../abstention-curve.ts';
import type { Estimate, EvaluationResult, RowResult } from '../evaluation-result.ts';
import { escapeHtml } from './escape.ts';
import { formatDelta, formatValue } from './format-value.ts';
import { htmlReport } from './html-report.ts';
import { markdownReport, markdownTable } from './markdown-report.ts';
import { niceScale } from './plot-frame.ts';
import { textReport } from './text-report.ts';
import { textTable } from './text-table.ts';

const estimate = (mean: number): Estimate => ({
  mean,
  low: mean * 0.9,
  high: Math.min(1, mean * 1.1),
  n: 1182,
});
const EM = 'RetrievalConditionedEM';

function row(strategy: string, em: number, more: Partial<RowResult> = {}): RowResult {
  const shares = {
    FactRecall: 0.1071,
    AllFacts: 0.0042,
    GroundedEM: 0.0051,
    GroundedRecall: 0.111,
    [`${EM}(paper)`]: em,
    [`${EM}(answerable)`]: em,
  };
  const cuts = {
    'EvidenceRecall@1': 0.31,
    'EvidenceRecall@2': 0.53,
    'EvidenceRecall@4': em,
    ReciprocalRank: 0.853,
  };
  const measures = {
    ...shares,
    ...cuts,
    EvidenceRecall: 0.7382,
    Documents: 4.694,
    ContextTokens: 509.25,
    Retrievals: 2.874,
  };
  const group = {
    FactRecall: 0.1,
    [`${EM}(answerable)`]: em,
    [`${EM}(paper)`]: em,
    EvidenceRecall: 0.5,
    ContextTokens: 500,
  };
  return {
    id: strategy,
    strategy,
    retriever: 'lexical(s1)',
    context: 'lead(words=90)',
    reader: 'evidence-only',
    budget: {},
    measures: Object.fromEntries(
      Object.entries(measures).map(([name, value]) => [name, estimate(value)]),
    ),
    byType: { comparison: group, null: { [`${EM}(paper)`]: 0.99 } },
    byEvidence: { 2: group },
    failed: 0,
    ...more,
  };
}

const result: EvaluationResult = {
  dataset: 'multihop-rag',
  questions: 1330,
  groups: { byType: { comparison: 442, null: 148 }, byEvidence: { 2: 613 } },
  rows: [
    row('fixed-top-k(k=2)', 0.3729),
    row('iterative(rounds=2)', 0.394),
    row('decomposition', 0.4692),
    row('budgeted-agent(tokens=620, calls=4)', 0.6173),
    row('equal-budget-top-k(tokens=620)', 0.6722),
    row('equal-budget-top-k(tokens=620)', 0.9677, { id: 'headers', context: 'headers' }),
    row('none', 0, {
      id: 'always-yes',
      reader: 'always-yes',
      retriever: 'none',
      context: 'none',
      measures: { 'QaAccuracy(strict)': estimate(0.31) },
      byType: {},
      byEvidence: {},
    }),
  ],
  pairs: [
    {
      a: 'decomposition',
      b: 'headers',
      measure: 'FactRecall',
      difference: -0.02,
      low: -0.03,
      high: 0.001,
      shareAGreater: 0.031,
    },
  ],
  manifest: { bootstrap: { resamples: 10000, seed: 20231226, generator: 'mulberry32' } },
};

test('the table leads with facts in the context', () => {
  const lines = markdownReport(result).split('\n');
  const head = lines.find(line => line.startsWith('| system'))!;
  assert.match(head, /^\| system \| FactRecall \| AllFacts \| GroundedEM \| GroundedRecall \| /);
  assert.ok(
    lines.includes(
      '| budgeted-agent(tokens=620, calls=4) | 10.71 | 0.42 | 0.51 | 11.10 | 61.73 | 61.73 | 73.82 | 2.87 | 4.69 | 509.3 |',
    ),
  );
});

/** Opens and closes every element, as XML wants it, apart from HTML's void elements. */
function check(page: string): { tags: Map<string, number>; ids: string[]; links: string[] } {
  const open: string[] = [];
  const [tags, ids, links] = [new Map<string, number>(), [] as string[], [] as string[]];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        tags.set(name, (tags.get(name) ?? 0) + 1);
        open.push(name);
        if (attributes['id']) ids.push(attributes['id']);
        links.push(...['src', 'href', 'onclick', 'onload'].flatMap(key => attributes[key] ?? []));
      },
      onclosetag(name, implied) {
        const last = open.pop();
        assert.equal(last, name);
        assert.ok(
          !implied || ['meta', 'wbr', 'line', 'path', 'circle', 'rect'].includes(name),
          `${name} is left open`,
        );
      },
    },
    { xmlMode: false, recognizeSelfClosing: true },
  );
  parser.write(page);
  parser.end();
  assert.deepEqual(open, []);
  return { tags, ids, links };
}

test('writes a well-formed page without external files, with its figures in words', () => {
  const page = htmlReport(result);
  const { tags, ids, links } = check(page);
  assert.deepEqual(links, []);
  assert.equal(tags.get('script'), undefined);
  assert.equal(new Set(ids).size, ids.length, 'ids are unique');
  const figures = tags.get('svg')!;
  assert.equal(figures, 5);
  assert.equal(page.match(/role="img" aria-labelledby="([\w-]+)-title \1-desc"/g)?.length, figures);
  assert.doesNotMatch(page, /NaN|undefined|Infinity/);
  assert.doesNotMatch(page, /url\(|@import/);
  assert.match(page, /prefers-color-scheme:dark/);
  assert.match(page, /<title>fixed-top-k\(k=2\): 509\.3 tokens, FactRecall 10\.71<\/title>/);
});

test('escapes names and manifests everywhere', () => {
  const evil = `<script>alert("1")</script>&'|\n\u001b[31m`;
  const rows = result.rows.map((row, index) => ({
    ...row,
    id: `${evil}${index}`,
    strategy: evil,
    context: `${evil}${index}`,
  }));
  const hostile = { ...result, dataset: evil, rows, pairs: [], manifest: { evil, '```': '```' } };
  const page = htmlReport(hostile);
  assert.equal(check(page).tags.get('script'), undefined);
  assert.ok(!page.includes('\u001b'));
  assert.ok(!textReport(hostile).includes('\u001b'));
  const table = { id: 't', heading: '', notes: [], columns: ['a', 'b'], rows: [[evil, '`x`']] };
  assert.equal(markdownTable(table).split('\n').length, 3);
  assert.match(markdownTable(table), /\\<script\\>.*\\\|/);
  assert.equal(
    escapeHtml(`<a href="x" id='y'>&\u0000`),
    '&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;',
  );
});

test('an evaluation with a single row, or with controls alone, still reports', () => {
  for (const rows of [result.rows.slice(0, 1), result.rows.slice(-1)]) {
    const drawn = { ...result, rows, pairs: [] };
    check(htmlReport(drawn));
    assert.match(textReport(drawn), /Manifest/);
    assert.match(markdownReport(drawn), /## Manifest/);
  }
});

test('shows abstention curves as a table and a figure a row', () => {
  const point = (threshold: number | null, abstainedNull: number): CurvePoint => ({
    threshold,
    abstainedNull,
    refusedAnswerable: abstainedNull / 2,
    accuracy: 0.4,
  });
  const curves = {
    decomposition: [...Array.from({ length: 50 }, (_, i) => point(i / 50, i / 50)), point(null, 1)],
  };
  const page = htmlReport(result, curves);
  assert.equal(check(page).tags.get('svg'), 6);
  assert.match(page, /Abstention curve of row 3, decomposition/);
  const lines = textReport(result, curves)
    .split('\n')
    .filter(line => /^decomposition +(?:0\.\d{3}|all refused) /.test(line));
  assert.equal(lines.length, 12);
  assert.match(lines[0]!, /0\.000 +0\.00 +0\.00 +40\.00/);
  assert.match(lines.at(-1)!, /all refused +100\.00 +50\.00 +40\.00/);
});

test('text tables align numbers right and break long headings', () => {
  const table = {
    id: 't',
    heading: '',
    notes: [],
    columns: ['system', `${EM}(paper)`],
    rows: [
      ['a', '1.00'],
      ['long name', '61.73'],
    ],
  };
  assert.equal(
    textTable(table),
    [
      '             Retrieval',
      '           Conditioned',
      'system       EM(paper)',
      '---------  -----------',
      'a                 1.00',
      'long name        61.73',
    ].join('\n'),
  );
});

test('numbers are printed by their unit', () => {
  assert.equal(formatValue('EvidenceRecall', 0.53371), '53.37');
  assert.equal(formatValue('ReciprocalRank', 0.8527), '0.853');
  assert.equal(formatValue('ContextTokens', 509.247), '509.2');
  assert.equal(formatValue('NobodyKnows', 2), '2.00');
  assert.equal(formatValue('FactRecall', undefined), '–');
  assert.equal(formatDelta('EvidenceRecall', -0.012), '−1.20');
  assert.equal(formatDelta('EvidenceRecall', 0.000001), '0.00');
});

test('scales are round and hold their data', () => {
  for (const [min, max] of [
    [0, 1],
    [0, 0.3],
    [21.2, 97.3],
    [0, 611.2],
    [5, 5],
    [0, 1e-3],
    [-4, 17],
  ] as const) {
    const { ticks, ...scale } = niceScale(min, max);
    assert.ok(scale.min <= min && scale.max >= max && scale.max > scale.min, `${min} ${max}`);
    assert.ok(ticks.length >= 2 && ticks.length <= 12);
  }
});

test('the page allows its own script and style by their hashes, and nothing else inline', () => {
  const { result: evaluated, questions } = manyQuestions(3);
  const page = htmlReport(evaluated, {}, questions);
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!;
  assert.ok(policy.startsWith("default-src 'none'") && !policy.includes('unsafe'), policy);
  const elements = [...page.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)];
  assert.deepEqual(
    elements.map(([, name]) => name),
    ['style', 'script'],
  );
  for (const [, name, text] of elements) {
    const hash = createHash('sha256').update(text!).digest('base64');
    assert.ok(policy.includes(`${name}-src 'sha256-${hash}'`), name);
  }
  assert.doesNotMatch(page, /\s(?:style|on[a-z]+)=/);
});
