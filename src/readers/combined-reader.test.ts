/** Checks which reader answers what: questions that cite reports, and open ones. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CorpusKind } from '../core/corpus/corpus-kind.ts';
import { defined } from '../core/defined.ts';
import { type AskOptions, ask, ingest, type Strategy } from '../index.ts';
import { strategies } from '../strategies/strategies.ts';

const TEXTS = [
  'Ivo Stern is a Danish welder who founded Holm Works in 1990.',
  'Holm Works is a shipyard in Esbjerg.',
  'The Grey Petrel is a ferry that was built by Holm Works in 2004.',
];
const documents = TEXTS.map((text, index) => ({ id: `d${index}`, text }));
const sourced = documents.map(each => ({ ...each, source: 'The Tidings' }));

const answers = async (question: string, corpus: typeof documents, reader?: string) => {
  const options = { engine: await ingest(corpus), answerAt: 0, reader };
  return (await ask(question, defined<AskOptions>(options))).answer;
};

describe('combined-reader', () => {
  test('answers an open question over own texts as open-reader does, by default', async () => {
    const question = 'Who founded Holm Works?';
    const answer = await answers(question, documents);
    assert.equal(answer.kind === 'answered' && answer.text, 'Ivo Stern');
    assert.deepEqual(answer, await answers(question, documents, 'open-reader'));
  });

  test('answers a question that cites reports as fact-reader does', async () => {
    const question = 'According to The Tidings, which company built the Grey Petrel?';
    for (const corpus of [documents, sourced])
      assert.deepEqual(
        await answers(question, corpus),
        await answers(question, corpus, 'fact-reader'),
      );
  });

  test('decides yes or no over texts with sources as fact-reader does', async () => {
    const question = 'Did Holm Works build the Grey Petrel?';
    assert.deepEqual(
      await answers(question, sourced),
      await answers(question, sourced, 'fact-reader'),
    );
  });

  test('goes by the kind of corpus that the strategy decided, as the trace says', async () => {
    const engine = await ingest(
      documents.map(each => ({ ...each, outline: [{ start: 0, heading: ['Works'] }] })),
    );
    const usual = strategies.create('naive');
    const kindOf = async (corpusKind?: CorpusKind) => {
      const strategy: Strategy = {
        ...usual,
        async *hops(...args) {
          for await (const hop of usual.hops(...args)) yield { ...hop, corpusKind };
          return { why: 'completed' };
        },
      };
      const { answer, ...trace } = await ask('Who founded Holm Works?', { engine, strategy });
      const { form } = (answer.kind !== 'evidence' && answer.confidence) || {};
      return [trace.corpusKind, form];
    };
    assert.deepEqual(await kindOf('articles'), ['articles', 'span']);
    assert.deepEqual(await kindOf(), ['sections', 'value']);
  });

  test('with support=0 always answers', async () => {
    const question = 'Who painted the ceiling of the opera in Lima?';
    assert.equal(
      (await answers(question, documents, 'combined-reader(support=0)')).kind,
      'answered',
    );
  });

  test('refuses by what no sentence states, and keeps what it withheld', async () => {
    const answer = await answers('Who sold the Grey Petrel?', documents);
    assert.ok(answer.kind === 'abstained');
    assert.deepEqual([answer.support, answer.withheld !== undefined], [0, true]);
  });

  test('abstains without evidence', async () =>
    assert.equal((await answers('Who?', [])).kind, 'abstained'));
});
