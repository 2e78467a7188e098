/**
 * Checks over documents with equal texts that the evidence holds each text once and that rankings
 * are those of all documents.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Trace } from '../core/trace/trace.ts';
import { engineOf, runOf } from '../testing/strategy-run.ts';
import { strategies } from './strategies.ts';

const FERRY = 'The ferry Linnet sails to Harrow Point. Ines Quill is its master.';
const OTHERS = [
  'Harrow Point has a lighthouse. The ferry Linnet brings its oil.',
  'Ines Quill was born in Vell. She sailed to Harrow Point.',
  'Vell is a port. A ferry sails from Vell to Tarn.',
];
const documents = [FERRY, FERRY.replaceAll(' ', '\n '), FERRY, ...OTHERS, OTHERS[0]!].map(
  (text, at) => ({ id: `d${at}`, title: '', text, metadata: {} }),
);
const question = { id: 'q', text: 'Who is the master of the ferry Linnet to Harrow Point?' };
const engine = engineOf(documents);

const asked = async (name: string): Promise<Trace> => {
  const strategy = strategies.create(name);
  const script = { question, engine, retriever: 'lexical', context: 'whole' };
  return (await runOf(strategy, script)).trace;
};
const textsOf = ({ evidence }: Trace): string[] =>
  evidence.map(({ documentId, spans }) => {
    const { text } = documents.find(({ id }) => id === documentId)!;
    return spans
      .map(([start, end]) => text.slice(start, end))
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim();
  });
const duplicates = ({ hops }: Trace): (string | undefined)[] =>
  hops.flatMap(({ rejected }) =>
    rejected.filter(({ why }) => why === 'duplicate').map(({ detail }) => detail),
  );

describe('evidence holds each text once, whatever the strategy', () => {
  for (const name of ['fixed-top-k(k=4)', 'equal-budget-top-k', 'hipporag1', 'hipporag2(k=4)'])
    test(`${name} is filled, and says where the others stand`, async () => {
      const trace = await asked(name);
      const texts = textsOf(trace);
      assert.equal(new Set(texts).size, texts.length, texts.join('\n'));
      assert.ok(texts.length >= 4, `${texts.length} texts`);
      const [ferry] = trace.evidence.filter((_, at) => texts[at] === FERRY);
      assert.ok(duplicates(trace).includes(`the text of ${ferry!.id}`));
      assert.equal(ferry!.places, 3);
    });
});

describe('a ranking', () => {
  for (const name of ['fixed-top-k(k=4)', 'equal-budget-top-k', 'hipporag2(k=4)'])
    test(`of ${name} lists documents as if each text counted each time`, async () => {
      const { ranking, hops } = await asked(name);
      const last = hops.flatMap(({ searches }) => searches).at(-1)!;
      const found = [...new Set(last.hits.map(({ documentId }) => documentId))];
      assert.deepEqual(ranking.slice(0, found.length), found);
    });

  test('of fact-lanes gives no place to a document for a sentence that the evidence holds', async () => {
    const greeting = 'Good morning to the ferry Linnet!';
    const chats = [
      `${greeting} Ines Quill is the master of the ferry Linnet to Harrow Point.`,
      'The ferry sails from Harrow Point at noon, and its master is on board an hour before.',
      `${greeting} The oven smokes.`,
    ].map((text, at) => ({ id: `c${at}`, title: '', text, metadata: {} }));
    const { trace } = await runOf(strategies.create('fact-lanes(tokens=20)'), {
      question: { id: 'q', text: 'Who is the master of the ferry Linnet to Harrow Point?' },
      engine: engineOf(chats),
      retriever: 'lexical',
      context: 'whole',
    });
    assert.deepEqual(trace.ranking, ['c0', 'c1', 'c2']);
  });
});
