/** Tests answers in free form: their prompt, their citations by sentence, and their abstentions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Trace } from '../core/trace/trace.ts';
import { type AskOptions, askEvents } from '../run/ask.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { type Script, scriptedModel } from '../testing/scripted-model.ts';

const IDS = ['lighthouse-sold', 'boat-builder'];
const documents = IDS.map(id => FIXTURE_DOCUMENTS.find(document => document.id === id)!);

async function ask(script: Script, options: Partial<AskOptions> = {}) {
  const model = scriptedModel(script);
  const engine = new EmbeddedEngine({ documents });
  const reader = 'generative';
  const strategy = 'fixed-top-k(k=5)';
  const request = { engine, strategy, reader, resources: { model }, ...options };
  const run = askEvents('Who bought the lighthouse at Harrow Point?', request, () => 0);
  for (;;) {
    const step = await run.next();
    if (step.done) return { ...(step.value satisfies Trace), model };
  }
}

const textOf = (id: string, start: number, end: number): string =>
  documents.find(document => document.id === id)!.text.slice(start, end);

describe('a language model', () => {
  test('answers in sentences, each with what it cites', async () => {
    const { reader, answer, evidence, spent, model } = await ask([
      'The buyer is the glass maker Ines Quill [1]. She founded the Quill Works in Tarn. [1]',
    ]);
    assert.deepEqual([reader, spent.modelCalls], ['generative', 1]);
    assert.ok(answer.kind === 'answered');
    assert.equal(
      answer.text,
      'The buyer is the glass maker Ines Quill. She founded the Quill Works in Tarn.',
    );
    assert.equal(evidence[0]!.documentId, 'lighthouse-sold');
    const cited = answer.sentences!.map(({ start, end, citations }) => [
      answer.text.slice(start, end),
      citations.map(each => textOf(each.documentId, each.start, each.end)),
    ]);
    const source = 'Its buyer is the glass maker Ines Quill, who founded the Quill Works in Tarn.';
    assert.deepEqual(cited, [
      ['The buyer is the glass maker Ines Quill.', [source]],
      ['She founded the Quill Works in Tarn.', [source]],
    ]);
    assert.deepEqual(
      [answer.unsupported, answer.dropped, answer.support],
      [undefined, undefined, 1],
    );
    const [system] = model.prompts[0]!.messages;
    assert.ok(!/a word, a name|JSON/.test(system!.text));
    assert.equal(model.prompts[0]!.schema, undefined);
  });

  test('is not asked by a reader that is named', async () => {
    const { reader, model } = await ask(['x'], { reader: 'extractive' });
    assert.deepEqual([reader, model.prompts.length], ['extractive', 0]);
  });

  test('is shown the passages under the numbers of the documents of the evidence', async () => {
    const { evidence, context, model } = await ask(['x [1]']);
    const order = [...new Set(evidence.map(({ documentId }) => documentId))];
    const numbers = [...model.prompts[0]!.messages[1]!.text.matchAll(/<<passage (\d+)>>/g)];
    assert.deepEqual(
      numbers.map(([, number]) => order[Number(number) - 1]),
      context.parts.map(({ documentId }) => documentId),
    );
  });

  test('passes its text on while it is written, without its thoughts', async () => {
    const pieces: string[] = [];
    await ask(['<think>[1] or [2]?</think>\nInes Quill bought it [1].'], {
      onText: piece => pieces.push(piece),
    });
    assert.equal(pieces.join(''), 'Ines Quill bought it [1].');
  });
});

describe('a citation of what was not shown', () => {
  test('is dropped and named, and its sentence is unsupported', async () => {
    const { answer } = await ask(['Ines Quill bought it [1]. She paid in gold [7][40].']);
    assert.ok(answer.kind === 'answered');
    assert.deepEqual(answer.dropped, [7, 40]);
    assert.deepEqual(
      answer.sentences!.map(({ citations }) => citations.length),
      [1, 0],
    );
    assert.deepEqual(answer.unsupported, ['She paid in gold.']);
  });

  test('does not withhold a sentence that the evidence holds word for word', async () => {
    for (const said of ['Ines Quill bought it.', 'Ines Quill bought it [9].', 'Ines Quill.']) {
      const { answer } = await ask([said]);
      assert.ok(answer.kind === 'answered', said);
      const [{ documentId, start, end }] = answer.citations as [(typeof answer.citations)[number]];
      assert.match(textOf(documentId, start, end), /^Its buyer is the glass maker Ines Quill/);
    }
  });

  test('withholds an answer that cites nothing else, or marks it', async () => {
    const withheld = (await ask(['Pia Sol bought it [9].'])).answer;
    assert.ok(withheld.kind === 'abstained');
    assert.deepEqual(
      [withheld.reason, withheld.withheld?.text, withheld.dropped],
      ['The answer cites nothing in the evidence', 'Pia Sol bought it.', [9]],
    );
    const reader = 'generative(uncited=mark)';
    const marked = (await ask(['Pia Sol bought it.'], { reader })).answer;
    assert.ok(marked.kind === 'answered');
    assert.deepEqual([marked.unsupported, marked.support], [['Pia Sol bought it.'], 0]);
  });
});

describe('an abstention', () => {
  for (const said of [
    'Insufficient information.',
    '"Insufficient information"',
    'Insufficient information. The passages only name the lighthouse [1].',
    '<think>No.</think> I cannot tell.',
    'I could not find the answer in the passages [1].',
    'The passages do not mention who bought it [1][2].',
    'Die Passagen enthalten keine Angaben dazu [1].',
    '文中没有提到。[1]',
  ])
    test(`is read from ${said}`, async () => {
      const { answer } = await ask([said]);
      assert.ok(answer.kind === 'abstained' && answer.reason === 'Insufficient information.');
    });

  test('names a reply of numbers alone', async () => {
    for (const said of ['[1]', '[1][2]', '(1)', '1', '1, 2', '<<passage 1>>', 'Sources: [1]']) {
      const { answer } = await ask([said]);
      assert.ok(answer.kind === 'abstained', said);
      assert.equal(answer.reason, 'The output of the model names passages and gives no answer');
    }
  });

  test('names output without any text', async () => {
    const { answer } = await ask(['<think>and so on']);
    assert.ok(answer.kind === 'abstained');
    assert.equal(answer.reason, 'The output of the model is not a readable answer');
  });

  test('follows a limit on model calls, which it names', async () => {
    const { answer, stopped } = await ask(['x'], { budget: { modelCalls: 0 } });
    assert.ok(answer.kind === 'abstained' && /modelCalls/.test(answer.reason));
    assert.deepEqual(stopped, { by: 'limit', limit: 'modelCalls' });
  });
});

describe('an answer in words that may tell of none', () => {
  const documents = [
    {
      id: 'log',
      title: 'Log of the ferry',
      text: 'The anchor was never found. The final score was 2-1. No, the data stays in the harbour.',
      metadata: {},
    },
  ];
  for (const said of [
    'The anchor was never found [1].',
    'No, the data stays in the harbour [1].',
    '2-1 [1]',
  ])
    test(`is one if the cited passage holds it: ${said}`, async () => {
      const engine = new EmbeddedEngine({ documents });
      const { answer } = await ask([said], { engine });
      assert.equal(answer.kind, 'answered');
    });

  test('is none if the passage has other words', async () => {
    const engine = new EmbeddedEngine({ documents });
    for (const said of ['I could not find the answer in the passages [1].', 'Unknown [1].'])
      assert.equal((await ask([said], { engine })).answer.kind, 'abstained');
  });
});
