/** Tests what the report of documents measures on a folder of three files, and what it prints. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { keptScores } from '../../bench/documents/kept-scores.ts';
import {
  type MeasuredSystem,
  measureSystems,
  type Outcome,
  outcomeOf,
} from '../../bench/documents/measure.ts';
import type { DocumentQuestion } from '../../bench/documents/questions.ts';
import { defined } from '../../src/core/defined.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import type { Answer, Trace } from '../../src/core/trace/trace.ts';
import type { Reranker } from '../../src/models/reranker.ts';
import {
  DOCUMENT_SYSTEMS,
  RERANKER,
  rankedSystem,
  report,
  resultsFile,
  SHIPPED,
} from '../results/reports/documents.ts';
import { difference, estimate } from '../results/reports/documents-figures.ts';

const FILES = {
  'linnet/guide.md': '# Linnet\n\nLinnet is a web server. It logs by Wren, a small logger.\n',
  'wren/api.md': '# Wren\n\n## level\n\nThe level of Wren is `quiet` unless it is set.\n',
  'oak/notes.txt': 'Oak is a database of trees that Ada Birch began in 1999.\n',
};
const QUESTIONS: readonly DocumentQuestion[] = [
  {
    id: 'one',
    kind: 'one-hop',
    question: 'Who began the database of trees?',
    answer: ['Ada Birch'],
    evidence: [{ document: 'oak/notes.txt', pattern: 'Ada\\W+Birch\\W+began' }],
  },
  {
    id: 'two',
    kind: 'multi-hop',
    question: 'What is the level of the logger of Linnet?',
    answer: ['quiet'],
    evidence: [
      { document: 'linnet/guide.md', pattern: 'logs\\W+by\\W+Wren' },
      { document: 'wren/api.md', pattern: 'level\\W+of\\W+Wren\\W+is\\W+quiet' },
    ],
  },
  {
    id: 'no',
    kind: 'unanswerable',
    question: 'What does a licence of Oak cost?',
    answer: [],
    evidence: [],
  },
];

/** Stands for the ranker that ships; leaves sections in the order by words. */
const IN_ORDER: Reranker = {
  id: SHIPPED,
  score: async (_question, texts) => Float32Array.from(texts, (_text, at) => -at),
};

describe('measuring', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'multihop-documents-'));
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  test('every system is judged on every question by evidence, documents and answer', async () => {
    const said: string[] = [];
    const systems = await measureSystems({
      paths: [folder],
      questions: QUESTIONS,
      systems: DOCUMENT_SYSTEMS,
      rerankers: [IN_ORDER],
      answerAt: 0,
      say: line => said.push(line),
    });
    assert.equal(said[0], '3 documents ingested');
    assert.deepEqual(
      systems.map(({ label }) => label),
      DOCUMENT_SYSTEMS.map(({ label }) => label),
    );
    for (const { outcomes } of systems) {
      const [first, second, third] = outcomes as [Outcome, Outcome, Outcome];
      assert.deepEqual([first.suffices, first.recall], [true, 1]);
      assert.deepEqual([second.suffices, second.recall], [true, 1]);
      assert.deepEqual(
        [third.suffices, third.recall, third.right],
        [undefined, undefined, third.right],
      );
      assert.ok(outcomes.every(({ tokens }) => tokens > 0 && tokens <= 510));
    }
    assert.ok(systems[2]!.outcomes.every(({ given }) => given === 'none'));
  });

  test('each system follows its own plans', async () => {
    const strategy = 'fact-lanes(tokens=510, plan=replayed)';
    const [question] = QUESTIONS;
    const [planned, plain] = await measureSystems({
      paths: [folder],
      questions: [question!],
      systems: ['planned', 'plain'].map(label => ({ ...DOCUMENT_SYSTEMS[0]!, strategy, label })),
      plans: new Map([
        ['planned', new Map([[question!.question, [{ question: 'level of Wren' }]]])],
        ['plain', new Map()],
      ]),
      answerAt: 0,
    });
    assert.notEqual(planned!.outcomes[0]!.tokens, plain!.outcomes[0]!.tokens);
  });

  test('pairs whose scores a file keeps are not read again', async () => {
    const read: string[] = [];
    const reranker = {
      id: 'lengths',
      async score(query: string, texts: readonly string[]) {
        read.push(...texts.map(text => `${query} ${text}`));
        return Float32Array.from(texts, text => query.length / text.length);
      },
    };
    const file = `${folder}.scores.jsonl`;
    const scored = (query: string, texts: readonly string[]): Promise<Float32Array> =>
      keptScores(reranker, file).score(query, texts, freeCall());
    const first = await scored('ab', ['c', 'def', 'c']);
    assert.deepEqual(
      await scored('ab', ['def', 'c', 'gh']),
      Float32Array.of(first[1]!, first[0]!, 1),
    );
    await scored('a', ['bc']);
    assert.deepEqual(read, ['ab c', 'ab def', 'ab c', 'ab gh', 'a bc']);
    rmSync(file);
  });
});

const trace = (fields: Partial<Trace>): Trace =>
  ({
    context: { name: 'lead', text: '', tokens: 0, parts: [] },
    ranking: [],
    answer: { kind: 'abstained', reason: 'none' },
    ms: 1,
    ...fields,
  }) as unknown as Trace;

describe('an outcome', () => {
  test('counts distinct documents among the first five', () => {
    const of = (ranking: string[]): number | undefined =>
      outcomeOf(QUESTIONS[1]!, trace({ ranking })).recall;
    assert.equal(of(['wren/api.md', 'a', 'a', 'b', 'c', 'linnet/guide.md']), 1);
    assert.equal(of(['a', 'b', 'c', 'd', 'wren/api.md', 'linnet/guide.md']), 0.5);
    assert.equal(of([]), 0);
  });

  test('is right or wrong only if an answer is given', () => {
    const answered: Answer = {
      kind: 'answered',
      text: 'Ada Birch',
      citations: [],
      probability: 0.9,
    };
    const unsure: Answer = {
      kind: 'abstained',
      reason: 'No answer above 0.7',
      probability: 0.2,
      withheld: { text: 'Ada Birch', citations: [] },
    };
    const [first, second] = [answered, unsure].map(answer =>
      outcomeOf(QUESTIONS[0]!, trace({ answer })),
    );
    assert.deepEqual([first!.given, first!.right, first!.probability], ['answered', true, 0.9]);
    assert.deepEqual(
      [second!.given, second!.right, second!.said],
      ['unsure', undefined, 'Ada Birch'],
    );
    const wrong = outcomeOf(QUESTIONS[2]!, trace({ answer: answered }));
    assert.deepEqual([wrong.given, wrong.right], ['answered', false]);
  });
});

const outcome = (suffices: boolean, given: Outcome['given'] = 'none'): Outcome =>
  defined({
    id: 'a',
    kind: 'one-hop',
    suffices,
    recall: Number(suffices),
    given,
    tokens: 1,
    ms: 1,
    right: given === 'answered' ? suffices : undefined,
  });

describe('the report', () => {
  test('figures are means with intervals over the questions that have a value', () => {
    const all = [outcome(true, 'answered'), outcome(true, 'answered'), outcome(false)];
    assert.match(
      estimate(all, ({ suffices }) => suffices),
      /^66\.7 \[0\.0, 100\.0\], n = 3$/,
    );
    assert.equal(
      estimate(all, ({ right }) => right),
      '100.0 [100.0, 100.0], n = 2',
    );
    assert.equal(
      estimate([], ({ right }) => right),
      '–',
    );
    const worse = [outcome(true), outcome(false), outcome(false)];
    assert.match(
      difference(all, worse, ({ recall }) => recall),
      /^33\.3 points \[0\.0, 100\.0\] \(100\.0 % relative\)$/,
    );
  });

  test('prints the half that it is given, and nothing without results', async () => {
    const work = mkdtempSync(join(tmpdir(), 'multihop-report-'));
    const request = { data: '', work, options: {} };
    const none = { measured: new Map(), printed: new Map() };
    const blocks = report(request).sections.flatMap(section => section.blocks);
    for (const block of blocks) assert.equal(await block(none), undefined);
    const systems: MeasuredSystem[] = DOCUMENT_SYSTEMS.map(system => ({
      ...system,
      outcomes: [outcome(true, 'answered'), outcome(false)],
    }));
    const part = { set: 'fresh', half: 'tune' } as const;
    const results = { ...part, documents: 3, packages: 2, missing: { oak: 'gone' }, systems };
    writeFileSync(resultsFile(work, part), JSON.stringify(results));
    const markdown = (await Promise.all(blocks.map(block => block(none)))).join('\n');
    assert.match(markdown, /3 files of 2 packages\. Packages that cannot be had: oak/);
    assert.match(markdown, /2 one-hop, 0 multi-hop/);
    assert.match(markdown, /fact-lanes \| 50\.0 \[0\.0, 100\.0\], n = 2 \|/);
    assert.match(markdown, /less BM25.*: 0\.0 points/);
    const reranked = { ...rankedSystem(RERANKER), outcomes: [outcome(true)] };
    const both = { ...results, systems: [...systems, reranked] };
    writeFileSync(resultsFile(work, part), JSON.stringify(both));
    const more = (await Promise.all(blocks.map(block => block(none)))).join('\n');
    assert.match(more, /fact-lanes, ms-marco\S* \| 100\.0 \[100\.0, 100\.0\], n = 1 \|/);
    const held = report({ ...request, options: { held: 'true' } }).sections[0]!.blocks[0]!;
    assert.equal(await held(none), undefined);
    rmSync(work, { recursive: true });
  });
});
