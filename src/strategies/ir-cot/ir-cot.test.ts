/**
 * Tests ir-cot by hand-worked runs of each profile and rule, and its loop against a slow oracle.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { irCotOracle, type OracleRun } from '../../../test/oracles/ir-cot-oracle.ts';
import type { Document } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import type { Hop, Trace } from '../../core/trace/trace.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { extractSentence } from '../../planning/extracted-sentence.ts';
import type { AskOptions } from '../../run/ask-options.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { type ScriptedModel, scriptedModel } from '../../testing/scripted-model.ts';
import { documentOf as doc, traceOf } from '../../testing/strategy-run.ts';
import { strategies } from '../strategies.ts';

const WORLD: readonly Document[] = [
  doc('works', 'Quill Works', 'The Quill Works of Tarn was founded by Ines Quill.', {
    source: 'Tarn Gazette',
    published_at: '2024-02-11',
  }),
  doc('ines', 'Ines Quill', 'Ines Quill studied under the lens grinder Osk Maren.'),
  doc('maren', 'Osk Maren', 'Osk Maren was born in Vell.'),
  doc('vell', 'Vell', 'Vell is a town on the river Orr.'),
  doc('ferry', 'Ferry', 'The ferry does not run on Sunday.'),
];
const QUESTION = 'Where was the teacher of the founder of the Quill Works born?';

async function ask(
  strategy: string,
  question: string,
  model?: LanguageModel,
  documents = WORLD,
  retriever = 'lexical',
): Promise<Trace> {
  const engine = new EmbeddedEngine({ documents });
  const options = defined<AskOptions>({
    engine,
    strategy,
    retriever,
    reader: 'evidence-only',
    resources: model ? { model } : undefined,
  });
  return traceOf(question, options);
}

const queries = ({ hops }: Trace): (string | undefined)[] =>
  hops.flatMap(({ searches }) => searches.map(({ text }) => text));
const kept = ({ hops }: Trace): string =>
  hops.map(hop => hop.kept.map(({ documentId }) => documentId).join(' ')).join(' | ');
const why = (hop: Hop | undefined): string[] =>
  hop!.rejected.map(({ why: reason, detail }) =>
    detail === undefined ? reason : `${reason}: ${detail}`,
  );
const outputs = ({ hops }: Trace): string[][] =>
  hops.map(hop => (hop.outputs ?? []).map(({ text, parsed }) => (parsed ? text : `(${text})`)));
const json = (sentence: string, answer: string | null = null): string =>
  JSON.stringify({ sentence, answer });

describe('original, by hand', () => {
  const script = [
    json('The Quill Works was founded by Ines Quill.'),
    json('Ines Quill studied under Osk Maren.'),
    json('Osk Maren was born in Vell.'),
    json('So the answer is: Vell.', 'Vell'),
  ];

  test('searches by each fact; the draft is the answer with its citations', async () => {
    const model = scriptedModel(script);
    const trace = await ask('ir-cot(k=1)', QUESTION, model);
    // The paper: the question without "where"; then each sentence.
    assert.deepEqual(queries(trace), [
      'was the teacher of the founder of the Quill Works born?',
      'The Quill Works was founded by Ines Quill.',
      'Ines Quill studied under Osk Maren.',
      'Osk Maren was born in Vell.',
    ]);
    assert.equal(kept(trace), 'works |  | ines | maren');
    assert.deepEqual(
      trace.hops.map(({ reason }) => reason),
      [undefined, ...queries(trace).slice(1)],
    );
    assert.deepEqual(outputs(trace), [
      [queries(trace)[1]!],
      [queries(trace)[2]!],
      [queries(trace)[3]!],
      ['So the answer is: Vell.'],
    ]);
    assert.deepEqual(trace.hops[2]!.searches[0]!.from, { hop: 1, search: 0 });
    assert.deepEqual(why(trace.hops[1]), ['seen']);
    assert.equal(trace.spent.modelCalls, 4);
    assert.ok(trace.answer.kind === 'answered');
    assert.equal(trace.answer.text, 'Vell');
    const texts = new Map(WORLD.map(({ id, text }) => [id, text]));
    const cited = trace.answer.citations.map(({ documentId, start, end }) =>
      texts.get(documentId)!.slice(start, end),
    );
    // First what holds the answer, then what the thoughts rest on, the last first.
    assert.deepEqual(cited, [texts.get('maren'), texts.get('ines'), texts.get('works')]);
    assert.deepEqual(trace.ranking, ['works', 'ines', 'maren']);
  });

  test('a prompt holds demonstrations, the paragraphs as data, the question and the sentences so far', async () => {
    const model = scriptedModel(script);
    await ask('ir-cot(k=1)', QUESTION, model);
    const { messages, role, stop, temperature, schema } = model.prompts[2]!;
    assert.deepEqual(
      [role, stop, temperature, schema?.name],
      ['cotStep', undefined, 0, 'next_sentence'],
    );
    const text = messages.map(message => message.text).join('\n');
    assert.match(text, /never instructions/);
    assert.equal(text.split('Example\n').length - 1, 3);
    assert.ok(
      text.includes(
        '<<passage 1>> Quill Works (Tarn Gazette, 2024-02-11)\nThe Quill Works of Tarn was founded by Ines Quill.\n<<passage 2>> Ines Quill\n',
      ),
    );
    assert.ok(
      text.endsWith(
        `Question: ${QUESTION}\nSo far: The Quill Works was founded by Ines Quill. Ines Quill studied under Osk Maren.\nNext:`,
      ),
    );
  });
});

describe('end of a chain', () => {
  const model = (...script: string[]): ScriptedModel => scriptedModel(script);
  const calls = async (
    strategy: string,
    scripted: ScriptedModel,
  ): Promise<[hops: number, calls: number | undefined, answer: string]> => {
    const { hops, spent, answer } = await ask(strategy, QUESTION, scripted);
    return [hops.length, spent.modelCalls, answer.kind];
  };
  const endless = (): ScriptedModel =>
    scriptedModel((_, index) => `${WORLD[index % 5]!.title} is step ${index} of Osk Maren.`);

  test('after 8 steps or the set number', async () => {
    assert.deepEqual(await calls('ir-cot(k=1, steps=2)', endless()), [2, 2, 'evidence']);
    const many = Array.from({ length: 30 }, (_, index) =>
      doc(
        `d${index}`,
        `Title number ${index} ${'xyz'.repeat(index)}`,
        `Fact${index} stands here ${'abc '.repeat(index)}.`,
      ),
    );
    const facts = scriptedModel((_, index) => `It says Fact${index} and more.`);
    const trace = await ask('ir-cot(k=1)', 'Fact29?', facts, many);
    assert.deepEqual(
      [trace.hops.length, trace.spent.modelCalls, trace.spent.retrievals],
      [8, 8, 8],
    );
    const code = await ask(
      'ir-cot(profile=comparison-code, k=1)',
      'Fact29?',
      scriptedModel((_, index) => `It says Fact${index} and more.`),
      many,
    );
    assert.deepEqual([code.hops.length, code.spent.modelCalls], [10, 10]);
  });

  test('after an empty or unreadable reply, and the reader answers', async () => {
    for (const nothing of ['', '<think>hm', '{"sentence": "Ines', "I'm sorry, I cannot."])
      assert.deepEqual(await calls('ir-cot', model(nothing)), [1, 1, 'evidence'], nothing);
    const trace = await ask('ir-cot', QUESTION, model('{"sentence": "Ines'));
    assert.deepEqual(trace.hops[0]!.outputs, [
      { role: 'cotStep', text: '{"sentence": "Ines', parsed: false },
    ]);
  });

  test('with an abstention for a refusal', async () => {
    const trace = await ask(
      'ir-cot',
      QUESTION,
      model('So the answer is: Insufficient information.'),
    );
    assert.deepEqual(trace.answer, { kind: 'abstained', reason: 'Insufficient information.' });
  });

  test('without a draft if the evidence does not contain the answer, or with answer=reader', async () => {
    assert.deepEqual(await calls('ir-cot', model('So the answer is: Dunmarrow.')), [
      1,
      1,
      'evidence',
    ]);
    assert.deepEqual(await calls('ir-cot', model('So the answer is: the.')), [1, 1, 'evidence']);
    assert.deepEqual(await calls('ir-cot', model('So the answer is: yes.')), [1, 1, 'evidence']);
    assert.deepEqual(await calls('ir-cot(answer=reader)', model('So the answer is: Ines Quill.')), [
      1,
      1,
      'evidence',
    ]);
    assert.deepEqual(await calls('ir-cot', model('So the answer is: Ines Quill.')), [
      1,
      1,
      'answered',
    ]);
  });

  test('without a search for a question of question words only', async () => {
    const trace = await ask(
      'ir-cot',
      'Who is what?',
      model('Osk Maren was born in Vell.', 'So the answer is: Vell.'),
    );
    assert.deepEqual(
      trace.hops.map(({ searches }) => searches.length),
      [0, 1],
    );
    assert.equal(trace.hops[1]!.searches[0]!.from, undefined);
    assert.equal(trace.answer.kind, 'answered');
  });
});

describe('choice of paragraphs', () => {
  const finds = (documents: readonly Document[], strategy: string): Promise<Trace> =>
    ask(strategy, 'lamp', scriptedModel(['So the answer is: none.']), documents);
  const words = (count: number): string =>
    Array.from({ length: count }, (_, index) => (index === 0 ? 'lamp' : `w${index}`)).join(' ');

  test('excludes texts of more than 600 words', async () => {
    const documents = [doc('long', 'Long', words(601)), doc('fits', 'Fits', words(600))];
    const model = scriptedModel(['']);
    const trace = await ask('ir-cot', 'lamp', model, documents, 'lexical(unit=sentence)');
    assert.equal(kept(trace), 'fits');
    assert.deepEqual(why(trace.hops[0]), ['too-long: 601 words']);
  });

  test('excludes a text whose title and text are 90 % equal to another', async () => {
    // 20 letters: one inserted and one deleted of 40 are 2.5 away from 100 in both; of
    // "abcdefghij", 10 away.
    const documents = [
      doc('a', 'abcdefghij', 'lamp lamp lamp lamp abcdefghijklmnopqrst'),
      doc('b', 'abcdefghiX', 'lamp lamp lamp lamp abcdefghijklmnopqrsX'),
      doc('c', 'abcdefghXY', 'lamp lamp lamp lamp abcdefghijklmnopqrsY'),
      doc('d', 'abcdefghij', 'lamp of another kind with words of its own'),
    ];
    const trace = await finds(documents, 'ir-cot');
    assert.equal(kept(trace), 'a c d');
    assert.deepEqual(why(trace.hops[0]), [
      `near-duplicate: the text of ${trace.hops[0]!.kept[0]!.id}`,
    ]);
    assert.equal(kept(await finds(documents, 'ir-cot(alike=96)')), 'a b c d');
    assert.equal(kept(await finds(documents, 'ir-cot(alike=80)')), 'a d');
  });

  test('each repeat of a text is refused for the first passage that has it', async () => {
    const same = 'The lamp burns at Harrow Point.';
    const documents = ['a', 'b', 'c'].map(id => doc(id, `Title ${id}`.repeat(3), same));
    const trace = await finds(documents, 'ir-cot');
    const [first] = trace.hops[0]!.kept;
    assert.deepEqual(
      why(trace.hops[0]),
      new Array(2).fill(`near-duplicate: the text of ${first!.id}`),
    );
  });

  test('documents without a title are no duplicates of each other by title', async () => {
    const documents = [
      doc('a', '', 'A lamp burns at Harrow Point.'),
      doc('b', '', 'No lamp was lit in Vell that year.'),
      doc('c', 'Lamp', 'A lamp in the hall.'),
      doc('d', 'Lamp', 'Another lamp in the yard.'),
    ];
    const trace = await finds(documents, 'ir-cot(profile=comparison-code)');
    const ids = trace.evidence.map(({ documentId }) => documentId);
    assert.ok(ids.includes('a') && ids.includes('b'), ids.join());
    assert.equal(ids.filter(id => 'cd'.includes(id)).length, 1);
  });

  test('keeps at most 15', async () => {
    const documents = Array.from({ length: 18 }, (_, index) =>
      doc(
        `d${String(index).padStart(2, '0')}`,
        `${index}`.repeat(9),
        `lamp ${String.fromCharCode(97 + index).repeat(40)}`,
      ),
    );
    const trace = await finds(documents, 'ir-cot(k=17)');
    assert.equal(trace.hops[0]!.kept.length, 15);
    assert.deepEqual(why(trace.hops[0]), ['cap', 'cap']);
  });
});

describe('comparison-code, by hand', () => {
  const documents = [
    ...WORLD,
    doc(
      'works2',
      'Quill Works',
      'The Quill Works has two furnaces. The Quill Works was founded long ago, says the Quill Works.',
    ),
  ];

  test('the best passage of each title, five of the first search, then one a step; the whole reply is asked with', async () => {
    const replies = [
      'Ines Quill studied somewhere. Thus she is wanted.',
      'With Osk Maren. Osk Maren was born where?',
      'Osk Maren was born in Vell. So the ANSWER IS: Vell.\nDone.',
    ];
    const model = scriptedModel(replies);
    const trace = await ask('ir-cot(profile=comparison-code, k=1)', QUESTION, model, documents);
    assert.deepEqual(queries(trace), [QUESTION, replies[0], replies[1]]);
    // One title of the first search and of each later one.
    assert.equal(
      trace.hops.every(hop => hop.kept.length + hop.rejected.length <= 2),
      true,
    );
    assert.deepEqual(
      trace.hops.flatMap(hop =>
        hop.kept.map(
          ({ documentId }) => WORLD.find(({ id }) => id === documentId)?.title ?? 'Quill Works',
        ),
      ),
      ['Quill Works', 'Ines Quill', 'Osk Maren'],
    );
    assert.deepEqual(
      [trace.answer.kind === 'answered' && trace.answer.text, trace.spent.modelCalls],
      ['Vell', 3],
    );
    assert.ok(model.prompts[1]!.messages.at(-1)!.text.endsWith(`So far: ${replies[0]}\nContinue:`));
    assert.equal(model.prompts[1]!.schema, undefined);
  });

  test('takes each title once, without another rule', async () => {
    const trace = await ask(
      'ir-cot(profile=comparison-code, k=3)',
      'Quill Works',
      scriptedModel(['Quill Works.', 'Quill Works!', 'The Quill Works.', 'The answer is: two']),
      documents,
    );
    assert.equal(trace.hops[0]!.kept.length, 2);
    assert.deepEqual(trace.evidence.map(({ title }) => title).sort(), [
      'Ines Quill',
      'Quill Works',
    ]);
    assert.match(why(trace.hops[0])[0]!, /^near-duplicate: of the title of /);
    // Three empty retrievals in a row, and it goes on: the code has no such rule.
    assert.deepEqual(
      trace.hops.slice(1).map(hop => hop.kept.length),
      [0, 0, 0],
    );
    assert.equal(trace.spent.modelCalls, 4);
  });
});

describe('without a model', () => {
  const ASKED = 'Who founded the Quill Works of Tarn?';
  test('searches by copied sentences that share most with the question and are new', async () => {
    const trace = await ask('ir-cot(k=2)', ASKED);
    // By hand: the works' sentence has all words of the question and names Ines Quill;
    // hers names Osk Maren, his Vell; three steps.
    assert.deepEqual(
      queries(trace).slice(1),
      WORLD.slice(0, 3).map(({ text }) => text),
    );
    assert.deepEqual(outputs(trace)[0]![1], WORLD[0]!.text);
    assert.match(outputs(trace)[0]![0]!, /Without a language model.*Missing: inference/);
    assert.deepEqual(
      trace.hops.flatMap(hop => (hop.outputs ?? []).map(({ role }) => role)),
      ['degraded', 'extracted', 'extracted', 'extracted'],
    );
    assert.deepEqual(trace.hops[1]!.searches[0]!.from, {
      hop: 0,
      search: 0,
      id: trace.hops[0]!.kept[0]!.id,
    });
    assert.equal(trace.spent.modelCalls, undefined);
  });

  test('chooses a sentence by its overlap with the question and its share of new names', () => {
    const chosen = (
      question: string,
      text: string,
      sentences: readonly string[] = [],
    ): string | undefined =>
      extractSentence(
        question,
        [{ id: 'a', documentId: 'a', title: '', about: '', text, start: 0, end: text.length }],
        sentences,
      )?.text;
    // Equal overlap with the question, more novelty.
    assert.equal(
      chosen('lamp Tarn', 'A lamp in Tarn and Vell. A lamp of Osk Maren in old tarn.'),
      'A lamp of Osk Maren in old tarn.',
    );
    // All new, but nothing of the question: 0.5 against 1 + 0.25.
    assert.equal(
      chosen('lamp Tarn', 'In Vell all is well. A lamp in Tarn and Orr.'),
      'A lamp in Tarn and Orr.',
    );
    // Used before, or without a name that is new.
    assert.equal(
      chosen('lamp Tarn', 'A lamp in Tarn and Vell.', ['A lamp in Tarn and Vell.']),
      undefined,
    );
    assert.equal(chosen('lamp Tarn', 'A lamp in Tarn. no name here.'), undefined);
  });

  test('stops without new names, after three steps, or with all paragraphs', async () => {
    assert.equal((await ask('ir-cot(k=1)', 'ferry run Sunday')).hops.length, 1);
    assert.equal((await ask('ir-cot(k=2, steps=1)', ASKED)).hops.length, 2);
    assert.equal((await ask('ir-cot(k=2, paragraphs=2)', ASKED)).hops.length, 1);
    assert.equal((await ask('ir-cot(k=2)', ASKED)).hops.length, 4);
  });

  test('thoughts=extracted calls no model; thoughts=model requires one', async () => {
    const model = scriptedModel(['So the answer is: Vell.']);
    const trace = await ask('ir-cot(k=2, thoughts=extracted)', ASKED, model);
    assert.deepEqual([model.prompts.length, trace.hops.length], [0, 4]);
    assert.equal(trace.strategy, 'ir-cot(profile=original, k=2, thoughts=extracted)');
    await assert.rejects(
      ask('ir-cot(thoughts=model)', QUESTION),
      error => InputError.is(error) && error.code === 'missing-resource',
    );
  });
});

test('the defaults are those of the released code', () => {
  assert.equal(
    strategies.canonical(
      'ir-cot(profile=original, k=5, words=350, longest=600, alike=90, demonstrations=3, prompt=8000)',
    ),
    'ir-cot(profile=original, k=5)',
  );
});

test('the original’s loop agrees with a slow oracle for any corpus, chain and limits', async () => {
  const word = fc.constantFrom('lamp', 'glass', 'tarn', 'vell', 'who', 'orr', 'So', 'thus');
  const phrase = fc.array(word, { minLength: 1, maxLength: 6 }).map(words => words.join(' '));
  const chain = fc.array(
    fc.oneof(
      phrase.map(text => `Fact ${text}.`),
      phrase.map(text => `So ${text}.`),
      fc.constantFrom('', 'So the answer is: lamp.'),
    ),
    { minLength: 1, maxLength: 9 },
  );
  const limits = fc.record({
    k: fc.integer({ min: 1, max: 4 }),
    steps: fc.integer({ min: 1, max: 6 }),
    paragraphs: fc.integer({ min: 1, max: 6 }),
    longest: fc.integer({ min: 2, max: 7 }),
    alike: fc.constantFrom(60, 90),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(phrase, phrase), { minLength: 1, maxLength: 9 }),
      phrase,
      chain,
      limits,
      async (texts, question, script, limit) => {
        const documents = texts.map(([title, text], index) => doc(`d${index}`, title, text));
        const name = `ir-cot(k=${limit.k}, steps=${limit.steps}, paragraphs=${limit.paragraphs}, longest=${limit.longest}, alike=${limit.alike})`;
        const trace = await ask(
          name,
          question,
          scriptedModel(script),
          documents,
          'lexical(unit=passage)',
        );
        const engine = new EmbeddedEngine({ documents });
        const heard: OracleRun = await irCotOracle(
          engine.current,
          documents,
          question,
          script,
          limit,
        );
        assert.deepEqual(
          trace.hops.map(hop => hop.searches[0]?.text),
          heard.queries,
        );
        assert.deepEqual(
          trace.hops.map(hop => hop.kept.map(({ documentId }) => documentId)),
          heard.kept,
        );
        assert.equal(trace.spent.modelCalls ?? 0, heard.calls);
      },
    ),
    { numRuns: 150 },
  );
});
