/**
 * Tests sub-answers and short answers: prompts, parsing of outputs, and robustness against any
 * output.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freeCall } from '../core/trace/call.ts';
import {
  answerOf,
  bracketedAnswer,
  INSUFFICIENT,
  saysInsufficient,
} from '../models/short-answer.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { follows } from './follows.ts';
import { answerFromSubAnswers, type SubAnswer } from './sub-answers.ts';

const cite = (id: string) => ({ id, documentId: id, start: 0, end: 5 });
const known: SubAnswer[] = [
  { question: 'Who won the Silver Prism?', answer: 'Osk Maren', citations: [cite('a'), cite('b')] },
  { question: 'Who studied under Osk Maren?', answer: 'Ines Quill', citations: [cite('b')] },
  { question: 'When?', citations: [cite('c')] },
];

describe('integration of sub-answers', () => {
  test('makes one call that shows each sub-question with its answer, as data', async () => {
    const model = scriptedModel(['{"answer": "Ines Quill"}']);
    const question = 'Who studied under the winner?';
    const { outputs, end } = await answerFromSubAnswers(question, known, model, freeCall());
    assert.deepEqual(outputs, [
      { role: 'finalAnswer', text: '{"answer": "Ines Quill"}', parsed: true },
    ]);
    assert.deepEqual(end.draft, { text: 'Ines Quill', citations: [cite('a'), cite('b')] });
    assert.equal(model.prompts.length, 1);
    const [prompt] = model.prompts;
    assert.deepEqual(
      [prompt!.role, prompt!.temperature, prompt!.schema?.name],
      ['finalAnswer', 0, 'answer'],
    );
    const user = prompt!.messages.at(-1)!.text;
    assert.match(user, /<<passage 1>> Who won the Silver Prism\?\nOsk Maren\n<<passage 2>>/);
    assert.match(user, /3>> When\?\nunknown\n/);
    assert.ok(user.endsWith('Question: Who studied under the winner?'));
  });

  test('accepts an answer in angle brackets, recognises a refusal, and leaves others unparsed after one repair', async () => {
    for (const [texts, answer, parsed] of [
      [['I think <Ines Quill>', 'well'], 'Ines Quill', [false, true]],
      [['{"answer": "Insufficient information"}'], INSUFFICIENT, [true]],
      [['no JSON', 'none here'], undefined, [false, false]],
      [['no JSON', '{"answer": "Ines Quill"}'], 'Ines Quill', [false, true]],
    ] as const) {
      const model = scriptedModel(texts);
      const { outputs, end } = await answerFromSubAnswers('Who?', known, model, freeCall());
      assert.equal(end.draft?.text ?? end.abstained, answer, texts[0]);
      assert.deepEqual(
        outputs.map(output => output.text),
        texts,
      );
      assert.deepEqual(
        outputs.map(output => output.parsed),
        parsed,
        texts[0],
      );
    }
  });
});

describe('recognises refusals', () => {
  const refusals = [
    'Insufficient information.',
    'insufficient information',
    'INSUFFICIENT INFORMATION!',
    'Insufficient information to answer the question',
    'So the answer is: Insufficient information.',
    'The answer is unknown.',
    'Not enough information',
    'There is not enough evidence in the passages.',
    'unknown',
    'noanswer',
    'No answer',
    'I don’t know.',
    'It cannot be determined from the passages.',
    'Not mentioned in the passages',
    'not specified',
    'The information is not provided in the text',
    '',
    ' . ',
  ];
  for (const text of refusals)
    test(JSON.stringify(text), () => assert.equal(saysInsufficient(text), true));
  const answers = [
    'No',
    'Yes',
    'None',
    'A',
    'The Information',
    'Unknown Mortal Orchestra',
    'Google',
    'Not Google but Apple',
    'Null Island',
  ];
  for (const text of answers)
    test(`${text} is an answer`, () => assert.equal(saysInsufficient(text), false));
});

test('an integrated answer follows from its sub-answers, or the reader answers', async () => {
  const asked = [
    { question: 'Who filmed Blue Heron?', answer: 'Ines Quill' },
    { question: 'When was Ines Quill born?', answer: '1931' },
    { question: 'When did she film it?', answer: '1962' },
  ];
  for (const answer of [
    'Ines Quill',
    'Quill',
    '1931',
    'Yes',
    'no',
    'Blue Heron',
    '31',
    '31 years',
    'Insufficient information.',
  ])
    assert.ok(follows(answer, 'How old was the director of Blue Heron?', asked), answer);
  for (const answer of ['Osk Maren', '1950', 'Ines Maren', '30 years', 'Tarn'])
    assert.ok(!follows(answer, 'How old was the director of Blue Heron?', asked), answer);
  const citations = [{ id: 'a', documentId: 'a', start: 0, end: 1 }];
  const read = async (answer: string) =>
    answerFromSubAnswers(
      'How old was the director of Blue Heron?',
      asked.map(each => ({ ...each, citations })),
      scriptedModel([JSON.stringify({ answer })]),
      freeCall(),
    );
  assert.deepEqual((await read('31')).end.draft?.text, '31');
  const { end, outputs } = await read('Osk Maren');
  assert.deepEqual(end, { why: 'completed' });
  assert.match(outputs.at(-1)!.text, /does not follow/);
});

test('an integrated answer may compute, shorten and say in other words, and names nothing new', () => {
  const rows: readonly (readonly [question: string, told: readonly string[], string, boolean])[] = [
    ['How many months lie between them?', ['2020-01', '2021-07'], '18 months', true],
    ['How many months lie between them?', ['January 2020', 'July 2021'], '18', true],
    ['How many months lie between them?', ['2020-01', '2021-07'], '19 months', false],
    ['In which century was it built?', ['1850'], 'the 19th century', true],
    ['In which century was it built?', ['1850'], 'the 18th century', false],
    ['In which decade was it built?', ['1958'], 'the 1950s', true],
    ['What share is it?', ['50', '200'], '25%', true],
    ['What share is it?', ['50', '200'], '30%', false],
    ['How many times as long is it?', ['300 km', '100 km'], '3 times', true],
    ['Which country is it?', ['Springfield, United States'], 'USA', true],
    ['Which country is it?', ['Springfield, United States'], 'UK', false],
    ['Which of both is farther north?', ['59.9 degrees', '55.7 degrees'], 'Norway', false],
    ['Is Oslo or Bergen nearer?', ['300 km', '500 km'], 'Oslo is at a smaller distance', true],
    ['Is Oslo or Bergen nearer?', ['300 km', '500 km'], 'Tromsø is at a smaller distance', false],
    ['他们的国籍相同吗？', ['美国', '美国'], '他们都是美国人', true],
    ['他们的国籍相同吗？', ['美国', '美国'], '他们都是英国人', false],
    ['Wie lange dauerte es?', ['1961', '1971'], '10 Jahre', true],
    ['Was war sie?', ['Malerin'], 'Ärztin', false],
    ['What did she do?', ['painter'], 'architect', false],
  ];
  for (const [question, told, answer, expected] of rows) {
    const subAnswers = told.map(each => ({ question: '?', answer: each }));
    assert.equal(follows(answer, question, subAnswers), expected, `${told}: ${answer}`);
  }
});

test('reads an answer from JSON', () => {
  assert.deepEqual(
    [
      { answer: ' Rome ' },
      { answer: 1998 },
      { answer: true },
      { answer: null },
      { answer: '' },
      { answer: ['x'] },
      {},
      null,
      'x',
      [],
    ].map(answerOf),
    [
      'Rome',
      '1998',
      'Yes',
      INSUFFICIENT,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ],
  );
  assert.equal(answerOf({ answer: 'x'.repeat(5000) }), undefined);
  assert.equal(bracketedAnswer('<think>a <b> c</think> so <Rome>'), 'Rome');
});
