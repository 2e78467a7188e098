/**
 * Tests the generative reader with scripted models: prompts, citations, withheld and marked
 * answers, and robustness against any output.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../core/corpus/document.ts';
import type { Trace } from '../core/trace/trace.ts';
import { promptTokens } from '../models/prompt-tokens.ts';
import { type AskOptions, askEvents } from '../run/ask.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { type Script, scriptedModel } from '../testing/scripted-model.ts';
import { parseAnswer } from './generative-answer.ts';
import { readingPrompt } from './generative-prompt.ts';
import { readers } from './readers.ts';

const QUESTION = 'Who bought the lighthouse at Harrow Point?';
const fixture = (...ids: string[]): Document[] =>
  ids.map(id => FIXTURE_DOCUMENTS.find(document => document.id === id)!);

async function read(
  script: Script,
  {
    documents = fixture('lighthouse-sold', 'boat-builder'),
    question = QUESTION,
    ...options
  }: Partial<AskOptions> & {
    readonly documents?: readonly Document[];
    readonly question?: string;
  } = {},
) {
  const model = scriptedModel(script);
  const engine = new EmbeddedEngine({ documents });
  const run = askEvents(
    question,
    {
      engine,
      strategy: 'fixed-top-k(k=5)',
      reader: 'generative(form=short)',
      resources: { model },
      ...options,
    },
    () => 0,
  );
  for (;;) {
    const step = await run.next();
    if (step.done) return { ...(step.value satisfies Trace), model };
  }
}

const says = (answer: string, citations: readonly unknown[] = [1], abstain = false): string =>
  JSON.stringify({ answer, citations, abstain });

describe('an answer', () => {
  test('cites the best sentence of each passage that the model names', async () => {
    const { answer, context, spent } = await read([says('Ines Quill', [1, '[1]', 'passage 1'])]);
    assert.equal(context.parts[0]!.documentId, 'lighthouse-sold');
    const { text } = fixture('lighthouse-sold')[0]!;
    assert.ok(answer.kind === 'answered');
    assert.deepEqual(
      [answer.text, answer.support, answer.unsupported, answer.citations.length],
      ['Ines Quill', 1, undefined, 1],
    );
    const [{ id, start, end }] = answer.citations as [(typeof answer.citations)[number]];
    assert.deepEqual(
      [id, text.slice(start, end)],
      [
        'lighthouse-sold',
        'Its buyer is the glass maker Ines Quill, who founded the Quill Works in Tarn.',
      ],
    );
    assert.deepEqual([spent.modelCalls, typeof spent.modelTokens], [1, 'number']);
  });

  test('is given and marked if its passages do not contain it', async () => {
    const { answer } = await read([says('Otto Zerner', [2])]);
    assert.ok(answer.kind === 'answered');
    assert.deepEqual([answer.unsupported, answer.support], [['Otto Zerner'], 0]);
  });

  test('cites what holds it where the passage that it names holds none of its words', async () => {
    const { answer } = await read([says('Ines Quill', [2])]);
    assert.ok(answer.kind === 'answered');
    assert.deepEqual(
      answer.citations.map(({ id }) => id),
      ['lighthouse-sold'],
    );
    assert.deepEqual([answer.unsupported, answer.support], [undefined, 1]);
  });

  test('is withheld without a valid citation, or given without support on request', async () => {
    for (const [citations, ...dropped] of [
      [[]],
      [[3], 3],
      [[0], 0],
      [[-1, 99, 1.5, 'x', '-1', null, { number: 1 }], -1, 99],
    ] as const) {
      const drops = dropped.length > 0 ? { dropped } : {};
      assert.deepEqual((await read([says('Pia Sol', citations)])).answer, {
        kind: 'abstained',
        reason: 'The answer cites nothing in the evidence',
        support: 0,
        withheld: { text: 'Pia Sol', citations: [] },
        ...drops,
      });
      const { answer } = await read([says('Pia Sol', citations)], {
        reader: 'generative(form=short, uncited=mark)',
      });
      assert.deepEqual(answer, {
        kind: 'answered',
        text: 'Pia Sol',
        citations: [],
        support: 0,
        unsupported: ['Pia Sol'],
        ...drops,
      });
    }
  });

  test('without a valid citation is cited by the sentence that holds it word for word', async () => {
    for (const citations of [[], [9], null, ['x']] as (readonly unknown[])[]) {
      const { answer } = await read([says('Ines Quill', citations)]);
      assert.ok(answer.kind === 'answered', JSON.stringify(citations));
      const [{ documentId, start, end }] = answer.citations as [(typeof answer.citations)[number]];
      assert.deepEqual(
        [fixture(documentId)[0]!.text.slice(start, end), answer.unsupported, answer.support],
        [
          'Its buyer is the glass maker Ines Quill, who founded the Quill Works in Tarn.',
          undefined,
          1,
        ],
      );
    }
  });

  test('loses the marks in its text, which cite', async () => {
    for (const text of ['Ines Quill [1]', 'Ines Quill (1)', 'Ines Quill (passage 1)']) {
      const { answer } = await read([says(text, [])]);
      assert.ok(answer.kind === 'answered' && answer.text === 'Ines Quill', text);
    }
  });

  test('that names passages alone is none', async () => {
    for (const text of ['[1]', '(1)', '1', '1, 2', '[1][2]', 'passage']) {
      const { answer } = await read([says(text)]);
      assert.equal(answer.kind, text === 'passage' ? 'answered' : 'abstained', text);
      if (answer.kind === 'abstained')
        assert.match(answer.reason, /names passages and gives no answer/);
    }
  });

  test('cites the passage whose span contains the sentence', async () => {
    const { answer, evidence } = await read([says('Ines Quill')], {
      retriever: 'lexical(unit=passage)',
      context: 'whole',
    });
    assert.ok(answer.kind === 'answered' && answer.citations.length === 1);
    const [citation] = answer.citations;
    const item = evidence.find(({ id }) => id === citation!.id)!;
    assert.ok(item.spans.some(([start, end]) => start <= citation!.start && citation!.end <= end));
  });
});

describe('an abstention', () => {
  const reason = 'Insufficient information.';
  for (const text of [
    'Insufficient information.',
    'insufficient information',
    'Unknown',
    'Not enough information in the passages.',
  ])
    test(`reads ${text}`, async () => {
      assert.deepEqual((await read([says(text)])).answer, {
        kind: 'abstained',
        reason,
        support: 0,
      });
    });
  test('by the flag withholds the text besides it', async () => {
    const { answer } = await read([says('Ines Quill', [1], true)]);
    assert.ok(
      answer.kind === 'abstained' &&
        answer.reason === reason &&
        answer.withheld?.text === 'Ines Quill',
    );
    assert.deepEqual((await read(['{"abstain": true}'])).answer, {
      kind: 'abstained',
      reason,
      support: 0,
    });
  });
  test('is read from plain words without JSON', async () => {
    assert.deepEqual((await read(['Insufficient information.'])).answer, {
      kind: 'abstained',
      reason,
      support: 0,
    });
  });
  test('makes no call without evidence', async () => {
    const { answer, model } = await read([says('Ines Quill')], {
      documents: fixture('twin-a'),
      question: 'zyxt?',
    });
    assert.deepEqual([answer.kind, model.prompts.length], ['abstained', 0]);
  });
});

describe('unreadable output', () => {
  test('is repaired once', async () => {
    const { answer, spent, model } = await read([
      'It was Ines Quill, I think.',
      says('Ines Quill'),
    ]);
    assert.deepEqual([answer.kind, spent.modelCalls, model.prompts.length], ['answered', 2, 2]);
  });
  test('twice is an abstention, with the text withheld', async () => {
    const { answer, spent } = await read(['It was Ines Quill.', '{"answer": "Ines Quill"}']);
    assert.deepEqual(answer, {
      kind: 'abstained',
      reason: 'The output of the model is not a readable answer',
      support: 0,
      withheld: { text: '{"answer": "Ines Quill"}', citations: [] },
    });
    assert.equal(spent.modelCalls, 2);
  });
  test('that the filter of the provider withheld is not repaired, and named', async () => {
    for (const reader of ['generative', 'generative(form=short)'] as const)
      for (const text of ['', 'I cannot help with that.']) {
        const script = () => ({
          text,
          usage: { input: 1, output: 0 },
          finish: 'filtered' as const,
        });
        const { answer, spent } = await read(script, { reader });
        assert.ok(answer.kind === 'abstained');
        assert.equal(answer.reason, 'The filter of the provider withheld the reply');
        assert.deepEqual([answer.withheld?.text ?? '', spent.modelCalls], [text, 1]);
      }
  });
  test('is cut in the trace', async () => {
    const { answer } = await read(['x'.repeat(1_000_000)]);
    assert.ok(answer.kind === 'abstained' && answer.withheld!.text.length === 4000);
    assert.equal((await read([says('x'.repeat(1_000_000))])).answer.kind, 'abstained');
  });
});

describe('within a budget', () => {
  test('makes no call beyond it, and the abstention names the limit', async () => {
    for (const budget of [{ modelCalls: 0 }, { modelTokens: 100 }]) {
      const { answer, model, evidence, stopped } = await read([says('Ines Quill')], { budget });
      assert.ok(
        answer.kind === 'abstained' && /limit on model(?:Calls|Tokens)/.test(answer.reason),
        JSON.stringify(answer),
      );
      assert.deepEqual(
        [model.prompts.length, evidence.length > 0, stopped?.by],
        [0, true, 'limit'],
      );
    }
  });
  test('makes no repair that exceeds it', async () => {
    const { answer, model } = await read(['no JSON', says('Ines Quill')], {
      budget: { modelCalls: 1 },
    });
    assert.deepEqual([answer.kind, model.prompts.length], ['abstained', 1]);
  });
});

describe('the prompt', () => {
  const long = (id: string, sentences: number): Document => ({
    id,
    title: `Lighthouse ${id}`,
    text: Array.from(
      { length: sentences },
      (_, at) => `The lighthouse ${id} at Harrow Point has a lamp number ${at}.`,
    ).join(' '),
    metadata: {},
  });

  test('is within its limit, is cut between passages, and states how many are not read', async () => {
    const documents = [1, 2, 3, 4].map(at => long(`d${at}`, 12));
    const { answer, model, context } = await read([says('lamp number 3', [1, 4])], {
      documents,
      context: 'whole',
      reader: 'generative(form=short, prompt=900)',
    });
    const [prompt] = model.prompts;
    assert.ok(promptTokens(prompt!) <= 900);
    const shown = prompt!.messages[1]!.text.match(/^<<passage \d+>>/gm)!.length;
    assert.ok(shown >= 1 && shown < context.parts.length, `${shown} of ${context.parts.length}`);
    assert.match(
      prompt!.messages[1]!.text,
      new RegExp(`${4 - shown} passages are left out or cut`),
    );
    assert.ok(answer.kind === 'answered');
    assert.deepEqual(
      [answer.unread, answer.citations.length],
      [4 - shown, 1],
      'passage 4 was not shown and is not a valid citation',
    );
    // One more passage would not fit.
    const passages = context.parts.map(part => ({
      head: '',
      body: context.text.slice(part.start, part.end),
      sentences: [],
    }));
    assert.equal(
      readingPrompt(QUESTION, passages.slice(0, shown + 1), 900)?.passages.length,
      shown,
    );
  });

  test('shows the first sentences of a passage that does not fit, and cites no others', async () => {
    const { answer, model } = await read([says('lamp number 999', [1])], {
      documents: [long('d1', 1000)],
      context: 'whole',
    });
    assert.ok(answer.kind === 'answered' && promptTokens(model.prompts[0]!) <= 2000);
    assert.deepEqual([answer.unread, answer.unsupported], [1, ['lamp number 999']]);
    const shown = model.prompts[0]!.messages[1]!.text.split('\n')[1]!;
    assert.ok(shown.endsWith('.') && answer.citations[0]!.end <= shown.length);
  });

  test('is not sent if the question leaves no room', async () => {
    const { answer, model, context } = await read([says('x')], {
      question: 'lighthouse '.repeat(600),
    });
    assert.ok(
      answer.kind === 'abstained' && /do not fit into a prompt of 2000 tokens/.test(answer.reason),
    );
    assert.deepEqual([model.prompts.length, answer.unread], [0, context.parts.length]);
  });

  test('for any passages and limit: is within the limit and shows a prefix of them', () => {
    const passage = fc.record({
      head: fc.string(),
      body: fc.string({ unit: 'grapheme', maxLength: 2000 }),
      sentences: fc.constant([]),
    });
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(passage, { maxLength: 6 }),
        fc.integer({ min: 1, max: 4000 }),
        (question, passages, limit) => {
          const made = readingPrompt(question, passages, limit);
          if (!made) return;
          assert.ok(promptTokens(made.prompt) <= limit);
          assert.deepEqual(made.passages, passages.slice(0, made.passages.length));
          assert.equal(made.unread, passages.length - made.passages.length);
        },
      ),
    );
  });

  test('is within its planned tokens, as is its repair', async () => {
    const [plan, ...others] = readers.create('generative(form=short)').modelCalls!;
    assert.deepEqual(
      [plan!.role, plan!.atMost, plan!.completionTokens, plan!.expected?.calls, others],
      ['finalAnswer', 2, 256, 1, []],
    );
    const documents = [1, 2, 3, 4].map(at => long(`d${at}`, 40));
    const { model } = await read(['no JSON '.repeat(500)], { documents, context: 'whole' });
    assert.equal(model.prompts.length, 2);
    for (const prompt of model.prompts)
      assert.ok(promptTokens(prompt) <= plan!.promptTokens, `${promptTokens(prompt)} tokens`);
  });
});

test('yes and no are said in the language of the question', async () => {
  for (const [question, said] of [
    ['Hat Ines Quill den Leuchtturm von Harrow Point gekauft?', 'Ja'],
    ['Did Ines Quill buy the lighthouse at Harrow Point?', 'Yes'],
  ]) {
    const { answer } = await read([says('Yes')], { question: question! });
    assert.ok(answer.kind === 'answered', JSON.stringify(answer));
    assert.equal(answer.text, said);
  }
});

test('streams the text of the answer before it is checked', async () => {
  let streamed = '';
  const { answer } = await read([says('Osk Maren', [9])], { onText: piece => (streamed += piece) });
  assert.deepEqual([streamed, answer.kind], ['Osk Maren', 'abstained']);
});

test('throws without a model', async () => {
  const engine = new EmbeddedEngine({ documents: fixture('twin-a') });
  await assert.rejects(askEvents('ferry?', { engine, reader: 'generative' }, () => 0).next(), {
    name: 'InputError',
    code: 'missing-resource',
  });
});

test('parses numbers in any form, and an answer if there is one', () => {
  const cases: [unknown, unknown][] = [
    [
      { answer: 'a', citations: 2 },
      { answer: 'a', citations: [2], abstain: false },
    ],
    [
      {
        answer: 'a',
        citations: ['3', '[2]', 'P1', 3, '-4', '1-2', 'x'.repeat(100)],
        abstain: 'true',
      },
      { answer: 'a', citations: [3, 2, 1], abstain: true },
    ],
    [
      { answer: true, citations: [] },
      { answer: 'Yes', citations: [], abstain: false },
    ],
    [{ answer: 'unknown' }, { answer: 'unknown', citations: [], abstain: false }],
    [{ answer: 'a' }, undefined],
    [{ citations: [1] }, undefined],
    [[{ answer: 'a', citations: [1] }], undefined],
    ['a', undefined],
    [null, undefined],
  ];
  for (const [json, parsed] of cases)
    assert.deepEqual(parseAnswer(json), parsed, JSON.stringify(json));
});

test('for any output: does not throw, cites only shown passages, answers only with a citation', async () => {
  const json = fc
    .record(
      { answer: fc.anything(), citations: fc.anything(), abstain: fc.anything() },
      { requiredKeys: [] },
    )
    .map(value => {
      try {
        return JSON.stringify(value) ?? '';
      } catch {
        return '{';
      }
    });
  const near = fc.record({
    answer: fc.string({ unit: 'binary' }),
    citations: fc.array(fc.oneof(fc.integer(), fc.string())),
    abstain: fc.boolean(),
  });
  const text = fc.oneof(
    json,
    near.map(value => JSON.stringify(value)),
    near.map(value => JSON.stringify(value).slice(0, -2)),
    fc.string({ unit: 'binary' }),
  );
  await fc.assert(
    fc.asyncProperty(text, text, async (first, second) => {
      const { answer, evidence, spent } = await read([first, second]);
      assert.ok(spent.modelCalls! <= 2);
      if (answer.kind !== 'answered') return;
      assert.ok(answer.citations.length > 0 && answer.text.trim() !== '');
      for (const { id } of answer.citations) assert.ok(evidence.some(item => item.id === id));
    }),
    { numRuns: 80 },
  );
});
