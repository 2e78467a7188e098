/**
 * Tests `cascade`: the model is asked only where the rules are not sure, and the answer is that of
 * the more probable side, with its citations.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Answer } from '../core/trace/trace.ts';
import { cascadeFor } from '../models/cascade/shipped.ts';
import { ask, ingest } from '../session/verbs.ts';
import { scriptedModel } from '../testing/index.ts';
import { agrees, cascadeCandidates } from './cascade/candidates.ts';
import { chosenAnswer, saidAlone } from './cascade/choice.ts';
import { type Answered, abstained } from './draft.ts';

const engine = await ingest([
  { id: 'mill', title: 'Harrow Mill', text: 'Harrow Mill was bought by Odo Brandt in 1911.' },
  { id: 'odo', title: 'Odo Brandt', text: 'Odo Brandt was born in Tarn. He kept bees.' },
]);
const QUESTION = 'Where was the buyer of Harrow Mill born?';

describe('cascade', () => {
  const askWith = async (reader: string, replies: string[], answerAt = 0) => {
    const model = scriptedModel(replies);
    const { answer } = await ask(QUESTION, { engine, reader, answerAt, model });
    return { answer, calls: model.prompts.length, prompts: model.prompts };
  };

  test('asks no model where the rules are sure, unless the run asks for more', async () => {
    const reply = 'He was born in Tarn [1].';
    assert.equal((await askWith('cascade(sure=0)', [reply])).calls, 0);
    assert.equal((await askWith('cascade(sure=0)', [reply], 1)).calls, 1);
    assert.equal((await askWith('cascade(sure=1.01)', [reply])).calls, 1);
  });

  test('names the candidates of the rules in the prompt', async () => {
    const { answer, prompts } = await askWith('cascade(sure=1.01)', ['He was born in Tarn [1].']);
    assert.match(prompts[0]!.messages.at(-1)!.text, /considers these answers.*Tarn/);
    assert.ok(answer.kind === 'answered' && answer.probability === undefined);
    assert.ok(answer.text.includes('Tarn') && answer.citations.length > 0);
  });

  test('abstains with a model that knows no answer, beside the candidates of the rules', async () => {
    const { answer } = await askWith('cascade(sure=1.01)', ['Insufficient information.']);
    assert.ok(answer.kind === 'abstained', JSON.stringify(answer));
    assert.equal(answer.alternatives?.[0]?.text, 'Tarn');
  });

  test('asks the model what rules do not read: why, two things at once, a denial', async () => {
    for (const question of [
      'Why was Harrow Mill bought?',
      'Who bought Harrow Mill and where was he born?',
      'Who did not buy Harrow Mill?',
      "Who didn't buy Harrow Mill?",
    ]) {
      const model = scriptedModel(['He was born in Tarn [1].']);
      await ask(question, { engine, reader: 'cascade(sure=0)', answerAt: 0, model });
      assert.equal(model.prompts.length, 1, question);
    }
  });

  test('says whose answer it is where the rules are sure', async () => {
    const { answer } = await askWith('cascade(sure=0)', []);
    assert.deepEqual([answer.kind, answer.readBy], ['answered', 'combined-reader']);
  });

  test('is the reader of a run with a model that names none', async () => {
    const model = scriptedModel(['He was born in Tarn [1].']);
    const { reader } = await ask(QUESTION, { engine, model });
    assert.match(reader, /^cascade/);
  });
});

describe('the choice', () => {
  const citation = { id: 'mill', documentId: 'mill', start: 0, end: 4 };
  const rules: Answer = {
    kind: 'answered',
    text: '1911',
    citations: [citation],
    support: 0.5,
    probability: 0.4,
    alternatives: [{ text: 'Odo Brandt', probability: 0.2 }],
  };
  const said = { kind: 'answered', text: 'Odo Brandt.', citations: [], support: 1 } as const;
  const sides = (a: Answer = rules, b: Answered = said) => {
    return { rules: a, said: b, question: QUESTION, by: 'combined-reader' };
  };
  const weights = (model: number, none = 0) => ({
    weights: { rules: 1, unfound: 0, model, verdict: 0 },
    none,
  });

  test('joins what both sides say into one candidate', () => {
    const [first, second] = cascadeCandidates(rules, said, QUESTION);
    assert.deepEqual([first!.byModel, first!.first], [false, true]);
    assert.deepEqual([second!.byModel, second!.text], [true, 'Odo Brandt.']);
    assert.ok(second!.features.rules < first!.features.rules && second!.features.model === 1);
  });

  test('follows the weights to either side', () => {
    assert.equal((chosenAnswer(sides(), weights(9)) as typeof said).text, 'Odo Brandt.');
    assert.equal((chosenAnswer(sides(), weights(-9)) as typeof said).text, '1911');
    assert.deepEqual((chosenAnswer(sides(), weights(-9)) as typeof said).citations, [citation]);
  });

  test('abstains with the reason of the model where neither side has an answer', () => {
    const neither = sides(abstained('a'), abstained('b'));
    assert.deepEqual(chosenAnswer(neither, weights(0)), abstained('b'));
  });

  test('is the answer of a model without weights, beside the candidates of the rules', () => {
    const alone = saidAlone(sides());
    assert.deepEqual([alone.kind, alone.probability], ['answered', undefined]);
    assert.deepEqual(
      alone.alternatives?.map(({ text }) => text),
      ['1911', 'Odo Brandt'],
    );
  });

  test('has weights for one model under all its names', () => {
    for (const id of ['qwen2.5-coder:1.5b', 'Qwen2.5-Coder-1.5B-Instruct-Q8_0@gguf-12'])
      assert.ok(cascadeFor(id), id);
    for (const id of [
      'qwen2.5-coder:7b',
      'qwen2.5-coder:1.5b-base',
      'me/Qwen2.5-Coder-1.5B-SQL-finetune',
      'gpt-5',
      '',
    ])
      assert.equal(cascadeFor(id), undefined, id);
  });

  test('states shares between 0 and 1 whatever the sides say', () => {
    const text = fc.constantFrom('Tarn', 'Odo Brandt', 'yes', 'No', '北京', '');
    fc.assert(
      fc.property(text, text, fc.double({ min: -9, max: 9, noNaN: true }), (a, b, none) => {
        const answer = chosenAnswer(
          sides({ ...rules, text: a }, { ...said, text: b }),
          weights(1, none),
        );
        assert.ok(answer.probability! >= 0 && answer.probability! <= 1);
        assert.ok([a, b].some(each => each === (answer as { text: string }).text));
      }),
    );
  });
});

test('a model agrees with a candidate that its words hold, and a verdict with the same alone', () => {
  const pairs = [
    ['3 days', 'three days, or 3 days', true],
    ['The Fathom Prize', 'Fathom Prize', true],
    ['Yes', 'yes, both', true],
    ['No one knows', 'no', false],
    ['Odo Brandt came before Ines Quill.', 'Ines Quill', false],
    ['Ines Quill came before Odo Brandt.', 'Ines Quill', true],
    ['It was Lund who came first.', 'Lund', true],
    ['No', 'North Sea', false],
    ['Yes', 'no', false],
    ['He was not born in Oslo but in Bergen.', 'Oslo', false],
    ['答案是北京。', '北京', true],
    ['art', 'Cartagena', false],
    ['', 'x', false],
  ] as const;
  for (const [said, candidate, same] of pairs)
    assert.equal(
      agrees(said, candidate, 'Who came first, Ines Quill or Odo Brandt?'),
      same,
      `${said} / ${candidate}`,
    );
});
