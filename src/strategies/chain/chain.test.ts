/**
 * Tests chain by hand-worked runs: calls and prompts of each branch, completed sub-questions, the
 * graph and its switches, both integrations, the fallbacks without a model, failures, any reply.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import type { Trace } from '../../core/trace/trace.ts';
import type { Prompt } from '../../models/language-model.ts';
import type { QuestionAnswerer } from '../../models/question-answerer.ts';
import { metadataExtractors } from '../../planning/metadata/extractors.ts';
import { readRecordedSubQuestions } from '../../planning/sub-questions/recorded-sub-questions.ts';
import type { AskOptions } from '../../run/ask.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { hashedEmbedder } from '../../testing/hashed-embedder.ts';
import { overlapReranker } from '../../testing/overlap-reranker.ts';
import {
  failingModel,
  rolesOf as roles,
  type ScriptedModel,
  scriptedModel,
} from '../../testing/scripted-model.ts';
import { documentOf as doc, outputsOf as outputs, traceOf } from '../../testing/strategy-run.ts';
import { strategies, strategiesWith } from '../strategies.ts';

const WORLD: readonly Document[] = [
  doc('lamp', 'The Lamp', 'The Lamp is a film. It was directed by Ines Quill and stars Bo Lind.'),
  doc('ines', 'Ines Quill', 'Ines Quill makes films. She was born in Vell. She lives in Tarn.'),
  doc('bo', 'Bo Lind', 'Bo Lind is an actor. He was born in Harrow.'),
  doc('vell', 'Vell', 'Vell is a town on the river Orr. Many glass makers work there.'),
  doc('ferry', 'Ferry', 'The ferry does not run on Sunday. It is green.'),
  doc('fair', 'Fair', 'The fair of Tarn sold glass. A writer was born there in spring.'),
];
const TEXTS = new Map(WORLD.map(({ id, text }) => [id, text]));
const QUESTION = 'Where was the director of The Lamp born?';

const engineOf = (): EmbeddedEngine =>
  new EmbeddedEngine({ documents: WORLD, chunker: chunkers.create('sentences(per=2)') });

async function ask(
  strategy: AskOptions['strategy'],
  more: Partial<AskOptions> = {},
  question = QUESTION,
): Promise<Trace> {
  const options = { engine: engineOf(), strategy, reader: 'evidence-only', ...more };
  return traceOf(question, { context: 'sentences', retriever: 'lexical', ...options });
}

const REPLIES: Readonly<Record<string, string>> = {
  decompose:
    '{"subqueries": ["Who is the director of The Lamp?", "Where was this director born?"]}',
  rewrite: '{"question": "Where was Ines Quill born?"}',
  summarise: '{"summary": "The Lamp is a film."}',
  finalAnswer: '{"answer": "Vell", "passages": [1]}',
  judgeMultiHop: '{"is_multi_hop": true}',
};
/** Answers sub-questions by their words, all else by role. */
const model = (replies: Readonly<Record<string, string>> = {}): ScriptedModel =>
  scriptedModel(({ role, messages }) => {
    if (replies[role] !== undefined) return replies[role];
    if (role !== 'subAnswer') return REPLIES[role] ?? '';
    const asked = /Question: (.*)$/.exec(messages[1]!.text)![1]!;
    const answer = asked.startsWith('Who') ? 'Ines Quill' : 'Vell';
    return JSON.stringify({ answer, supported: true, passages: [1] });
  });

const shown = ({ messages }: Prompt): string => messages[1]!.text;
const records = (trace: Trace): Record<string, unknown>[] =>
  outputs(trace, 'subQuestion').map(text => JSON.parse(text) as Record<string, unknown>);
const searched = ({ hops }: Trace): string[] =>
  hops.flatMap(({ searches }) =>
    searches.map(({ unit, text, filter }) => `${unit}: ${text}${filter ? ' (filtered)' : ''}`),
  );
const kept = ({ evidence }: Trace): string[] =>
  evidence.flatMap(({ documentId, spans }) =>
    spans.map(([start, end]) => TEXTS.get(documentId)!.slice(start, end).trim()),
  );

describe('with a model', () => {
  test('splits, answers in order, completes the second by the first, and answers from both', async () => {
    const asked = model();
    const trace = await ask('chain(k=1)', { resources: { model: asked } });
    assert.deepEqual(roles(asked), [
      // An answer says that the sentences suffice: no other call asks.
      ...['decompose', 'subAnswer', 'rewrite', 'subAnswer', 'finalAnswer'],
    ]);
    assert.deepEqual(records(trace), [
      {
        number: 1,
        original: 'Who is the director of The Lamp?',
        rewritten: 'Who is the director of The Lamp?',
        answer: 'Ines Quill',
      },
      {
        number: 2,
        original: 'Where was this director born?',
        rewritten: 'Where was Ines Quill born?',
        answer: 'Vell',
      },
    ]);
    assert.deepEqual(searched(trace), [
      'sentence: Who is the director of The Lamp?',
      'sentence: Who is the director of The Lamp? (filtered)',
      'sentence: Where was Ines Quill born?',
      'sentence: Where was Ines Quill born? (filtered)',
    ]);
    assert.ok(trace.answer.kind === 'answered' && trace.answer.text === 'Vell');
    assert.equal(trace.spent.modelCalls, 5);
  });

  test('integrates answers without sentences, and contexts without sub-questions', async () => {
    for (const integration of ['answers', 'contexts']) {
      const asked = model();
      const trace = await ask(`chain(k=1, integration=${integration})`, {
        resources: { model: asked },
      });
      const last = shown(asked.prompts.at(-1)!);
      assert.equal(last.includes('She was born in Vell.'), integration === 'contexts');
      assert.equal(last.includes('Where was Ines Quill born?'), integration === 'answers');
      assert.ok(last.endsWith(`Question: ${QUESTION}`));
      assert.ok(trace.answer.kind === 'answered' && trace.answer.citations.length > 0);
    }
  });

  test('shows sentences in document order, whatever their rank', async () => {
    const asked = model();
    await ask('chain(k=1)', { resources: { model: asked } });
    const seen = shown(asked.prompts.find(({ role }) => role === 'subAnswer')!);
    assert.ok(
      seen.includes('The Lamp is a film. It was directed by Ines Quill and stars Bo Lind.'),
    );
  });

  test('asks a question that is not multi-hop as it is, if a judge says so', async () => {
    const asked = model({ judgeMultiHop: '{"is_multi_hop": false}' });
    const trace = await ask('chain(judgeMultiHop=true, k=1)', { resources: { model: asked } });
    assert.ok(!roles(asked).includes('decompose'));
    assert.deepEqual(
      records(trace).map(({ rewritten }) => rewritten),
      [QUESTION],
    );
    for (const reply of ['{"is_multi_hop": true}', 'Sorry.']) {
      const other = model({ judgeMultiHop: reply });
      const split = await ask('chain(judgeMultiHop=true)', { resources: { model: other } });
      assert.equal(records(split).length, 2, reply);
    }
  });

  test('asks the question whole if the reply holds no sub-questions', async () => {
    const trace = await ask('chain', { resources: { model: model({ decompose: 'no' }) } });
    assert.deepEqual(JSON.parse(outputs(trace, 'plan')[0]!), {
      by: 'whole',
      subQuestions: [QUESTION],
    });
    assert.ok(outputs(trace, 'degraded').some(text => text.includes('holds no sub-questions')));
  });
});

describe('rewriting', () => {
  const second = async (reply: string, strategy = 'chain(k=1)'): Promise<[string, string[]]> => {
    const trace = await ask(strategy, { resources: { model: model({ rewrite: reply }) } });
    return [String(records(trace)[1]!['rewritten']), outputs(trace, 'rewriteRefused')];
  };
  const WRITTEN = 'Where was this director born?';

  test('keeps the sub-question for an unreadable, empty or far longer reply', async () => {
    assert.deepEqual(await second('Sorry.'), [WRITTEN, []]);
    assert.deepEqual(await second('{"question": "?!"}'), [WRITTEN, ['empty']]);
    const long = `Where ${'was born '.repeat(9)}?`;
    assert.deepEqual(await second(JSON.stringify({ question: long })), [WRITTEN, ['too-long']]);
  });

  test('puts the answer in brackets if the reply names somebody new', async () => {
    assert.deepEqual(await second('{"question": "Where was Bo Lind born?"}'), [
      'Where was this director born (Ines Quill)?',
      ['new-entity'],
    ]);
  });

  test('is left out for a sub-question that names all it needs, and where it is switched off', async () => {
    const asked = model({
      decompose: '{"subqueries": ["Who directed The Lamp?", "Where was Ines Quill born?"]}',
    });
    await ask('chain', { resources: { model: asked } });
    assert.ok(!roles(asked).includes('rewrite'));
    assert.deepEqual(await second(REPLIES['rewrite']!, 'chain(rewriting=false)'), [WRITTEN, []]);
  });

  test('carries a summary of what is not answered, once, instead', async () => {
    const asked = scriptedModel(({ role, messages }) =>
      role === 'decompose'
        ? '{"subqueries": ["Who is the director of The Lamp?", "Where was she born?", "Is it her town?"]}'
        : role === 'subAnswer' && messages[1]!.text.includes('Question: Who')
          ? '{"answer": "Insufficient information.", "supported": false, "passages": []}'
          : role === 'subAnswer'
            ? '{"answer": "unknown", "supported": false, "passages": []}'
            : (REPLIES[role] ?? ''),
    );
    const trace = await ask('chain(k=1)', { resources: { model: asked } });
    assert.ok(!roles(asked).includes('rewrite'));
    // One for each of two predecessors, though the first is needed twice.
    assert.equal(roles(asked).filter(role => role === 'summarise').length, 2);
    const next = asked.prompts.find(
      prompt => prompt.role === 'subAnswer' && shown(prompt).includes('Question: Where'),
    );
    assert.ok(shown(next!).includes('The Lamp is a film.\n'), shown(next!));
    assert.equal(records(trace)[1]!['rewritten'], 'Where was she born?');
    assert.equal(trace.answer.kind, 'abstained');
  });
});

describe('the graph', () => {
  const seeds = async (settings: string, more: Partial<AskOptions> = {}): Promise<Trace> =>
    ask(`chain(split=rules, by=rules, k=1, documents=0${settings})`, more);

  test('adds neighbours of the seeds in the order of the search, and says what is switched off', async () => {
    const plain = kept(await seeds(', graph=false'));
    const near = kept(await seeds(', entity=false'));
    const both = kept(await seeds(''));
    assert.ok(plain.length < near.length && near.length <= both.length);
    assert.ok(plain.every(text => near.includes(text)));
    const none = await seeds(', entity=false, adjacent=false');
    assert.deepEqual(kept(none), plain);
    assert.ok(outputs(none, 'degraded').some(text => text.startsWith('No graph')));
    assert.ok(!outputs(await seeds(', graph=false'), 'degraded').some(text => /graph/i.test(text)));
  });

  test('follows similarity in the space that the retriever searches, and in no other', async () => {
    const engine = new EmbeddedEngine({
      documents: WORLD,
      embedders: [hashedEmbedder('hashed', 16)],
      chunker: chunkers.create('sentences(per=2)'),
    });
    const edges = async (retriever: string, settings = ''): Promise<string[]> =>
      kept(await seeds(`, adjacent=false, entity=false${settings}`, { engine, retriever }));
    const [alone, alike] = [
      await edges('dense(hashed)', ', semantic=false'),
      await edges('dense(hashed)'),
    ];
    assert.ok(alike.length > alone.length);
    assert.deepEqual(await edges('lexical'), await edges('lexical', ', semantic=false'));
  });

  test('keeps within the words of a sub-question; seeds stay', async () => {
    for (const words of [1, 12, 30]) {
      const trace = await seeds(`, words=${words}, parts=1`);
      const [first] = trace.hops;
      const all = kept(trace).reduce((sum, text) => sum + text.split(/\s+/).length, 0);
      const seed = kept({ ...trace, evidence: trace.evidence.slice(0, 1) })[0]!;
      assert.ok(all <= Math.max(words, seed.split(/\s+/).length), `${words}: ${all}`);
      assert.equal(first!.kept.length, 1);
    }
  });

  test('in profile code checks the seeds first, and adds the 5 best once', async () => {
    const only = `{"subqueries": ["${QUESTION}"]}`;
    const content = model({ decompose: only });
    const few = await ask('chain(profile=code)', { resources: { model: content } });
    assert.equal(few.hops.length, 1);
    const unknown = '{"passages": [], "supported": false, "answer": null}';
    const asked = model({ subAnswer: unknown, decompose: only });
    const more = await ask('chain(profile=code, k=1)', { resources: { model: asked } });
    assert.equal(more.hops.length, 2);
    assert.ok(more.hops[1]!.kept.length <= 5);
    assert.equal(roles(asked).filter(role => role === 'subAnswer').length, 2);
  });

  test('a reranker orders candidates and neighbours, every pair is counted, its score is recorded', async () => {
    const reranker = overlapReranker();
    const trace = await seeds(', reranker=overlap', { resources: { reranker: [reranker] } });
    const pairs = reranker.calls.reduce((sum, { texts }) => sum + texts.length, 0);
    assert.ok(pairs > 0);
    assert.equal(trace.spent.rerankedPairs, pairs);
    assert.equal(typeof records(trace)[0]!['confidence'], 'number');
    assert.ok(!outputs(trace, 'degraded').some(text => text.includes('No reranker')));
  });
});

describe('without a model', () => {
  test('splits by what the question describes, and completes the rest by the name that it finds', async () => {
    const trace = await ask('chain');
    assert.deepEqual(JSON.parse(outputs(trace, 'plan')[0]!), {
      by: 'chain',
      subQuestions: ['the director of The Lamp', 'Where was #1 born?'],
    });
    assert.deepEqual(
      records(trace).map(({ original, rewritten, answer }) => [original, rewritten, answer]),
      [
        ['the director of The Lamp', 'the director of The Lamp', 'Ines Quill'],
        ['Where was this director born?', 'Where was Ines Quill born?', 'Vell'],
      ],
    );
    assert.match(outputs(trace, 'degraded')[0]!, /^Without a language model: rules split/);
    assert.equal(trace.answer.kind, 'evidence');
    assert.equal(trace.spent.modelCalls, undefined);
  });

  test('searches the question too; its first documents and those of the parts come first in turn', async () => {
    const trace = await ask('chain');
    assert.deepEqual(searched(trace).slice(0, 3), [
      `document: ${QUESTION}`,
      'sentence: the director of The Lamp',
      'document: the director of The Lamp',
    ]);
    const lists = trace.hops
      .flatMap(({ searches }) => searches)
      .filter(({ unit }) => unit === 'document')
      .map(({ hits }) => hits.map(({ documentId }) => documentId));
    assert.equal(lists.length, 3);
    const turns = [...new Set([0, 1, 2].flatMap(rank => lists.flatMap(list => list[rank] ?? [])))];
    assert.deepEqual(trace.ranking.slice(0, turns.length), turns);
    // The question alone ranks a fair first, at which somebody was born.
    assert.equal(lists[0]![0], 'fair');
    assert.deepEqual(trace.ranking.slice(0, 3).toSorted(), ['fair', 'ines', 'lamp']);
  });

  test('of a question that is not split the order is that of its own search', async () => {
    // The last that is found shares its director with the first, and came before others once.
    const question = 'Which film stars Bo Lind?';
    const documents = [
      doc('lamp', 'The Lamp', 'The Lamp is a film of Ines Quill and stars Bo Lind.'),
      doc('star', 'A star', 'A film star is a star of a film. Which star is that?'),
      doc('reel', 'A reel', 'A reel of film is long. It stars nobody.'),
      doc('fair', 'A fair', 'A fair shows a film in spring.'),
      doc('ines', 'Ines Quill', 'In Tarn lives Ines Quill, whose film is long.'),
      doc('bees', 'Bees', 'Bees and glass are sold at Vell, far from Harrow.'),
    ];
    const engine = new EmbeddedEngine({ documents, chunker: chunkers.create('sentences(per=2)') });
    const trace = await ask('chain', { engine }, question);
    assert.deepEqual(JSON.parse(outputs(trace, 'plan')[0]!).subQuestions, [question]);
    const plain = await ask('fixed-top-k(k=5)', { engine }, question);
    assert.deepEqual(trace.ranking, plain.ranking);
  });

  test('of a question that names a source the clauses take no place from the question', async () => {
    const documents = WORLD.map((document, at) => ({
      ...document,
      metadata: { source: at % 2 === 0 ? 'Tarn Gazette' : 'Coast Courier' },
    }));
    const engine = new EmbeddedEngine({ documents });
    const question =
      'Did the Tarn Gazette write about The Lamp, and the Coast Courier about glass?';
    const trace = await ask('chain', { engine }, question);
    assert.equal(JSON.parse(outputs(trace, 'plan')[0]!).by, 'clauses');
    const plain = await ask('fixed-top-k(k=5)', { engine }, question);
    assert.deepEqual(trace.ranking.slice(0, 5), plain.ranking.slice(0, 5));
  });

  test('a question answerer reads sub-questions if it is named', async () => {
    const asked: string[] = [];
    const answerer: QuestionAnswerer = {
      id: 'qa',
      async answer(question, text) {
        asked.push(question);
        const start = text.indexOf('Bo Lind');
        return { spans: start < 0 ? [] : [{ start, end: start + 7, score: 3 }], none: 1 };
      },
    };
    const trace = await ask('chain(answerer=qa)', {
      resources: { 'question-answerer': [answerer] },
    });
    assert.ok(asked.includes('the director of The Lamp'));
    assert.equal(records(trace)[1]!['rewritten'], 'Where was Bo Lind born?');
  });

  test('replays the sub-questions of a data set, each reference completed by its answer', async () => {
    const recorded = readRecordedSubQuestions([
      { question: QUESTION, subQuestions: ['The Lamp >> director', '#1 >> place of birth'] },
    ]);
    const family = strategiesWith(metadataExtractors, recorded);
    const trace = await ask(family.create('chain(split=replayed)'));
    assert.deepEqual(
      records(trace).map(({ original, rewritten }) => [original, rewritten]),
      [
        ['The Lamp >> director', 'The Lamp >> director'],
        ['it >> place of birth', 'Ines Quill >> place of birth'],
      ],
    );
    const other = await ask(family.create('chain(split=replayed)'), {}, 'Who is Bo Lind?');
    assert.ok(outputs(other, 'degraded').some(text => text.startsWith('No recorded')));
    await assert.rejects(ask('chain(split=replayed)'), { code: 'no-sub-questions' });
  });
});

describe('the probe', () => {
  test('searches passages for each sub-question as it was written and as it was completed', async () => {
    const trace = await ask('chain(probe=true)');
    const probes = outputs(trace, 'probe').map(text => JSON.parse(text));
    assert.deepEqual(
      probes.map(({ number, written, original, rewritten }) => [
        number,
        written,
        original,
        rewritten,
      ]),
      [
        [1, ...Array(3).fill('the director of The Lamp')],
        [2, 'Where was #1 born?', 'Where was this director born?', 'Where was Ines Quill born?'],
      ],
    );
    const hops = trace.hops.filter(({ outputs: each = [] }) =>
      each.some(({ role }) => role === 'probe'),
    );
    for (const [at, { original, rewritten, searches }] of probes.entries())
      for (const [name, text] of [
        ['original', original],
        ['rewritten', rewritten],
      ]) {
        const search = hops[at]!.searches[searches[name]]!;
        assert.deepEqual([search.unit, search.text], ['passage', text]);
      }
    const plain = await ask('chain');
    assert.deepEqual([plain.ranking, kept(plain)], [trace.ranking, kept(trace)]);
  });
});

test('a model that fails leaves rules and evidence', async () => {
  const trace = await ask('chain', { resources: { model: failingModel } });
  assert.ok(trace.evidence.length > 0);
  assert.equal(JSON.parse(outputs(trace, 'plan')[0]!).by, 'chain');
});

test('settings that ask no model plan no call, others plan each role', () => {
  assert.deepEqual(strategies.create('chain(by=rules)').modelCalls, []);
  const plan = (name: string): (readonly [string, number])[] =>
    (strategies.create(name).modelCalls ?? []).map(({ role, atMost }) => [role, atMost] as const);
  assert.deepEqual(plan('chain(parts=2, judgeMultiHop=true)'), [
    ['judgeMultiHop', 2],
    ['decompose', 2],
    ['rewrite', 2],
    ['summarise', 2],
    ['subAnswer', 12],
    ['finalAnswer', 2],
  ]);
  assert.deepEqual(
    plan('chain(parts=1, graph=false, answer=reader)').map(([role]) => role),
    ['decompose', 'subAnswer'],
  );
});
