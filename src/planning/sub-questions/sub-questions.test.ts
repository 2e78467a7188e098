/**
 * Tests sub-questions: parsing of model outputs, references and their binding, clauses, records,
 * and answers without a model.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { freeCall } from '../../core/trace/call.ts';
import { promptTokens } from '../../models/prompt-tokens.ts';
import { scriptedModel } from '../../testing/scripted-model.ts';
import { planners } from '../planners.ts';
import { boundQuery } from './bind.ts';
import { clauseSubQuestions } from './clause-sub-questions.ts';
import { extractiveSubAnswer } from './extractive-sub-answer.ts';
import { modelSubAnswer, subAnswerInJson } from './model-sub-answer.ts';
import { decomposePrompt, modelSubQuestions } from './model-sub-questions.ts';
import { bindable, type ReadAnswer, UNKNOWN } from './read-answer.ts';
import { citationsOf, type ReadPassage } from './read-passage.ts';
import { readRecordedSubQuestions } from './recorded-sub-questions.ts';
import { referencesIn } from './references.ts';
import { distinctSubQuestions, subQuestionsInJson } from './sub-question-list.ts';

const passage = (id: string, title: string, text: string, start = 0): ReadPassage => ({
  id,
  documentId: id,
  title,
  about: '',
  start,
  text,
});
const PASSAGES = [
  passage('p1', 'Silver Prism', 'The prize is old. Osk Maren won the Silver Prism in 2019.', 100),
  passage('p2', 'Osk Maren', 'He was born in Vell. He has 3 dogs.'),
];
const read = (answer: string, occurrences = citationsOf(answer, PASSAGES)): ReadAnswer => ({
  answer,
  occurrences,
  citations: occurrences,
  outputs: [],
});

describe('lists that a model writes', () => {
  const split = (...raw: string[]): string[] => distinctSubQuestions(raw, 4);

  test('removes markers, quotation marks, blanks and repetitions, and cuts to the number of parts', () => {
    assert.deepEqual(
      split(
        '1. Who won?',
        ' ',
        '- "Where  was it?"',
        'WHO WON?',
        'Q3: When?',
        '2024 was what?',
        'Why?',
      ),
      ['Who won?', 'Where was it?', 'When?', '2024 was what?'],
    );
    assert.deepEqual(split('x'.repeat(501), '...', '#1', 'ok?'), ['ok?']);
  });

  test('reads JSON in its usual forms', () => {
    for (const json of [
      { subqueries: ['a?', 'b?'] },
      ['a?', 'b?'],
      { questions: [{ question: 'a?' }, { question: 'b?' }] },
    ])
      assert.deepEqual(subQuestionsInJson(json), ['a?', 'b?'], JSON.stringify(json));
    assert.deepEqual(
      subQuestionsInJson({ entities: ['Harrow Point'], subqueries: ['Who owns it?'] }),
      ['Who owns it?'],
    );
    for (const json of [
      null,
      1,
      'a?',
      {},
      [],
      { subqueries: [] },
      { subqueries: [1, null, '  '] },
      { subqueries: 'a?' },
    ])
      assert.equal(subQuestionsInJson(json), undefined, JSON.stringify(json));
  });
});

describe('splitting by a model', () => {
  const ask = (texts: string[], settings = { parts: 3, chained: false }) =>
    modelSubQuestions(scriptedModel(texts), 'Q', settings, freeCall());

  test('the prompt names the number of parts and, chained, the references', () => {
    const [plain, chained] = [false, true].map(
      chained => decomposePrompt('Who?', { parts: 4, chained }).messages[0]!.text,
    );
    assert.match(plain!, /exactly 4/);
    assert.doesNotMatch(plain!, /#1/);
    assert.match(chained!, /at most 4.*#1 is the answer of the first/s);
  });

  test('reads JSON, JSON after one repair, lines of either text, or nothing', async () => {
    assert.deepEqual(await ask(['{"subqueries": ["a?", "b?"]}']), {
      questions: ['a?', 'b?'],
      outputs: [{ role: 'decompose', text: '{"subqueries": ["a?", "b?"]}', parsed: true }],
    });
    const parsed = async (...texts: string[]) =>
      (await ask(texts)).outputs.map(each => each.parsed);
    assert.deepEqual(await parsed('no', '["a?"]'), [false, true]);
    assert.deepEqual(await parsed('1. a?\n2. b?', 'what?'), [true, false]);
    assert.deepEqual(await parsed('no', 'no'), [false, false]);
    assert.deepEqual((await ask(['1. a?\n2. b?', 'what?'])).questions, ['a?', 'b?']);
    assert.deepEqual((await ask(['{"subqueries": ["a?", "b?", "c?", "d?"]}'])).questions, [
      'a?',
      'b?',
      'c?',
    ]);
  });

  // Output of SmolLM2-135M for a question about a late penalty.
  test('rejects a repetition of the prompt’s example, unless the question is about it', async () => {
    const example = JSON.stringify({
      subqueries: ['Who wrote the novel Solaris?', 'In which town was #1 born?'],
    });
    const chained = { parts: 3, chained: true };
    assert.match(decomposePrompt('Q', chained).messages[2]!.text, /Who wrote the novel Solaris\?/);
    assert.deepEqual((await ask([example, '["a?"]'], chained)).questions, ['a?']);
    for (const again of [example, '1. Who wrote the novel Solaris?']) {
      const { questions, outputs } = await ask([example, again], chained);
      assert.deepEqual([questions, outputs.map(({ parsed }) => parsed)], [[], [false, false]]);
    }
    assert.deepEqual(
      (await ask(['["#1", "In which town was #2 born?"]', '["a?"]'], chained)).questions,
      ['a?'],
    );
    const born = ['Who wrote it?', 'In which town was #1 born?'];
    assert.deepEqual((await ask([JSON.stringify(born)], chained)).questions, born);
    const asked = 'Where was the author of SOLARIS born?';
    const { questions } = await modelSubQuestions(
      scriptedModel([example]),
      asked,
      chained,
      freeCall(),
    );
    assert.equal(questions.length, 2);
  });
});

test('worked examples are turns of a chat that keep to the number and the references asked for', () => {
  for (const parts of [1, 2, 3, 4, 8])
    for (const [chained, minimal] of [
      [false, false],
      [true, false],
      [false, true],
    ] as const) {
      const { messages } = decomposePrompt('Who?', { parts, chained, minimal });
      const roles = messages.map(({ role }) => role).join(' ');
      assert.match(roles, /^system(?: user assistant)+ user$/);
      for (const { role, text } of messages) {
        if (role !== 'assistant') continue;
        const list = subQuestionsInJson(JSON.parse(text))!;
        assert.deepEqual(distinctSubQuestions(list, 99), list);
        if (chained || minimal) assert.ok(list.length <= Math.max(2, parts));
        else assert.equal(list.length, parts);
      }
    }
});

test('clauses: the plan of the planner, then distinct parts between commas and "and"', () => {
  const question =
    'Did the lamp that Ada built go out, and who was paid for it by the town of Vell?';
  const clauses = (parts: number): string[] =>
    clauseSubQuestions(planners.create('source-anchored'), question, parts, []);
  assert.deepEqual(clauses(3), [
    question.slice(0, -1),
    'Did the lamp that Ada built go out',
    'who was paid for it by the town of Vell',
  ]);
  assert.equal(clauses(2).length, 2);
  assert.deepEqual(clauseSubQuestions(planners.create('conjunction'), 'why?', 3, []), ['why']);
});

describe('answers and their occurrences', () => {
  test('finds whole words, ignoring case and punctuation, with the sentence and its offsets in the document', () => {
    const text = PASSAGES[0]!.text;
    assert.deepEqual(citationsOf('osk MAREN', PASSAGES), [
      { id: 'p1', documentId: 'p1', start: 100 + text.indexOf('Osk'), end: 100 + text.length },
      { id: 'p2', documentId: 'p2', start: 0, end: PASSAGES[1]!.text.length },
    ]);
    assert.deepEqual(citationsOf('Vel', PASSAGES), []);
    assert.deepEqual(citationsOf(' - ', PASSAGES), []);
    assert.deepEqual(
      citationsOf('Silver Prism The prize', PASSAGES),
      [],
      'title and text are not one',
    );
    assert.equal(
      citationsOf('old. Osk', PASSAGES)[0]!.start,
      100,
      'over two sentences: the passage',
    );
  });

  test('decides what a later question may be bound to', () => {
    assert.deepEqual(bindable(read(' Osk  Maren '), true), { text: 'Osk Maren' });
    assert.match((bindable(read('Paris'), true) as { why: string }).why, /"Paris" is in none/);
    assert.deepEqual(bindable(read('Paris'), false), { text: 'Paris' });
    for (const answer of ['Yes.', 'no', 'x'.repeat(121), '  ', '...', '„“'])
      assert.ok('why' in bindable(read(answer), false), answer);
    assert.ok('why' in bindable(UNKNOWN, false));
  });

  test('by a model: cites existing passages that it names; unsupported and unknown answers count as none', async () => {
    const ask = (...texts: string[]) =>
      modelSubAnswer(scriptedModel(texts), 'Who won the Silver Prism?', PASSAGES, freeCall());
    const found = await ask(
      '{"answer": "Osk Maren", "supported": true, "passages": [1, 1, 9, -1, "2", 1.5]}',
    );
    assert.deepEqual(
      [found.answer, found.citations.map(({ id }) => id), found.occurrences.map(({ id }) => id)],
      ['Osk Maren', ['p1'], ['p1', 'p2']],
    );
    assert.deepEqual(found.outputs[0]!.citations, found.citations);
    assert.deepEqual(
      (await ask('{"answer": "Yes", "supported": true, "passages": [2]}')).citations,
      [{ id: 'p2', documentId: 'p2', start: 0, end: PASSAGES[1]!.text.length }],
    );
    assert.deepEqual(
      (await ask('{"answer": "Vell", "supported": true}')).citations.map(({ id }) => id),
      ['p2'],
    );
    assert.equal((await ask('{"answer": "Osk Maren", "supported": false}')).answer, undefined);
    assert.equal((await ask('{"answer": "unknown", "supported": true}')).answer, undefined);
    const unread = await ask('Osk Maren', 'Osk Maren!');
    assert.deepEqual(
      [unread.answer, unread.outputs.map(({ parsed }) => parsed)],
      [undefined, [false, false]],
    );
    assert.deepEqual(subAnswerInJson({ answer: 7, passages: 2 }, 2), { answer: '7', cited: [1] });
  });

  test('shortens the prompt to the limit, and cites only what it shows', async () => {
    const long = PASSAGES.map(each => ({ ...each, text: `${'pad '.repeat(200)}${each.text}` }));
    const outputs = '{"answer": "Vell", "supported": true, "passages": [1, 2]}';
    const shown = async (atMost: number) => {
      const model = scriptedModel([outputs]);
      const { citations, occurrences } = await modelSubAnswer(
        model,
        'Where?',
        long,
        freeCall(),
        atMost,
      );
      for (const prompt of model.prompts)
        assert.ok(promptTokens(prompt) <= atMost, `${promptTokens(prompt)} of ${atMost}`);
      return [
        model.prompts.length,
        occurrences.length,
        ...citations.map(({ start, end }) => end - start),
      ];
    };
    assert.deepEqual((await shown(100_000)).slice(0, 3), [1, 1, long[0]!.text.length]);
    assert.deepEqual(
      await shown(700),
      [1, 0, 4 * 53 - 1, 4 * 53 - 1],
      '53 of 212 words, so that the answer is out of sight',
    );
    assert.deepEqual(await shown(50), [0, 0], 'room for none');
  });

  test('by rules: returns the name, year or number of the sentence that shares most words', () => {
    const answer = (question: string): string | undefined =>
      extractiveSubAnswer(question, PASSAGES).answer;
    assert.equal(answer('Who won the Silver Prism?'), 'Osk Maren');
    assert.equal(answer('Where was Osk Maren born?'), 'Vell');
    assert.equal(answer('When was the Silver Prism won?'), '2019');
    assert.equal(answer('How many dogs has he?'), '3');
    assert.equal(answer('zzz'), undefined);
    assert.equal(extractiveSubAnswer('Who won?', []), UNKNOWN);
  });
});

describe('binding', () => {
  const bound = (question: string, answers: ReadAnswer[], mustOccur = true) =>
    boundQuery(question, answers, { mustOccur, fallback: 'Q?' });

  test('leaves out missing or unsupported answers with a reason; falls back to the question if nothing is left', () => {
    assert.deepEqual(bound('#2 >> capital of #1', [read('Vell'), UNKNOWN]), {
      text: '>> capital of Vell',
      bindings: [
        { reference: 2, why: 'it has no answer' },
        { reference: 1, text: 'Vell' },
      ],
      from: { hop: 0, search: 0, id: 'p2' },
    });
    assert.equal(bound('#1?', []).text, 'Q?');
    assert.deepEqual(bound('#1?', []).bindings, [
      { reference: 1, why: 'it was not answered before' },
    ]);
  });
});

describe('recorded sub-questions', () => {
  test("reads the library's own form and MuSiQue's", () => {
    const recorded = readRecordedSubQuestions([
      { question: 'a', subQuestions: ['x?', { question: '#1?', answer: 'y' }] },
      {
        question: 'b',
        question_decomposition: [{ id: 1, question: 'z?', answer: 'w', paragraph_support_idx: 3 }],
      },
    ]);
    assert.deepEqual(recorded.get('a'), [{ question: 'x?' }, { question: '#1?', answer: 'y' }]);
    assert.deepEqual(recorded.get('b'), [{ question: 'z?', answer: 'w' }]);
  });

  test('refuses anything else, with its position', () => {
    for (const bad of [
      {},
      [1],
      [{ question: 'a' }],
      [{ question: 'a', subQuestions: [3] }],
      [{ subQuestions: [] }],
    ])
      assert.throws(() => readRecordedSubQuestions(bad), { code: 'bad-sub-questions' });
    fc.assert(
      fc.property(fc.jsonValue(), json => {
        try {
          readRecordedSubQuestions(json);
        } catch (error) {
          assert.equal((error as { code: string }).code, 'bad-sub-questions');
        }
      }),
    );
  });
});

test('for any output of the model: does not throw, respects the number of parts, refers only backwards, cites only what was read', async () => {
  const pieces = [
    '{"subqueries": [',
    '"who #1 #2?"',
    ',',
    ']}',
    '1. ',
    '- ',
    '#3',
    '\n',
    '"',
    '{"answer": "',
    'Vell',
    '", "supported": true}',
    '<think>',
    '</think>',
    '\ud800',
    '\u0000',
  ];
  const text = fc.oneof(
    fc.array(fc.constantFrom(...pieces)).map(parts => parts.join('')),
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.constantFrom(
      '',
      '['.repeat(100_000),
      '- '.repeat(100_000),
      `{"subqueries": ["${'x'.repeat(100_000)}`,
      'I cannot do that.',
      `1. ${'#1'.repeat(9_999)}`,
    ),
  );
  await fc.assert(
    fc.asyncProperty(text, text, fc.integer({ min: 1, max: 5 }), async (first, second, parts) => {
      const { questions, outputs } = await modelSubQuestions(
        scriptedModel([first, second]),
        'Q',
        { parts, chained: true },
        freeCall(),
      );
      assert.ok(questions.length <= parts);
      for (const [index, question] of questions.entries()) {
        assert.ok(question.trim() !== '' && question.length <= 500);
        for (const reference of referencesIn(question))
          assert.ok(reference >= 1 && reference <= index);
      }
      assert.equal(
        outputs.some(({ parsed }) => parsed),
        questions.length > 0,
      );
      const answer = await modelSubAnswer(
        scriptedModel([first, second]),
        'Where?',
        PASSAGES,
        freeCall(),
      );
      for (const { id, start, end } of answer.citations) {
        const source = PASSAGES.find(each => each.id === id)!;
        assert.ok(start >= source.start && start < end && end <= source.start + source.text.length);
      }
      if (answer.answer === undefined) assert.deepEqual(answer.citations, []);
    }),
    { numRuns: 300 },
  );
});
