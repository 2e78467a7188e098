/**
 * Tests iter-retgen by hand-worked runs, against a slow oracle of its loop, and for any reply.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../../core/corpus/document.ts';
import { InputError } from '../../core/errors.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { Trace } from '../../core/trace/trace.ts';
import type { Example } from '../../evaluation/example.ts';
import { measure } from '../../evaluation/measures.ts';
import { promptTokens } from '../../models/prompt-tokens.ts';
import type { AskOptions } from '../../run/ask.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { type ScriptedModel, scriptedModel } from '../../testing/scripted-model.ts';
import { documentOf as doc, traceOf } from '../../testing/strategy-run.ts';
import { generate, readReply } from './generation.ts';

const WORLD: readonly Document[] = [
  doc('works', 'Quill Works', 'The Quill Works of Tarn was founded by Ines Quill.'),
  doc('ines', 'Ines Quill', 'Ines Quill studied under the lens grinder Osk Maren.'),
  doc('maren', 'Osk Maren', 'Osk Maren was born in Vell.'),
  doc('vell', 'Vell', 'Vell is a town on the river Orr.'),
  doc('ferry', 'Ferry', 'The ferry does not run on Sunday.'),
];
const QUESTION = 'Who founded the Quill Works?';

async function ask(
  strategy: string,
  more: Partial<AskOptions> = {},
  question = QUESTION,
  documents = WORLD,
): Promise<Trace> {
  const engine = new EmbeddedEngine({ documents });
  return traceOf(question, { engine, strategy, reader: 'evidence-only', ...more });
}

const json = (thought: string, answer: string): string => JSON.stringify({ thought, answer });
const queries = ({ hops }: Trace): (string | undefined)[] =>
  hops.map(({ searches }) => searches[0]!.text);
const listed = ({ hops }: Trace, k: number): string[][] =>
  hops.map(({ searches }) => searches[0]!.hits.slice(0, k).map(({ documentId }) => documentId));
const kept = ({ hops }: Trace): string[][] =>
  hops.map(hop => hop.kept.map(({ documentId }) => documentId));
const shown = (model: ScriptedModel, prompt: number): string[] =>
  [...model.prompts[prompt]!.messages.at(-1)!.text.matchAll(/^<<passage \d+>> (.*)$/gm)].map(
    match => match[1]!,
  );
const example: Example = { id: 'q', question: { id: 'q', text: QUESTION }, answers: [], gold: [] };
const passages = (trace: Trace): (number | undefined)[] =>
  ['distinct', 'sum'].map(
    count =>
      measure(`Passages(${count})`).score(example, trace, { text: () => '' }) as number | undefined,
  );

const script = [
  json('Ines Quill founded it.', 'Ines Quill'),
  json('Her teacher was Osk Maren.', 'Osk Maren'),
  json('He was born in Vell.', 'Vell'),
];

describe('the loop, by hand', () => {
  test('1: the queries are q, q and the first thought, q and the second thought; each in its own order', async () => {
    const trace = await ask('iter-retgen(iterations=3, k=2)', {
      resources: { model: scriptedModel(script) },
    });
    assert.deepEqual(queries(trace), [
      QUESTION,
      `${QUESTION} Ines Quill founded it.`,
      `${QUESTION} Her teacher was Osk Maren.`,
    ]);
    assert.deepEqual(
      trace.hops.map(({ reason }) => reason),
      [undefined, 'Ines Quill founded it.', 'Her teacher was Osk Maren.'],
    );
    assert.deepEqual(trace.hops[2]!.searches[0]!.from, { hop: 1, search: 0 });
    const paper = await ask('iter-retgen(k=2, order=generation-first)', {
      resources: { model: scriptedModel(script) },
    });
    assert.deepEqual(queries(paper), [QUESTION, `Ines Quill founded it. ${QUESTION}`]);
    const full = await ask('iter-retgen(k=2, field=full)', {
      resources: { model: scriptedModel(script) },
    });
    assert.deepEqual(queries(full), [QUESTION, `${QUESTION} Ines Quill founded it. Ines Quill`]);
  });

  test('1: a later search depends on the one before, also after a thought without a word', async () => {
    const trace = await ask('iter-retgen(iterations=3, k=2)', {
      resources: { model: scriptedModel([json('][', 'x'), json('He was born in Vell.', 'Vell')]) },
    });
    assert.deepEqual(queries(trace), [QUESTION, QUESTION, `${QUESTION} He was born in Vell.`]);
    assert.deepEqual(
      trace.hops.map(({ searches }) => searches[0]!.from),
      [undefined, { hop: 0, search: 0 }, { hop: 1, search: 0 }],
    );
  });

  test('2: the passages of an iteration, and no others, reach its prompt, and no generation does', async () => {
    const model = scriptedModel(script);
    const trace = await ask('iter-retgen(iterations=3, k=2)', { resources: { model } });
    const titles = new Map(WORLD.map(({ id, title }) => [id, title]));
    for (const [hop, ids] of listed(trace, 2).entries())
      assert.deepEqual(
        shown(model, hop),
        ids.map(id => titles.get(id)),
      );
    assert.notDeepEqual(shown(model, 2), shown(model, 0), 'the test would show nothing otherwise');
    for (const { messages } of model.prompts)
      assert.ok(!messages.some(({ text }) => text.includes('Her teacher was')));
  });

  test('3: kDistinct is at most kSum, which is k times T', async () => {
    const trace = await ask('iter-retgen(iterations=3, k=2)', {
      resources: { model: scriptedModel(script) },
    });
    const distinct = new Set(listed(trace, 2).flat()).size;
    assert.ok(distinct < 6);
    assert.deepEqual(passages(trace), [distinct, 6]);
    assert.deepEqual(kept(trace).flat(), [...new Set(listed(trace, 2).flat())]);
    assert.deepEqual(
      trace.hops.flatMap(hop => hop.rejected.map(({ why }) => why)),
      new Array(6 - distinct).fill('seen'),
    );
  });

  const parsed = { thought: 'A {brace} and "quotes".', answer: 'B' };
  const body = JSON.stringify(parsed);
  const replies: readonly (readonly [what: string, text: string])[] = [
    ['bare', body],
    ['fenced', `\`\`\`json\n${body}\n\`\`\``],
    ['fenced without an opening', `${body}\n\`\`\``],
    ['with prose before and behind', `Let me see. ${body} That is all.`],
    ['after a think-block', `<think>{"thought": "no", "answer": "no"}</think>${body}`],
  ];
  for (const [what, text] of replies)
    test(`5: a reply ${what}`, async () => {
      const generation = await generate(
        QUESTION,
        [],
        scriptedModel([text]),
        { demonstrations: 0, words: 9, prompt: 999, field: 'thought' },
        freeCall(),
      );
      assert.deepEqual(
        [generation.thought, generation.answer, generation.next],
        [parsed.thought, parsed.answer, parsed.thought],
      );
    });

  test('5: rejects a missing key, another type and another shape', () => {
    for (const value of [
      { thought: 'a' },
      { answer: 'a' },
      { thought: 1, answer: 'a' },
      { thought: 'a', answer: [] },
      [],
      ['a'],
      null,
      'a',
      3,
    ])
      assert.equal(readReply(value), undefined, JSON.stringify(value));
    assert.deepEqual(readReply({ thought: null, answer: null }), {
      thought: '',
      answer: 'Insufficient information.',
    });
    assert.deepEqual(readReply({ thought: ' a ', answer: 1962 }), { thought: 'a', answer: '1962' });
    assert.deepEqual(readReply({ thought: '', answer: true, more: 1 }), {
      thought: '',
      answer: 'yes',
    });
    assert.deepEqual(readReply({ thought: '\n a b ', answer: ' Ines Quill\n' }), {
      thought: 'a b',
      answer: 'Ines Quill',
    });
    assert.equal(readReply({ thought: '', answer: false })?.answer, 'no');
  });

  test('6: no call after the last search when the reader answers', async () => {
    for (const [iterations, calls] of [
      [1, 0],
      [2, 1],
      [3, 2],
    ]) {
      const model = scriptedModel(script);
      const trace = await ask(`iter-retgen(iterations=${iterations}, answer=reader)`, {
        resources: { model },
      });
      assert.deepEqual(
        [model.prompts.length, trace.hops.length, trace.answer.kind],
        [calls, iterations, 'evidence'],
      );
    }
    const scripted = scriptedModel(script);
    await ask('iter-retgen(iterations=3)', { resources: { model: scripted } });
    assert.equal(scripted.prompts.length, 3);
  });
});

describe('generations', () => {
  test('citations rest on facts of the thought, not on its reasoning', async () => {
    const answer = json(
      'Thus the ferry does not run on Sunday. The Quill Works of Tarn was founded by Ines Quill.',
      'Ines Quill',
    );
    const trace = await ask(
      'iter-retgen(k=5, iterations=1)',
      {
        resources: { model: scriptedModel([answer]) },
      },
      'Who founded the Quill Works, and does the ferry run on Sunday?',
    );
    assert.ok(trace.evidence.some(({ documentId }) => documentId === 'ferry'));
    assert.ok(trace.answer.kind === 'answered');
    const cited = trace.answer.citations.map(({ documentId }) => documentId);
    assert.ok(cited.includes('works') && !cited.includes('ferry'), cited.join());
  });

  test('without a model the two sentences that share most with the question are the thought, in order', async () => {
    const documents = [
      doc(
        'a',
        'Quill',
        'Quill is a name. The Works was founded in Tarn. Lamps burn there. Ines founded the Quill Works.',
      ),
    ];
    const trace = await ask('iter-retgen(k=2)', {}, 'Who founded the Quill Works?', documents);
    assert.equal(
      trace.hops[1]!.reason,
      'The Works was founded in Tarn. Ines founded the Quill Works.',
    );
  });

  test('an unsupported answer is no draft; a refusal is an abstention', async () => {
    const answer = async (outputs: string): Promise<Trace['answer']> =>
      (await ask('iter-retgen(k=2)', { resources: { model: scriptedModel([outputs]) } })).answer;
    assert.equal((await answer(json('It was Bo Lind.', 'Bo Lind'))).kind, 'evidence');
    assert.equal((await answer(json('', ''))).kind, 'abstained');
    assert.deepEqual(await answer(json('They do not say.', 'Insufficient information.')), {
      kind: 'abstained',
      reason: 'Insufficient information.',
    });
  });

  test('an unreadable one is repaired once; then the previous thought is used', async () => {
    const model = scriptedModel(['no', 'still no', script[0]!, 'no', script[1]!, 'no', 'no']);
    const trace = await ask('iter-retgen(iterations=4, k=2)', { resources: { model } });
    assert.deepEqual(queries(trace), [
      QUESTION,
      QUESTION,
      `${QUESTION} Ines Quill founded it.`,
      `${QUESTION} Her teacher was Osk Maren.`,
    ]);
    assert.deepEqual(
      trace.hops.map(hop => hop.outputs!.map(({ parsed }) => parsed)),
      [
        [false, false],
        [true, true],
        [false, true, true],
        [false, false],
      ],
    );
    assert.equal(trace.spent.modelCalls, 7);
    assert.equal(trace.answer.kind, 'evidence', 'the last one counts, and it was not read');
    const lost = await ask('iter-retgen(iterations=3, k=2)', {
      resources: { model: scriptedModel([script[0]!, 'no', 'no', 'no', 'no']) },
    });
    assert.deepEqual(queries(lost).slice(1), [
      `${QUESTION} Ines Quill founded it.`,
      `${QUESTION} Ines Quill founded it.`,
    ]);
    const full = await ask('iter-retgen(iterations=2, k=2, field=full)', {
      resources: { model: scriptedModel(['no', '<think>a</think> Quill  it was']) },
    });
    assert.equal(queries(full)[1], `${QUESTION} Quill  it was`);
  });

  test('the last iteration’s passages come first under accumulate=last', async () => {
    const model = (): ScriptedModel => scriptedModel([json('Osk Maren Vell river Orr.', 'Vell')]);
    const [union, last] = [
      await ask('iter-retgen(k=2)', { resources: { model: model() } }),
      await ask('iter-retgen(k=2, accumulate=last)', { resources: { model: model() } }),
    ];
    const [first, second] = listed(union, 2) as [string[], string[]];
    assert.notDeepEqual(first, second);
    const ids = (trace: Trace): string[] => trace.evidence.map(({ documentId }) => documentId);
    assert.deepEqual(ids(union), [...new Set([...first, ...second])]);
    assert.deepEqual(ids(last), [...new Set([...second, ...first])]);
    assert.deepEqual([union.ranking, last.ranking], [ids(union), ids(last)]);
  });

  test('a passage that the budget refuses is not shown to the model', async () => {
    const model = scriptedModel([script[0]!]);
    const trace = await ask('iter-retgen(iterations=1, k=3)', {
      resources: { model },
      budget: { documents: 1 },
    });
    assert.equal(shown(model, 0).length, 1);
    assert.deepEqual(
      trace.hops[0]!.rejected.map(({ why }) => why),
      ['budget', 'budget'],
    );
  });

  test('a prompt has three worked examples, or fewer to fit its limit', async () => {
    const examples = async (prompt: number): Promise<number> => {
      const model = scriptedModel(script);
      await ask(`iter-retgen(iterations=1, k=2, prompt=${prompt})`, { resources: { model } });
      const { messages, maxTokens, temperature, schema, role } = model.prompts[0]!;
      assert.deepEqual(
        [maxTokens, temperature, schema?.name, role],
        [256, 0, 'reasoned_answer', 'thought'],
      );
      const { text } = messages.at(-1)!;
      // The grammar of the reply has no fence, so the examples have none.
      assert.ok(!text.includes('```'));
      return text.match(/^\{"thought":/gm)?.length ?? 0;
    };
    const whole = scriptedModel(script);
    await ask('iter-retgen(iterations=1, k=2)', { resources: { model: whole } });
    const tokens = promptTokens(whole.prompts[0]!);
    assert.equal(await examples(8000), 3);
    assert.equal(await examples(tokens), 3);
    assert.equal(await examples(tokens - 1), 2);
    assert.equal(await examples(1), 0);
  });
});

describe('without a model', () => {
  test('copies the two sentences that share most with the question, in their order', async () => {
    const trace = await ask(
      'iter-retgen(k=3)',
      {},
      'Who founded the Quill Works, and who was born in Vell?',
    );
    assert.deepEqual(
      trace.hops.map(hop => (hop.outputs ?? []).map(({ role }) => role)),
      [['degraded', 'extracted'], []],
    );
    assert.equal(
      trace.hops[0]!.outputs![1]!.text,
      'The Quill Works of Tarn was founded by Ines Quill. Osk Maren was born in Vell.',
    );
    assert.match(trace.hops[0]!.outputs![0]!.text, /no Iter-RetGen but a lower bound/);
    assert.deepEqual([trace.spent.modelCalls, trace.answer.kind], [undefined, 'evidence']);
  });

  test('thoughts=extracted calls no model and is part of the name; thoughts=model requires a model', async () => {
    const model = scriptedModel(script);
    const trace = await ask('iter-retgen(thoughts=extracted)', { resources: { model } });
    assert.deepEqual(
      [model.prompts.length, trace.strategy],
      [0, 'iter-retgen(iterations=2, k=5, thoughts=extracted)'],
    );
    await assert.rejects(
      ask('iter-retgen(thoughts=model)'),
      error => InputError.is(error) && error.code === 'missing-resource',
    );
  });
});

describe('any reply', () => {
  test('may have a megabyte', async () => {
    // The first 400 words of a reply that is not JSON are the generation.
    for (const [piece, words] of [
      ['a ', 400],
      ['{', 1],
      ['{"thought": "', 400],
      ['"', 1],
    ] as const) {
      const trace = await ask('iter-retgen(k=2, field=full)', {
        resources: { model: scriptedModel([piece.repeat(Math.ceil(1_000_000 / piece.length))]) },
      });
      const [first, second] = queries(trace);
      assert.deepEqual([trace.hops.length, first], [2, QUESTION], piece);
      const added = second!.slice(QUESTION.length).trim();
      assert.ok(second!.startsWith(QUESTION) && added.startsWith(piece.trim()), piece);
      assert.equal(added.split(' ').length, words, piece);
    }
  });
});

test('the loop agrees with a slow oracle for any corpus, thoughts and settings', async () => {
  const word = fc.constantFrom('lamp', 'glass', 'tarn', 'vell', 'orr', 'quill');
  const phrase = fc.array(word, { minLength: 1, maxLength: 5 }).map(words => words.join(' '));
  const settings = fc.record({
    T: fc.integer({ min: 1, max: 4 }),
    k: fc.integer({ min: 1, max: 3 }),
    order: fc.constantFrom('question-first', 'generation-first'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(phrase, { minLength: 1, maxLength: 8 }),
      phrase,
      fc.array(phrase, { minLength: 4, maxLength: 4 }),
      settings,
      async (texts, q, thoughts, { T, k, order }) => {
        const documents = texts.map((text, index) => doc(`d${index}`, '', text));
        const model = scriptedModel(thoughts.map(thought => json(thought, 'x')));
        const trace = await ask(
          `iter-retgen(iterations=${T}, k=${k}, order=${order})`,
          { resources: { model } },
          q,
          documents,
        );
        const engine = new EmbeddedEngine({ documents });
        const found: string[] = [];
        let prev: string | undefined;
        for (let t = 0; t < T; t++) {
          const query =
            prev === undefined ? q : order === 'question-first' ? `${q} ${prev}` : `${prev} ${q}`;
          assert.equal(queries(trace)[t], query);
          const [hits] = await engine.current.search(
            { unit: 'passage', k, queries: [{ text: query }] },
            freeCall(),
          );
          // A text that is kept already counts once, whichever document holds it.
          const textOf = (id: string): string => texts[Number(id.slice(1))]!;
          for (const { documentId } of hits!)
            if (!found.some(id => textOf(id) === textOf(documentId))) found.push(documentId);
          prev = thoughts[t]!;
        }
        assert.deepEqual(kept(trace).flat(), found);
        assert.equal(model.prompts.length, T);
      },
    ),
    { numRuns: 100 },
  );
});
