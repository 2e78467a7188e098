/** The parts of the hop inspector that need no browser: reading, fates, places and amounts. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sealEvents } from '../src/core/trace/audit.ts';
import type { Hop, TraceEvent } from '../src/core/trace/trace.ts';
import { ask, ingest } from '../src/index.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { amountWords, coursesOf } from '../tools/inspector-page/budget-course.ts';
import {
  type KnownText,
  piecesOf,
  placeWords,
  shownTexts,
  textOf,
} from '../tools/inspector-page/document-text.ts';
import { HitFates } from '../tools/inspector-page/hit-fates.ts';
import { emptyRecord, RecordReader, type RunRecord } from '../tools/inspector-page/run-record.ts';
import { argv, DEMO_CORPUS, freshFolder, refuses, run, succeeds } from './running-command.ts';

async function demoEvents(options: object): Promise<TraceEvent[]> {
  const lines = readFileSync(DEMO_CORPUS, 'utf8').trim().split('\n');
  const engine = await ingest(lines.map(line => JSON.parse(line)));
  const question = 'Which company is to replace the engines of the Wandering Linnet?';
  const events: TraceEvent[] = [];
  for await (const event of ask(question, { engine, ...options })) events.push(event);
  return events;
}

const hit = (id: string, score: number) => ({ id, documentId: 'd', start: 0, end: 4, score });
const search = (...hits: ReturnType<typeof hit>[]) => ({
  text: 'words',
  retriever: 'lexical',
  unit: 'sentence' as const,
  hits,
});
const item = (id: string, hop: number) => ({
  id,
  documentId: 'd',
  search: { hop, search: 0 },
  score: 1,
});
const hopOf = (parts: Partial<Hop>): Hop => ({
  searches: [],
  kept: [],
  rejected: [],
  spent: { hops: 1 },
  ...parts,
});

describe('reading', () => {
  test('a compact file and a full one of one run read the same evidence and answer', async () => {
    const events = await demoEvents({ strategy: 'fact-lanes' });
    const [compact, full] = [false, true].map(whole => {
      const reader = new RecordReader().text(sealEvents(events, sha256, { full: whole }));
      assert.ok(reader.sealed);
      assert.equal(reader.runs.length, 1);
      assert.deepEqual(reader.runs[0]!.problems, []);
      return reader.runs[0]!;
    });
    assert.deepEqual(compact!.context, full!.context);
    assert.deepEqual(compact!.answer, full!.answer);
    assert.equal(compact!.hops.length, full!.hops.length);
    assert.ok(full!.hops[0]!.searches[0]!.hits.length > compact!.hops[0]!.searches[0]!.hits.length);
  });

  test('what is no line, of another shape, or refers to nothing is a problem, not an error', () => {
    const reader = new RecordReader().text(
      [
        '{"seq":0,"ms":1,"event":{"type":"hop","index":0,"hop":{"searches":3}},"line":"x"}',
        '[1',
        'null',
        '{"seq":1,"ms":1,"event":"~9","line":"x"}',
        '{"seq":1,"ms":1,"event":{"type":"__proto__"},"line":"x"}',
      ].join('\n'),
    );
    const { problems, hops } = reader.runs[0]!;
    assert.equal(problems.length, 5);
    assert.match(problems[0]!, /^Line 1 has at hop\.searches not a list/);
    assert.match(problems[3]!, /^Line 4 refers to a value/);
    assert.deepEqual(hops, []);
  });
});

describe('fates', () => {
  const record: RunRecord = {
    ...emptyRecord(),
    hops: [
      hopOf({
        searches: [search(hit('a', 9), hit('b', 8), hit('c', 7), hit('d', 6))],
        kept: [item('a', 0), item('b', 0)],
        rejected: [{ id: 'c', search: { hop: 0, search: 0 }, why: 'cap', detail: 'two of d' }],
      }),
      hopOf({
        searches: [
          { ...search(hit('e', 5), hit('a', 4)), found: 20, from: { hop: 0, search: 0, id: 'a' } },
          { ...search(), from: { hop: 0, search: 0 } },
        ],
        kept: [item('c', 0), item('f', 1)],
        rejected: [{ id: 'a', search: { hop: 1, search: 0 }, why: 'seen' }],
        withdrawn: [{ id: 'b', why: 'budget' }],
      }),
    ],
    answer: {
      type: 'answer',
      ms: 3,
      answer: {
        kind: 'answered',
        text: 'x',
        citations: [{ id: 'a', documentId: 'd', start: 0, end: 4 }],
      },
    },
  };
  const fates = new HitFates(record);

  test('a hit is cited, kept, withdrawn, kept after a rejection, or passed over', () => {
    const found = fates.hitsOf({ hop: 0, search: 0 });
    assert.deepEqual(
      found.map(({ id, rank, state, fates: all }) => [
        `${rank} ${id} ${state}`,
        all.map(({ is, hop }) => `${is} ${hop}`).join(', '),
      ]),
      [
        ['1 a cited', 'kept 0'],
        ['2 b withdrawn', 'kept 0, withdrawn 1'],
        ['3 c evidence', 'rejected 0, kept 1'],
        ['4 d passed', ''],
      ],
    );
  });

  test('what is kept of hits that the file leaves out stands behind those that it lists', () => {
    const ref = { hop: 1, search: 0 };
    assert.deepEqual(
      fates.hitsOf(ref).map(({ id, rank, state }) => [id, rank, state]),
      [
        ['e', 1, 'passed'],
        // It was kept of another search.
        ['a', 2, 'cited'],
        ['f', undefined, 'evidence'],
      ],
    );
    assert.equal(fates.unlisted(ref), 18);
    const [kept, seen] = fates.hitsOf(ref)[1]!.fates;
    assert.equal(seen?.is === 'rejected' && seen.why.why, 'seen');
    assert.deepEqual(kept, { is: 'kept', hop: 0, score: 1, of: { hop: 0, search: 0 } });
  });

  test('a search leads to those that came from it, and a hit to those that came from it', () => {
    assert.equal(fates.ledTo({ hop: 0, search: 0 }).length, 2);
    assert.deepEqual(fates.ledTo({ hop: 0, search: 0 }, 'a'), [{ hop: 1, search: 0, id: 'a' }]);
    assert.deepEqual(fates.ledTo({ hop: 0, search: 0 }, 'b'), []);
  });
});

describe('texts', () => {
  for (const context of ['sentences', 'lead(words=20)', 'whole', 'headers'])
    test(`spans that the context ${context} shows are found in their documents`, async () => {
      const lines = readFileSync(DEMO_CORPUS, 'utf8').trim().split('\n');
      const texts = new Map(lines.map(line => JSON.parse(line)).map(({ id, text }) => [id, text]));
      const events = await demoEvents({ strategy: 'iterative(rounds=2)', context });
      const record = new RecordReader().text(sealEvents(events, sha256)).runs[0]!;
      let shown = 0;
      for (const [id, known] of shownTexts(record))
        for (const { start, text } of known.stretches) {
          assert.equal(text, texts.get(id).slice(start, start + text.length));
          assert.equal(textOf(known, start, start + 3), text.slice(0, 3));
          shown++;
        }
      const spans = record.context!.context.parts.reduce((sum, part) => sum + part.spans.length, 0);
      assert.equal(shown, spans);
      assert.ok(context === 'headers' || shown > 0);
    });

  test('many empty spans that fit nowhere are given up soon', () => {
    const part = { id: 'a', documentId: 'd', start: 0, end: 900 };
    const spans = Array.from({ length: 300 }, () => [0, 0] as const);
    const item = { id: 'a', documentId: 'd', title: '', metadata: {}, score: 1, spans: [] };
    const record = {
      context: {
        type: 'context',
        evidence: [item],
        ranking: [],
        ms: 1,
        context: { name: 'x', text: '\n'.repeat(900), tokens: 0, parts: [{ ...part, spans }] },
      },
    } as unknown as RunRecord;
    assert.deepEqual(shownTexts(record).get('d')!.stretches, []);
  });

  test('marks cut a text at their ends; cited wins over kept', () => {
    const marks = [
      { start: 12, end: 16, cited: false },
      { start: 14, end: 30, cited: true },
    ];
    assert.deepEqual(piecesOf({ start: 10, text: 'abcdefgh' }, marks), [
      { start: 10, text: 'ab' },
      { start: 12, text: 'cd', marked: 'kept' },
      { start: 14, text: 'efgh', marked: 'cited' },
    ]);
  });

  test('a place is said by headings, page and line', () => {
    const outline = [
      { start: 0, heading: [] },
      { start: 5, heading: ['A', 'B'], page: 2, line: 9 },
    ];
    const known: Pick<KnownText, 'outline'> = { outline };
    assert.equal(placeWords(known, 4), '');
    assert.equal(placeWords(known, 6), 'A › B · page 2 · line 9');
    assert.equal(placeWords({}, 6), '');
  });
});

test('amounts follow the hops, net of what is withdrawn, and the end adds the reading', () => {
  const record: RunRecord = {
    ...emptyRecord(),
    hops: [
      hopOf({ spent: { hops: 1, documents: 3, contextTokens: 90 } }),
      hopOf({ spent: { hops: 1, documents: -1, contextTokens: -20 } }),
    ],
    times: [10, 20],
    asked: { budget: { contextTokens: 100, usd: 1 } } as unknown as NonNullable<RunRecord['asked']>,
    end: {
      type: 'end',
      ms: 40,
      spent: { hops: 2, documents: 2, contextTokens: 70, modelCalls: 1 },
    },
  };
  assert.deepEqual(coursesOf(record), [
    { name: 'hops', spent: [0, 1, 2, 2] },
    { name: 'documents', spent: [0, 3, 2, 2] },
    { name: 'contextTokens', limit: 100, spent: [0, 90, 70, 70] },
    { name: 'modelCalls', spent: [0, 0, 0, 1] },
    { name: 'usd', limit: 1, spent: [0, 0, 0, 0] },
    { name: 'ms', spent: [0, 10, 20, 40] },
  ]);
});

test('an amount of one is of one search, hop or dollar', () => {
  assert.deepEqual(
    (['retrievals', 'hops', 'usd', 'contextTokens'] as const).map(name => [
      amountWords(name, 1),
      amountWords(name, 2),
    ]),
    [
      ['search', 'searches'],
      ['hop', 'hops'],
      ['US dollar', 'US dollars'],
      ['context word', 'context words'],
    ],
  );
});

test('the page of one question over large documents has less than a megabyte, and says what it leaves out', async () => {
  const folder = freshFolder();
  const at = (name: string): string => join(folder, name);
  mkdirSync(at('notes'));
  for (const name of ['ferry', 'train', 'bus', 'tram'])
    writeFileSync(
      at(`notes/${name}.md`),
      Array.from(
        { length: 40 },
        (_, part) => `# The ${name} ${part}\n\nThe ${name} sails. ${'ö '.repeat(2000)}\n`,
      ).join('\n'),
    );
  await succeeds(['ingest', at('notes'), '--store', at('s')]);
  await succeeds(
    argv`ask ${'Where does the ferry sail?'} --store ${at('s')} --trace ${at('t.jsonl')} --full-trace`,
  );
  const { err } = await succeeds(
    argv`inspect ${at('t.jsonl')} --store ${at('s')} -o ${at('t.html')} --verbose`,
  );
  const page = readFileSync(at('t.html'), 'utf8');
  assert.ok(Buffer.byteLength(page) < 1_000_000, String(page.length));
  assert.match(page, /"id":"ferry.md"/);
  assert.match(err, /^\d documents? were left out of the page; multihop serve shows all of them$/m);
});

test('inspect takes the runs of one question, and documents of the store', async () => {
  const folder = freshFolder();
  const at = (name: string): string => join(folder, name);
  const store = ['--store', at('x.store')];
  await succeeds(['ingest', DEMO_CORPUS, ...store]);
  const question = ['ask', 'Who won the Fathom Prize?', ...store];
  await succeeds([...question, '--trace', at('one.jsonl')]);
  const events = new RecordReader().text(readFileSync(at('one.jsonl'), 'utf8')).runs[0]!;
  const again = [events.asked!, { ...events.asked!, question: { id: 'other', text: 'Other?' } }];
  writeFileSync(at('two.jsonl'), sealEvents(again, sha256));
  const chosen = argv`inspect ${at('two.jsonl')} --question other
      -o ${at('two.html')} --json`;
  const { out, code } = await run(chosen);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(out).runs, 1);
  assert.match(readFileSync(at('two.html'), 'utf8'), /"question":"Other\?"/);
  await refuses(
    ['inspect', at('two.jsonl'), '--question', 'q9', '-o', at('none.html')],
    /no trace to show/,
  );
  const stored = await run(['inspect', at('one.jsonl'), ...store, '-o', at('one.html'), '--json']);
  assert.ok(JSON.parse(stored.out).documents > 0);
  assert.match(readFileSync(at('one.html'), 'utf8'), /nibbling at the old ones/);
});
