/**
 * Query decomposition by hand-worked traces: sub-questions, answers, bindings, integration, and the
 * fallbacks without a model.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defined } from '../../core/defined.ts';
import type { ModelOutput, Trace } from '../../core/trace/trace.ts';
import type { Budget } from '../../core/trace/usage.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { metadataExtractors } from '../../planning/metadata/extractors.ts';
import { readRecordedSubQuestions } from '../../planning/sub-questions/recorded-sub-questions.ts';
import type { AskOptions } from '../../run/ask-options.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import {
  failingModel,
  rolesOf as roles,
  type ScriptedModel,
  scriptedModel,
} from '../../testing/scripted-model.ts';
import { documentOf as document, traceOf } from '../../testing/strategy-run.ts';
import { strategies, strategiesWith } from '../strategies.ts';
import type { Strategy } from '../strategy.ts';

const engine = new EmbeddedEngine({
  documents: [
    document('prism', 'Silver Prism', 'The Silver Prism was won by Osk Maren.'),
    document('maren', 'Osk Maren', 'The lens grinder was born in Vell.'),
    document(
      'vell',
      'Vell',
      'A town on the river Tarn. The Silver Prism is kept there, behind glass, under a lamp.',
    ),
    document('quill', 'Ines Quill', 'A maker of glass, born in Harrow.'),
    document(
      'tarn',
      'Tarn',
      'A river, cold and slow, on which no town but one was ever built, and that one small.',
    ),
  ],
});
const QUESTION = 'On which river is the birthplace of the winner of the Silver Prism?';
const SPLIT =
  '{"subqueries": ["Who won the Silver Prism?", "Where was #1 born?", "On which river is #2?"]}';

interface Given {
  readonly strategy?: string | Strategy;
  readonly model?: LanguageModel;
  readonly budget?: Budget;
  readonly question?: string;
}

async function run({
  strategy = 'query-decomposition',
  model,
  budget = {},
  question = QUESTION,
}: Given): Promise<Trace> {
  const options = defined<AskOptions>({
    engine,
    strategy,
    context: 'whole',
    reader: 'evidence-only',
    retriever: 'lexical',
    budget,
    resources: model ? { model } : undefined,
  });
  return traceOf(question, options);
}

/** Answers by what stands in the prompt: a sub-question's by its own words. */
const oracle = (
  final = '{"answer": "Tarn"}',
  answers: Readonly<Record<string, string>> = {},
): ScriptedModel =>
  scriptedModel(({ role, messages }) => {
    if (role === 'decompose') return SPLIT;
    if (role === 'finalAnswer') return final;
    const asked = /Question: (.*)$/.exec(messages[1]!.text)![1]!;
    const known = { 'Who won': 'Osk Maren', 'Where was': 'Vell', 'On which': 'Tarn', ...answers };
    const answer =
      Object.entries(known).find(([words]) => asked.startsWith(words))?.[1] ?? 'unknown';
    return JSON.stringify({ answer, supported: answer !== 'unknown', passages: [] });
  });

const queries = ({ hops }: Trace): (string | undefined)[] =>
  hops.map(({ searches }) => searches[0]!.text);
const saidBy = ({ hops }: Trace, role: string): ModelOutput[] =>
  hops.flatMap(({ outputs = [] }) => outputs.filter(each => each.role === role));
const plan = (trace: Trace): unknown => JSON.parse(saidBy(trace, 'plan')[0]!.text);

describe('sub-answers', () => {
  test('makes one call to split, one a sub-question and one to answer; one hop a sub-question', async () => {
    const model = oracle();
    const trace = await run({ strategy: 'query-decomposition(k=2)', model });
    assert.deepEqual(roles(model), [
      'decompose',
      'subAnswer',
      'subAnswer',
      'subAnswer',
      'finalAnswer',
    ]);
    assert.deepEqual([trace.spent.modelCalls, trace.spent.hops, trace.spent.retrievals], [5, 3, 3]);
    assert.deepEqual(queries(trace), [
      'Who won the Silver Prism?',
      'Where was born?',
      'On which river is ?',
    ]);
    assert.deepEqual(
      trace.hops.map(({ reason }) => reason),
      ['Who won the Silver Prism?', 'Where was #1 born?', 'On which river is #2?'],
    );
    assert.equal(trace.strategy, 'query-decomposition(parts=3, integration=sub-answers, k=2)');
    assert.deepEqual(plan(trace), {
      by: 'model',
      subQuestions: trace.hops.map(({ reason }) => reason),
      short: false,
    });
    assert.equal(trace.answer.kind === 'answered' && trace.answer.text, 'Tarn');
    // The two best hits of each search; a hit that is kept already is 'seen', and read again all
    // the same.
    for (const { kept, rejected, searches } of trace.hops)
      assert.deepEqual(
        [...kept, ...rejected].map(({ id }) => id).sort(),
        searches[0]!.hits
          .slice(0, 2)
          .map(({ id }) => id)
          .sort(),
      );
    assert.ok(saidBy(trace, 'binding').length === 0 && saidBy(trace, 'degraded').length === 0);
  });

  test('leaves the evidence in the order in which it was kept: nothing is pooled', async () => {
    const trace = await run({ strategy: 'query-decomposition(k=2)', model: oracle() });
    assert.ok(trace.hops.every(({ order }) => order === undefined));
    assert.deepEqual(
      trace.evidence.map(({ id }) => id),
      trace.hops.flatMap(({ kept }) => kept.map(({ id }) => id)),
    );
    const pooled = await run({
      strategy: 'query-decomposition(k=2, integration=sub-contexts)',
      model: oracle(),
    });
    assert.deepEqual(
      pooled.hops.map(({ order }) => order !== undefined),
      [false, true, true],
    );
  });

  test('the last prompt shows each sub-question with its answer, and no passage', async () => {
    const model = oracle('{"answer": "Tarn"}', { 'Where was': 'unknown' });
    await run({ model });
    const shown = model.prompts.at(-1)!.messages[1]!.text;
    assert.match(shown, /Who won the Silver Prism\?\nOsk Maren\n/);
    assert.match(shown, /Where was born\?\nunknown\n/);
    assert.doesNotMatch(shown, /lens grinder/);
  });

  test('cites the citations of its sub-answers, inside the evidence', async () => {
    const trace = await run({
      strategy: 'query-decomposition(k=1, chained=true)',
      model: oracle(),
    });
    assert.ok(trace.answer.kind === 'answered');
    const text = 'The Silver Prism was won by Osk Maren.';
    assert.deepEqual(trace.answer.citations[0], {
      id: 'prism',
      documentId: 'prism',
      start: 0,
      end: text.length,
    });
    for (const { id } of trace.answer.citations)
      assert.ok(trace.evidence.some(item => item.id === id));
  });

  test('abstains in the paper’s words if all sub-answers, or the last answer, are unknown', async () => {
    const silent = oracle('{"answer": "Rome"}', {
      'Who won': 'unknown',
      'Where was': 'unknown',
      'On which': 'unknown',
    });
    const trace = await run({ model: silent });
    assert.deepEqual(trace.answer, { kind: 'abstained', reason: 'Insufficient information.' });
    assert.deepEqual(roles(silent), ['decompose', 'subAnswer', 'subAnswer', 'subAnswer']);
    const unsure = await run({ model: oracle('{"answer": "Insufficient information."}') });
    assert.deepEqual(unsure.answer, { kind: 'abstained', reason: 'Insufficient information.' });
  });

  test('leaves the evidence to the reader if the last answer is unreadable', async () => {
    const trace = await run({ model: oracle('Tarn, surely.') });
    assert.equal(trace.answer.kind, 'evidence');
    assert.deepEqual(
      saidBy(trace, 'finalAnswer').map(({ parsed }) => parsed),
      [false, false],
    );
  });

  test('notes missing sub-questions, cuts surplus ones, and includes the question once', async () => {
    const split = (list: string[]) =>
      scriptedModel(({ role }) =>
        role === 'decompose' ? JSON.stringify(list) : '{"answer": "unknown"}',
      );
    assert.deepEqual(plan(await run({ model: split([QUESTION, QUESTION.toUpperCase()]) })), {
      by: 'model',
      subQuestions: [QUESTION],
      short: true,
    });
    const cut = await run({
      strategy: 'query-decomposition(parts=2)',
      model: split(['a prism?', 'b prism?', 'c prism?']),
    });
    assert.deepEqual(queries(cut), ['a prism?', 'b prism?']);
  });
});

describe('chained', () => {
  const chained = (rest = '', answers: Readonly<Record<string, string>> = {}): Promise<Trace> =>
    run({
      strategy: `query-decomposition(chained=true, k=2${rest})`,
      model: oracle(undefined, answers),
    });

  test('a later query contains the earlier answer and names its hit', async () => {
    const trace = await chained();
    assert.deepEqual(queries(trace), [
      'Who won the Silver Prism?',
      'Where was Osk Maren born?',
      'On which river is Vell?',
    ]);
    assert.deepEqual(trace.hops[1]!.searches[0]!.from, { hop: 0, search: 0, id: 'prism' });
    assert.deepEqual(trace.hops[2]!.searches[0]!.from, { hop: 1, search: 0, id: 'maren' });
    assert.deepEqual(
      saidBy(trace, 'binding').map(({ text }) => text),
      ['#1 is Osk Maren', '#2 is Vell'],
    );
  });

  test('an answer outside its passages is not bound, with a note; unchecked it is', async () => {
    const trace = await chained('', { 'Who won': 'Pia Sol' });
    assert.equal(queries(trace)[1], 'Where was born?');
    assert.match(
      saidBy(trace, 'binding')[0]!.text,
      /^#1 is not bound: its answer "Pia Sol" is in none of the passages/,
    );
    // An unbound query depends on the hits too.
    assert.deepEqual(trace.hops[1]!.searches[0]!.from, { hop: 0, search: 0 });
    const unchecked = await chained(', checked=false', { 'Who won': 'Pia Sol' });
    assert.deepEqual(
      [queries(unchecked)[1], unchecked.hops[1]!.searches[0]!.from],
      ['Where was Pia Sol born?', { hop: 0, search: 0 }],
    );
  });
});

describe('sub-contexts', () => {
  test('one call; the passages pooled round robin by rank, in the evidence and in the ranking', async () => {
    const model = oracle();
    const trace = await run({
      strategy: 'query-decomposition(integration=sub-contexts, k=2)',
      model,
    });
    assert.deepEqual(roles(model), ['decompose']);
    assert.equal(trace.answer.kind, 'evidence');
    const lists = trace.hops.map(({ searches }) =>
      searches[0]!.hits.slice(0, 2).map(({ id }) => id),
    );
    const pooled = [...new Set([0, 1].flatMap(rank => lists.flatMap(list => list[rank] ?? [])))];
    assert.deepEqual(
      trace.evidence.map(({ id }) => id),
      pooled,
    );
    assert.deepEqual(trace.ranking.slice(0, pooled.length), pooled);
  });

  test('chained, answers only the sub-questions that later ones refer to', async () => {
    const model = oracle();
    await run({ strategy: 'query-decomposition(integration=sub-contexts, chained=true)', model });
    assert.deepEqual(roles(model), ['decompose', 'subAnswer', 'subAnswer']);
  });

  test('divides the words of a full pool among the sub-questions', async () => {
    const trace = await run({
      strategy: 'query-decomposition(integration=sub-contexts, pool=36)',
      model: oracle(),
    });
    const words = trace.hops.map(({ spent }) => spent.contextTokens ?? 0);
    assert.ok(
      words[0]! <= 12 && words[0]! + words[1]! <= 24 && trace.context.tokens <= 36,
      JSON.stringify(words),
    );
    assert.ok(trace.hops[0]!.rejected.some(({ why }) => why === 'cap'));
  });
});

describe('without a model, or after its failure', () => {
  test('searches by clauses, and the reader answers; notes it once', async () => {
    const question =
      'Who won the Silver Prism of Vell, and where was the maker of glass Ines Quill born?';
    const trace = await run({ question });
    assert.deepEqual(queries(trace)[0], question.slice(0, -1));
    assert.equal(trace.hops.length, 3);
    assert.equal(trace.answer.kind, 'evidence');
    assert.equal(trace.spent.modelCalls, undefined);
    assert.deepEqual((plan(trace) as { by: string }).by, 'clauses');
    assert.match(
      saidBy(trace, 'degraded')[0]!.text,
      /^No language model: the sub-questions are the clauses of the question, no sub-question is answered/,
    );
  });

  test('the note names each step that the settings ask a model for, and no other', async () => {
    const steps = {
      split: 'the sub-questions are the clauses of the question',
      answers: 'no sub-question is answered on its own',
      chained: 'no answer is carried from one hop to the next',
      whole: 'the reader answers from all that was found',
    };
    for (const [settings, expected] of [
      ['', ['split', 'answers', 'whole']],
      ['chained=true', ['split', 'answers', 'chained', 'whole']],
      ['integration=sub-contexts', ['split']],
      ['integration=sub-contexts, chained=true', ['split', 'chained']],
      ['integration=sub-contexts, split=clauses', []],
      ['split=clauses, answers=extractive', ['whole']],
      ['split=clauses, answers=extractive, chained=true', ['whole']],
    ] as const) {
      const trace = await run({ strategy: `query-decomposition(${settings})` });
      const [note] = saidBy(trace, 'degraded');
      const noted = Object.entries(steps).filter(([, text]) => note?.text.includes(text));
      assert.deepEqual(
        noted.map(([step]) => step),
        expected,
        settings,
      );
    }
  });

  test('repairs an unreadable split once, then uses the clauses', async () => {
    const model = scriptedModel(({ role }) =>
      role === 'decompose' ? 'I cannot do that.' : '{"answer": "Osk Maren", "supported": true}',
    );
    const trace = await run({ model });
    assert.deepEqual(roles(model).slice(0, 3), ['decompose', 'decompose', 'subAnswer']);
    assert.match(saidBy(trace, 'degraded')[0]!.text, /holds no sub-questions: the clauses/);
    assert.equal(trace.answer.kind, 'answered');
  });

  test('says once that the model failed, and goes on by rules', async () => {
    for (const at of [0, 2]) {
      const answering = oracle();
      let calls = 0;
      const model: LanguageModel = {
        id: 'failing',
        generate: (...asked) => (calls++ < at ? answering : failingModel).generate(...asked),
      };
      const trace = await run({ strategy: 'query-decomposition(chained=true)', model });
      assert.equal(trace.answer.kind, 'evidence');
      const [said, ...more] = saidBy(trace, 'degraded');
      assert.match(said!.text, /The language model failed \(down\)/);
      assert.deepEqual(more, []);
      assert.equal((plan(trace) as { by: string }).by, at === 0 ? 'clauses' : 'model');
    }
  });
});

describe('replayed', () => {
  const recorded = readRecordedSubQuestions([
    {
      question: QUESTION,
      question_decomposition: [
        { question: 'Silver Prism >> winner', answer: 'Osk Maren' },
        { question: '#1 >> born in', answer: 'Vell' },
        { question: 'On which river is #2?', answer: 'Tarn' },
      ],
    },
  ]);
  const over = strategiesWith(metadataExtractors, recorded);

  test('needs no model; binds an answer that its passages contain', async () => {
    const strategy = over.create(
      'query-decomposition(split=replayed, answers=replayed, chained=true, k=1)',
    );
    const trace = await run({ strategy });
    assert.deepEqual(queries(trace), [
      'Silver Prism >> winner',
      'Osk Maren >> born in',
      'On which river is Vell?',
    ]);
    assert.deepEqual(
      saidBy(trace, 'subAnswer').map(({ text }) => text),
      ['Osk Maren', 'Vell', 'Tarn'],
    );
    assert.equal(trace.spent.modelCalls, undefined);
    const unbound = await run({
      strategy: over.create('query-decomposition(split=replayed, k=1)'),
    });
    assert.deepEqual(queries(unbound), [
      'Silver Prism >> winner',
      '>> born in',
      'On which river is ?',
    ]);
  });

  test('uses the clauses of a question that is not recorded, and refuses to run without records', async () => {
    const trace = await run({
      strategy: over.create('query-decomposition(split=replayed)'),
      question: 'Who won the Silver Prism?',
    });
    assert.deepEqual(queries(trace), ['Who won the Silver Prism']);
    assert.match(saidBy(trace, 'degraded').at(-1)!.text, /No recorded sub-questions/);
    await assert.rejects(run({ strategy: 'query-decomposition(split=replayed)' }), {
      code: 'no-sub-questions',
    });
  });
});

test('plans no calls where rules do all the work', () => {
  const name = 'query-decomposition(split=clauses, answers=extractive, integration=sub-contexts)';
  assert.deepEqual(strategies.create(name).modelCalls, []);
});
