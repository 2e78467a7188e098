/** Tests answers over documents with headings: forms, verdicts, passages, and what is withheld. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Document } from '../core/corpus/document.ts';
import type { Answer } from '../core/trace/trace.ts';
import { ask, ingest } from '../index.ts';
import type { Engine } from '../search/engine.ts';
import { NO_SHORT_ANSWER, SEVERAL, UNCOMPARED } from './section-reader.ts';

type Block = readonly [heading: string, ...texts: string[]];

/** Builds a document whose paragraphs stand below headings. */
function manual(id: string, title: string, blocks: readonly Block[]): Document {
  let text = '';
  const outline = blocks.flatMap(([heading, ...texts]) =>
    texts.map(each => {
      const start = text === '' ? 0 : text.length + 2;
      text = text === '' ? each : `${text}\n\n${each}`;
      const kind = each.startsWith('$') ? ({ kind: 'code' } as const) : {};
      return { start, heading: [heading], ...kind };
    }),
  );
  return { id, title, text, metadata: {}, outline };
}

const KESTREL = manual('kestrel/docs/server.md', 'Kestrel server', [
  ['Introduction', 'Kestrel is a small web server that was begun by Ada Lindgren in 2011.'],
  ['bodyLimit', 'The largest body of a request, in bytes.', 'Default: 1048576'],
  ['keepAlive', 'The number of seconds for which an idle connection is held.', 'Default: 75'],
  ['workers', 'How many processes answer requests.', 'Default: 4'],
  ['logLevel', 'How much is written to the log.', 'Default: "notice"'],
  ['Compression', 'Responses are compressed by a filter. It is turned off by default.'],
  ['Symbolic links', 'Kestrel follows symbolic links in its root folder.'],
  ['Requirements', 'Kestrel needs Ruby 3.1 or newer. Its dashboard listens on port 9443.'],
  ['Draining', 'Drain the pool before a restart.', '$ kestrel drain --all'],
  ['Clients', 'Kestrel supports cookies of the Heron client.'],
  ['Name', 'Kestrel is named after a small falcon.'],
]);
const HERON = manual('heron/readme.md', 'Heron client', [
  ['Usage', 'Heron sends requests to a server and prints what comes back.'],
  ['retries', 'How often a request is repeated.', 'Default: 2'],
  ['workers', 'How many processes send requests.', 'Default: 3'],
  ['License', 'Heron was designed by Cosmic Fox Design.'],
]);

let engine: Engine;
before(async () => {
  engine = await ingest([KESTREL, HERON]);
});
const answer = async (question: string, reader = 'section-reader'): Promise<Answer> =>
  (await ask(question, { engine, answerAt: 0, reader })).answer;

describe('section-reader', () => {
  for (const [question, expected] of [
    ['How many workers does Kestrel start?', '4'],
    ['How large may the body of a request to Kestrel be?', '1048576 bytes'],
    ['How long does Kestrel hold an idle connection?', '75 seconds'],
    ['What log level does Kestrel use if none is set?', 'notice'],
    ['Which Ruby version does Kestrel need?', '3.1'],
    ['On which port does the dashboard of Kestrel listen?', '9443'],
    ['Who began Kestrel?', 'Ada Lindgren'],
    ['Which setting of Kestrel limits the body of a request?', 'bodyLimit'],
    ['Which command drains the pool of Kestrel?', 'kestrel drain --all'],
    ['Does Kestrel compress responses by default?', 'No'],
    ['Does Kestrel follow symbolic links?', 'Yes'],
  ] as const)
    test(question, async () => {
      const found = await answer(question);
      assert.equal(found.kind === 'answered' ? found.text : found, expected);
      assert.ok(found.kind === 'answered' && found.citations.length > 0);
      assert.ok(found.probability !== undefined && found.probability > 0);
    });

  test('yes and no are of the project that is named', async () => {
    const found = await answer('Does Heron support cookies?');
    assert.equal(found.kind, 'abstained', JSON.stringify(found));
  });

  test('a verdict agrees with the sentence that it cites', async () => {
    const found = await answer('Is compression of responses on in Kestrel by default?');
    assert.ok(found.kind === 'answered');
    const [cited] = found.citations;
    assert.match(KESTREL.text.slice(cited!.start, cited!.end), /turned off/);
    assert.equal(found.text, 'No');
  });

  test('how and why have no answer, and nothing says that the evidence answers them', async () => {
    const found = await answer('How do I drain the pool of Kestrel?');
    assert.ok(found.kind === 'abstained');
    assert.equal(found.reason, NO_SHORT_ANSWER);
    assert.equal(found.withheld, undefined);
    assert.equal(found.sides, undefined);
  });

  for (const [question, reason] of [
    ['Do Kestrel and Heron have the same number of retries?', UNCOMPARED],
    ['Which has more workers by default, Kestrel or Heron?', UNCOMPARED],
    ['Who began Kestrel, and how many workers does it start?', SEVERAL],
  ] as const)
    test(`is silent: ${question}`, async () => {
      const found = await answer(question);
      assert.equal(found.kind === 'abstained' && found.reason, reason);
    });

  test('what another product states is no answer', async () => {
    const found = await answer('Who designed the logo of Wren?');
    assert.equal(found.kind, 'abstained');
  });

  test('what the question says is no answer', async () => {
    const found = await answer('Which server is Kestrel?');
    assert.ok(found.kind === 'abstained' || !/^(?:kestrel|server)$/i.test(found.text));
  });

  test('is the default over documents with headings, and not over plain texts', async () => {
    const question = 'How many workers does Kestrel start?';
    assert.deepEqual(await answer(question, 'combined-reader'), await answer(question));
    const headed = await ask(question, { engine: await ingest([KESTREL, HERON]) });
    assert.equal(headed.corpusKind, 'sections');
    const texts = [KESTREL, HERON].map(({ id, text }) => ({ id, text }));
    const plain = await ask(question, { engine: await ingest(texts), answerAt: 0 });
    assert.notEqual(
      plain.answer.kind === 'answered' ? plain.answer.confidence?.form : undefined,
      'value',
    );
  });

  test('abstains without evidence', async () => {
    const empty = await ingest([]);
    const { answer: found } = await ask('Who?', { engine: empty, reader: 'section-reader' });
    assert.equal(found.kind, 'abstained');
  });
});
