import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Block, Document } from '../../core/corpus/document.ts';
import { freeCall } from '../../core/trace/call.ts';
import { ask, ingest } from '../../index.ts';
import { wrapEngine } from '../../search/engine.ts';
import { readSections } from './section-rank.ts';

/** Builds a document of sections: heading and text, each a block. */
function manual(id: string, title: string, sections: readonly (readonly [string, string])[]) {
  let text = '';
  const outline: Block[] = [];
  for (const [heading, body] of sections)
    for (const [kind, part] of [
      ['heading', heading],
      ['prose', body],
    ] as const) {
      outline.push({ start: text.length, heading: [heading], kind });
      text += `${part}\n\n`;
    }
  return { id, title, text: text.trimEnd(), metadata: {}, outline } satisfies Document;
}

const KESTREL = manual('kestrel/docs/settings.md', 'Settings of the server', [
  ['bodyLimit', 'Default: 1048576. Larger requests are refused. It counts bytes.'],
  ['idleTimeout', 'Default: 30. Connections without requests are closed after it.'],
  ['logLevel', 'Default: warn. Lower levels are not written.'],
]);
const TERN = manual('tern/docs/storage.md', 'Storage', [
  ['Engine', 'Tern keeps its rows in Egret, an embedded key-value engine.'],
  ['Backups', 'Backups of Tern are taken by hand. They are copied files.'],
]);
const EGRET = manual('egret/docs/tuning.md', 'Tuning', [
  ['Compaction', 'A page is merged when three quarters of it are free.'],
  ['Pages', 'The size of a page is 4096 bytes unless it is given.'],
]);
const HERON = manual('heron/docs/settings.md', 'Settings of the client', [
  ['idleTimeout', 'Default: 5. Connections without requests are closed after it.'],
  ['retries', 'Default: 2. A request is sent again after an error.'],
]);

describe('passages of a document with an outline', () => {
  const { chunk } = chunkers.create('tokens(size=256, overlap=32)');

  test('end at headings, and hold none', () => {
    assert.deepEqual(
      chunk(KESTREL).map(({ text }) => text.split(/[ .]/)[1]),
      ['1048576', '30', 'warn'],
    );
  });

  test('hold at most so many words as `section` says, without overlap', () => {
    const small = chunkers.create('tokens(section=4)');
    const passages = small.chunk(KESTREL);
    assert.deepEqual(
      passages.slice(0, 3).map(({ text }) => text),
      ['Default: 1048576.', 'Larger requests are refused.', 'It counts bytes.'],
    );
    for (const { start, end, text } of passages) assert.equal(text, KESTREL.text.slice(start, end));
  });
});

const IDLE = 'Which waits longer before an idle connection is closed, Heron or Kestrel?';

describe('fact-lanes over documents with headings', () => {
  const asked = async (question: string, documents: readonly Document[]) => {
    const engine = await ingest(documents);
    return ask(question, { engine, answerAt: 0, strategy: 'fact-lanes(tokens=40)' });
  };

  test('keeps sections, the one under the asked heading first', async () => {
    const trace = await asked('What is the default of bodyLimit?', [KESTREL, HERON]);
    const [first] = trace.evidence;
    assert.equal(first!.documentId, KESTREL.id);
    assert.match(KESTREL.text.slice(...first!.spans[0]!), /^Default: 1048576\..*bytes\.$/s);
    assert.match(trace.context.text, /^bodyLimit\nDefault: 1048576\.\nLarger requests/m);
    assert.equal(trace.hops.at(-1)!.reason, 'sections');
  });

  test('takes turns between two things that a question joins', async () => {
    const trace = await asked(IDLE, [KESTREL, HERON, TERN, EGRET]);
    const first = trace.evidence.slice(0, 2).map(({ documentId }) => documentId);
    assert.deepEqual(new Set(first), new Set([KESTREL.id, HERON.id]));
    for (const { documentId, spans } of trace.evidence.slice(0, 2)) {
      const { text } = [KESTREL, HERON].find(({ id }) => id === documentId)!;
      assert.match(text.slice(...spans[0]!), /Connections without requests/);
    }
  });

  test('ends before it asks of both things at a limit of searches', async () => {
    const engine = await ingest([KESTREL, HERON, TERN, EGRET]);
    const strategy = 'fact-lanes(tokens=40)';
    const whole = await ask(IDLE, { engine, answerAt: 0, strategy });
    const retrievals = whole.spent.retrievals! - 1;
    const trace = await ask(IDLE, { engine, answerAt: 0, strategy, budget: { retrievals } });
    assert.deepEqual(trace.stopped, { by: 'limit', limit: 'retrievals' });
    assert.ok(trace.evidence.length > 0);
  });
});

test('documents of sections are read a few at a time, so that a run can be stopped between', async () => {
  const documents = Array.from({ length: 30 }, (_, at) => manual(`d${at}`, 'T', [['H', 'Words.']]));
  const engine = (await ingest(documents)).current;
  const sizes: number[] = [];
  const reading = wrapEngine(engine, ({ method, args, next }) => {
    if (method === 'read' && args[0] === 'document') sizes.push((args[1] as string[]).length);
    return next();
  });
  const [hits] = await engine.search({ unit: 'passage', k: 30, queries: [{ text: 'words' }] });
  const found = hits!.map(hit => ({
    hit,
    search: { hop: 0, search: 0 },
    lane: 0,
    words: 1,
    content: 1,
  }));
  const sections = await readSections(found, reading, freeCall());
  assert.deepEqual(
    sections.map(({ passage, document }) => [passage.id, document.id]),
    hits!.map(({ id, documentId }) => [id, documentId]),
  );
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    30,
  );
  assert.ok(Math.max(...sizes) <= 8, sizes.join());
});
