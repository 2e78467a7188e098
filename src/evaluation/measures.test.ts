import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { defined } from '../core/defined.ts';
import type { Answer, EvidenceItem, Trace } from '../core/trace/trace.ts';
import { DEFAULT_MEASURES, mainMeasureNames } from './default-measures.ts';
import { emptyTrace } from './empty-trace.ts';
import type { Example, Gold, Records } from './example.ts';
import { measure, measures } from './measures.ts';
import { answerF1, exactMatch } from './token-overlap.ts';
import { valueOfScores } from './value-of-scores.ts';

const row = { strategy: 's', retriever: 'lexical(s1)', context: 'whole', reader: 'r', budget: {} };
const records: Records = { text: id => documents[id] ?? '' };
const documents: Record<string, string> = {
  p1: 'xx A yy',
  p2: 'again A',
  p3: 'here B at last',
  p4: 'nothing',
};

const gold = (...ids: string[]): Gold[] =>
  ids.map(documentId => ({
    documentId,
    title: documentId.toUpperCase(),
    fact: `Fact of ${documentId}.`,
  }));
function example(type: string, answer: string, evidence: readonly Gold[]): Example {
  return { id: 'q', question: { id: 'q', text: 'Q?' }, answers: [answer], type, gold: evidence };
}
function traceOf(found: readonly string[], more: Partial<Trace> = {}): Trace {
  const evidence = found.map(documentId => ({
    id: documentId,
    documentId,
    title: documentId.toUpperCase(),
    metadata: {},
    score: 1,
    spans: [],
  }));
  return { ...emptyTrace({ id: 'q', text: 'Q?' }, row), evidence, ranking: found, ...more };
}
const score = (name: string, asked: Example, trace: Trace): unknown =>
  measure(name).score(asked, trace, records);
const saying = (text: string): Trace =>
  traceOf([], { answer: { kind: 'answered', text, citations: [] } });

test('retrieval-conditioned EM: hand-worked', () => {
  const em = 'RetrievalConditionedEM(answerable)';
  assert.equal(
    score(em, example('comparison', 'Yes', gold('a', 'b', 'c')), traceOf(['a', 'b'])),
    0,
  );
  const chain = example('inference', 'X', gold('a', 'b', 'c', 'd'));
  assert.equal(score(em, chain, traceOf(['a', 'd'])), 1);
  assert.equal(score(em, chain, traceOf(['a', 'b', 'c'])), 0);
  // The last gold document is the last of the unique list: a comes again at the end, so b is last.
  assert.equal(score(em, example('inference', 'X', gold('a', 'b', 'a')), traceOf(['b'])), 1);
  assert.equal(
    score(em, example('comparison', 'no', gold('a', 'b', 'c', 'd')), traceOf(['a', 'b', 'c'])),
    1,
    'tauHigh',
  );
  assert.equal(
    score(em, example('comparison', 'Apple', gold('a', 'b', 'c', 'd')), traceOf(['a', 'b', 'c'])),
    0,
  );
  assert.equal(score(em, example('bridge', 'X', gold('a'))!, traceOf(['a'])), undefined);
});

const searched = (best: number, found: readonly string[] = [], retriever = 'lexical(s1)'): Trace =>
  traceOf(found, {
    retriever,
    hops: [
      {
        searches: [
          {
            retriever,
            unit: 'document',
            hits: [{ id: 'a', documentId: 'a', start: 0, end: 1, score: best }],
          },
        ],
        kept: [],
        rejected: [],
        spent: {},
      },
    ],
  });

test('the null threshold applies to lexical(s1) and reads the first search only', () => {
  const none = example('null', 'Insufficient information.', []);
  const some = example('temporal', 'no', gold('a'));
  assert.equal(score('RetrievalConditionedEM(paper)', none, searched(0.2499)), 1);
  assert.equal(score('RetrievalConditionedEM(paper)', none, searched(0.25)), 0);
  assert.equal(
    score('RetrievalConditionedEM(paper)', some, searched(0.1, ['a'])),
    1,
    'the paper never refuses an answerable question',
  );
  assert.equal(score('RetrievalConditionedEM(honest)', some, searched(0.1, ['a'])), 0);
  assert.equal(score('RetrievalConditionedEM(answerable)', none, searched(0.1)), undefined);
  for (const reading of ['paper', 'honest'])
    assert.equal(
      score(`RetrievalConditionedEM(${reading})`, some, searched(9, ['a'], 'lexical')),
      undefined,
    );
  assert.equal(
    score('RetrievalConditionedEM(paper)', none, traceOf([])),
    0,
    'no search, no refusal',
  );
});

test('recall counts distinct gold documents, at a cut-off in the ranking', () => {
  const asked = example('inference', 'X', gold('a', 'b', 'a', 'c'));
  const trace = traceOf(['x', 'a', 'c']);
  assert.equal(score('EvidenceRecall', asked, trace), 2 / 3);
  assert.equal(score('EvidenceRecall@1', asked, trace), 0);
  assert.equal(score('EvidenceRecall@2', asked, trace), 1 / 3);
  assert.equal(score('ReciprocalRank', asked, trace), 1 / 2);
  assert.equal(score('ReciprocalRank', asked, traceOf(['x'])), 0);
  assert.equal(score('EvidenceRecall', example('null', '', []), trace), undefined);
});

test('FactRecall finds facts in the context; a fact listed twice counts twice', () => {
  const asked = example('inference', 'X', gold('a', 'b', 'a'));
  const context = { name: 'c', text: 'Before. “Fact  of\na” - after', tokens: 5, parts: [] };
  assert.equal(score('FactRecall', asked, traceOf(['a', 'b'], { context })), 2 / 3);
  assert.equal(score('AllFacts', asked, traceOf(['a', 'b'], { context })), 0);
  assert.equal(score('GroundedRecall', asked, traceOf(['a', 'b'], { context })), 1 / 2);
  assert.equal(
    score('GroundedRecall', asked, traceOf(['b'], { context })),
    0,
    'a stated fact without its document in the evidence grounds nothing',
  );
  assert.equal(
    score('GroundedEM', example('inference', 'X', gold('a')), traceOf(['a'], { context })),
    1,
  );
  const inside = { ...context, text: 'An artefact of art.' };
  assert.equal(
    score(
      'FactRecall',
      example('inference', 'X', [{ documentId: 'a', title: '', fact: 'fact of ar' }]),
      traceOf(['a'], { context: inside }),
    ),
    0,
  );
});

const passages = (...ids: string[]): Trace =>
  traceOf([], {
    hops: [
      {
        searches: [
          { retriever: 'r', unit: 'passage', hits: [] },
          {
            retriever: 'r',
            unit: 'passage',
            hits: ids.map((id, i) => ({
              id: `${id}#0`,
              documentId: id,
              start: 0,
              end: documents[id]!.length,
              score: 9 - i,
            })),
          },
          { retriever: 'r', unit: 'document', hits: [] },
        ],
        kept: [],
        rejected: [],
        spent: {},
      },
    ],
  });
const letters = example('inference', 'X', [
  { documentId: 'p1', title: '', fact: 'A' },
  { documentId: 'p3', title: '', fact: 'B' },
]);

test('MAP: hand-worked', () => {
  const trace = passages('p1', 'p2', 'p3');
  assert.equal(score('MAP@10(official)', letters, trace), (1 + 0 + 1 / 3) / 2);
  assert.equal(score('MAP@10(standard)', letters, trace), (1 + 0 + 2 / 3) / 2);
  const twice = example('inference', 'X', [...letters.gold, letters.gold[0]!]);
  assert.equal(
    score('MAP@10(official)', twice, trace),
    (1 + 1 / 3) / 3,
    'listed twice, found once',
  );
});

test('passage measures read the last passage search, and nothing else', () => {
  const trace = passages('p4', 'p2', 'p1', 'p3');
  assert.equal(score('MRR@10', letters, trace), 1 / 2);
  assert.equal(score('Hits@1', letters, trace), 0);
  assert.equal(score('Hits@4', letters, trace), 1);
  assert.equal(score('PassageRecall@3', letters, trace), 1 / 2);
  assert.equal(score('PassageF1@4', letters, trace), (2 * 0.75 * 1) / 1.75);
  assert.equal(score('Hits@4', letters, traceOf([])), undefined);
  assert.equal(score('Hits@4', letters, passages()), 0);
});

const kept = (...ids: string[]): EvidenceItem[] =>
  ids.map(id => ({ id, documentId: id, search: { hop: 0, search: 0 }, score: 1 }));
const hop = (...ids: string[]): Trace['hops'][number] => ({
  searches: [],
  kept: kept(...ids),
  rejected: [],
  spent: {},
});

test('hops: D_r is a union, and carried forward', () => {
  const asked = example('inference', 'X', gold('a', 'b', 'c'));
  const trace = traceOf([], { hops: [hop('a', 'x'), hop('b', 'a')] });
  assert.equal(score('HopPrecision@1', asked, trace), 1 / 2);
  assert.equal(score('HopRecall@1', asked, trace), 1 / 3);
  assert.equal(score('HopPrecision@2', asked, trace), 2 / 3);
  assert.equal(score('HopF1@2(macro)', asked, trace), 2 / 3);
  const single = traceOf([], { hops: [hop('a')] });
  for (const name of ['HopPrecision', 'HopRecall'])
    assert.equal(score(`${name}@3`, asked, single), score(`${name}@1`, asked, single));
  assert.equal(score('HopF1@1(macro)', asked, traceOf([])), 0, 'an empty D_r');
});

test('F1 of means is not the mean of F1: the comparison TreeHop row, hop 1', () => {
  // P 0.3115, R 0.4860, F1 0.3797 as the Group-8 comparison prints them (its Table 4).
  const f1 = measure('HopF1@1(of-means)');
  const found = valueOfScores(f1, [{ precision: 0.3115, recall: 0.486 }])!;
  assert.equal(found.value.toFixed(4), '0.3797');
  assert.deepEqual(
    valueOfScores(f1, [
      { precision: 1, recall: 0 },
      { precision: 0, recall: 1 },
    ]),
    { value: 0.5, n: 2 },
  );
});

test('null questions in hop measures are skipped, 1 or 0', () => {
  const none = example('null', '', []);
  assert.deepEqual(
    ['', '(nulls=one)', '(nulls=zero)'].map(option =>
      score(`HopRecall@1${option}`, none, traceOf(['a'])),
    ),
    [undefined, 1, 0],
  );
});

test('assigns kept passages to facts by their hits or spans', () => {
  const trace = passages('p2', 'p4', 'p3');
  const hops = [
    {
      ...trace.hops[0]!,
      kept: ['p2', 'p4'].map(id => ({
        id: `${id}#0`,
        documentId: id,
        search: { hop: 0, search: 1 },
        score: 1,
      })),
    },
  ];
  assert.equal(score('HopPrecision@1(unit=fact)', letters, { ...trace, hops }), 1 / 2);
  assert.equal(score('HopRecall@1(unit=fact)', letters, { ...trace, hops }), 1 / 2);
  const spans = [
    {
      ...hops[0]!,
      kept: [
        {
          id: 'k',
          documentId: 'p3',
          search: { hop: 0, search: 0 },
          score: 1,
          spans: [[5, 6] as const],
        },
      ],
    },
  ];
  assert.equal(score('HopRecall@1(unit=fact)', letters, { ...trace, hops: spans }), 1 / 2);
});

test('EM and F1: hand-worked', () => {
  const name = example('inference', 'Sam Bankman-Fried', gold('a'));
  assert.equal(score('AnswerEM(hotpot)', name, saying('The Sam Bankman-Fried.')), 1);
  const yes = example('comparison', 'yes', gold('a'));
  assert.equal(score('AnswerF1(hotpot)', yes, saying('yes it is')), 0);
  assert.equal(score('AnswerF1(longbench)', yes, saying('yes it is')), 0.5);
  const aliases = { ...name, answers: ['Somebody', 'Sam Bankman Fried'] };
  assert.equal(score('AnswerF1(hotpot)', aliases, saying('Sam Fried')), 0.8);
});

test('F1 is never below EM, under every rule', () => {
  const word = fc.constantFrom('yes', 'no', 'the', 'a', 'Sam', 'Fried', '.', '', 'noanswer');
  const text = fc.array(word, { maxLength: 4 }).map(words => words.join(' '));
  for (const rule of ['hotpot', 'squad', 'longbench'] as const)
    fc.assert(
      fc.property(text, text, (p, g) => assert.ok(answerF1(p, g, rule) >= exactMatch(p, g, rule))),
    );
});

test('EM and F1 agree with a slow and obvious oracle', () => {
  const strip = (s: string): string[] => {
    const bare = [...s.toLowerCase()]
      .filter(c => !'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'.includes(c))
      .join('');
    return bare.split(' ').filter(w => w !== '' && !['a', 'an', 'the'].includes(w));
  };
  const word = fc.constantFrom('yes', 'no', 'the', 'red', 'Red.', 'fox', 'an', 'b-c');
  const text = fc.array(word, { minLength: 1, maxLength: 5 }).map(words => words.join(' '));
  fc.assert(
    fc.property(text, text, (p, g) => {
      const [left, right] = [strip(p), strip(g)];
      const rest = [...right];
      const common = left.filter(
        token => rest.includes(token) && rest.splice(rest.indexOf(token), 1),
      ).length;
      const f1 = common === 0 ? 0 : (2 * common) / (left.length + right.length);
      assert.ok(Math.abs(answerF1(p, g, 'longbench') - f1) < 1e-12);
      assert.equal(
        exactMatch(p, g, 'longbench'),
        Number(left.length > 0 && left.join(' ') === right.join(' ')),
      );
    }),
  );
});

test('QaAccuracy follows the official rule, and two variants repair its faults', () => {
  const rules = ['official', 'strict', 'clean'] as const;
  const right = (answer: string, said: string): unknown[] =>
    rules.map(rule =>
      score(`QaAccuracy(${rule})`, example('comparison', answer, []), saying(said)),
    );
  assert.deepEqual(right('The Verge', 'the end'), [1, 0, 0]); // any shared stop word
  assert.deepEqual(right('no', 'no.'), [0, 1, 1]); // punctuation is kept by the script
  assert.deepEqual(right('Yes', 'x. The answer to the question is "yes"'), [1, 1, 1]);
  assert.deepEqual(right('Sam Bankman-Fried', 'It was Sam Bankman-Fried again'), [1, 1, 1]);
  assert.deepEqual(right('Sam', 'one two three four five six seven eight Sam'), [1, 0, 1]); // strict: at most 8 tokens
  assert.deepEqual(right('Sam', 'one two three four five six seven Sam'), [1, 1, 1]);
  assert.deepEqual(right('Yes', 'yesterday'), [0, 0, 0]);
  assert.deepEqual(right('The', 'an'), [0, 0, 0]); // nothing is no answer
});

test('QaAccuracy: 39 of 50 is 0.78, not the buggy 0.6944', () => {
  const scores = Array.from({ length: 50 }, (_, i) =>
    score('QaAccuracy(official)', example('comparison', 'Yes', []), saying(i < 39 ? 'yes' : 'no')),
  );
  assert.deepEqual(valueOfScores(measure('QaAccuracy(official)'), scores as number[]), {
    value: 0.78,
    n: 50,
  });
});

test('reads abstentions from the answer', () => {
  const none = example('null', 'Insufficient information.', []);
  const some = example('inference', 'X', gold('a'));
  const silent = traceOf([], { answer: { kind: 'abstained', reason: 'support' } });
  assert.equal(score('AbstainedNull', none, silent), 1);
  assert.equal(score('AbstainedNull', none, saying('insufficient information')), 1);
  assert.equal(score('AbstainedNull', none, saying('Yes')), 0);
  assert.equal(score('AbstainedNull', some, silent), undefined);
  assert.equal(score('RefusedAnswerable', some, silent), 1);
  assert.equal(score('QaAccuracy(official)', none, silent), 1);
  const shown = traceOf([], { answer: { kind: 'evidence', text: 'Fact', citations: [] } });
  for (const name of ['AbstainedNull', 'QaAccuracy(strict)', 'AnswerEM', 'AnswerF1'])
    assert.equal(score(name, none, shown), undefined, name);
  assert.equal(score('RefusedAnswerable', some, shown), undefined);
});

test('TypeF1: per class, then macro and weighted', () => {
  // gold a a a b, predicted a a b b: a: P 1, R 2/3, F1 .8; b: P 1/2, R 1, F1 2/3.
  const pairs = [
    ['a', 'a'],
    ['a', 'a'],
    ['a', 'b'],
    ['b', 'b'],
  ];
  for (const [name, value] of [
    ['macro', (0.8 + 2 / 3) / 2],
    ['weighted', (3 * 0.8 + 2 / 3) / 4],
  ] as const) {
    const typeF1 = measure(`TypeF1(${name})`);
    const scores = pairs.map(([type, predictedType]) =>
      typeF1.score(example(type!, '', []), traceOf([], { predictedType: predictedType! }), records),
    );
    assert.ok(Math.abs(valueOfScores(typeF1, scores)!.value - value) < 1e-12);
  }
  // A class that is only predicted costs the others precision or recall, but has no F1 of its own.
  const strange = measure('TypeF1(macro)').score(
    example('a', '', []),
    traceOf([], { predictedType: 'x' }),
    records,
  );
  const right = measure('TypeF1(macro)').score(
    example('a', '', []),
    traceOf([], { predictedType: 'a' }),
    records,
  );
  assert.equal(valueOfScores(measure('TypeF1(macro)'), [strange, right])!.value, 2 / 3);
  assert.equal(score('TypeF1(macro)', example('a', '', []), traceOf([])), undefined);
  // The type that the reader states counts before the type that was predicted without evidence.
  const answer = { kind: 'abstained', reason: 'nothing', questionType: 'a' } as const;
  assert.equal(
    valueOfScores(measure('TypeF1(macro)'), [
      measure('TypeF1(macro)').score(
        example('a', '', []),
        traceOf([], { predictedType: 'x', answer }),
        records,
      ),
    ])!.value,
    1,
  );
});

test('gold sentences count when the context shows them whole', () => {
  const asked: Example = {
    ...letters,
    gold: [
      { documentId: 'p3', title: '', span: [4, 9] },
      { documentId: 'p1', title: '', span: [0, 4] },
    ],
  };
  const part = (spans: [number, number][], documentId = 'p3'): Trace =>
    traceOf([], {
      context: {
        name: '',
        text: '',
        tokens: 0,
        parts: [{ id: '', documentId, start: 0, end: 0, spans }],
      },
    });
  assert.equal(
    score(
      'SentenceRecall',
      asked,
      part([
        [0, 6],
        [7, 14],
      ]),
    ),
    1 / 2,
    'white space between spans is no gap',
  );
  assert.equal(
    score('SentenceRecall', asked, part([[5, 9]])),
    1 / 2,
    'nor is white space at the ends of the sentence',
  );
  assert.equal(
    score(
      'SentenceRecall',
      asked,
      part([
        [0, 5],
        [6, 14],
      ]),
    ),
    0,
  );
  assert.equal(score('SentenceRecall', asked, part([[0, 14]], 'p1')), 1 / 2);
});

test('white space at the end of a gold sentence need not be shown', () => {
  const asked: Example = { ...letters, gold: [{ documentId: 'p3', title: '', span: [5, 7] }] };
  const context = {
    name: '',
    text: '',
    tokens: 0,
    parts: [{ id: '', documentId: 'p3', start: 0, end: 0, spans: [[5, 6] as const] }],
  };
  assert.equal(score('SentenceRecall', asked, traceOf([], { context })), 1);
});

test('recall by title pools or averages; any paragraph with the title counts', () => {
  const titled: Records = {
    text: () => '',
    title: id => ({ a1: 'A', a2: 'A', b1: 'B' })[id] ?? '',
  };
  const asked: Example = {
    ...letters,
    gold: [
      { documentId: 'a1', title: 'A' },
      { documentId: 'b1', title: 'B' },
    ],
  };
  const trace = traceOf(['a2', 'x']);
  assert.deepEqual(measure('TitleRecall@1(micro)').score(asked, trace, titled), {
    numerator: 1,
    denominator: 2,
  });
  assert.equal(measure('TitleRecall@1').score(asked, trace, titled), 1 / 2);
  assert.deepEqual(measure('ParagraphRecall@1').score(asked, trace, titled), {
    numerator: 0,
    denominator: 2,
  });
  const micro = valueOfScores(measure('TitleRecall@1(micro)'), [
    { numerator: 1, denominator: 2 },
    { numerator: 4, denominator: 4 },
  ]);
  assert.deepEqual(micro, { value: 5 / 6, n: 2 });
});

test('EMPer100Tokens is mean EM over mean tokens', () => {
  const asked = example('inference', 'X', gold('a'));
  const context = (tokens: number): Trace['context'] => ({ name: '', text: '', tokens, parts: [] });
  const perTokens = measure('EMPer100Tokens');
  const scores = [
    perTokens.score(asked, traceOf(['a'], { context: context(300) }), records),
    perTokens.score(asked, traceOf([], { context: context(100) }), records),
  ];
  assert.deepEqual(valueOfScores(perTokens, scores), { value: (100 * 0.5) / 200, n: 2 });
});

test('declares which of the usual measures are compared', () => {
  const usual = DEFAULT_MEASURES.map(measure);
  const asked = [example('inference', 'X', gold('a'))];
  const compared = mainMeasureNames(asked, usual);
  assert.ok(
    compared.includes('FactRecall') && compared.every(name => DEFAULT_MEASURES.includes(name)),
  );
  assert.deepEqual(mainMeasureNames(asked, [measure('Hits@4')]), ['Hits@4']);
  const ranked = mainMeasureNames([{ ...asked[0]!, answers: [] }], usual);
  assert.ok(ranked.includes('NDCG@10') && !ranked.includes('FactRecall'));
});

test('names: cut-offs, options, canonical forms', () => {
  assert.equal(measure('EvidenceRecall@4').name, 'EvidenceRecall@4');
  assert.equal(measure('MAP@10(official)').name, 'MAP@10(official)');
  assert.equal(
    measures.canonical('HopF1@2(of-means, nulls=skip, unit=fact)'),
    'HopF1@2(of-means, unit=fact)',
  );
  assert.equal(measures.canonical('AnswerEM'), 'AnswerEM(hotpot)');
  for (const name of DEFAULT_MEASURES) assert.equal(measure(name).name, name);
  assert.equal(DEFAULT_MEASURES.length, new Set(DEFAULT_MEASURES).size);
  assert.ok(measures.members.every(({ summary }) => summary.length > 10));
});

test('unknown names name the nearest', () => {
  assert.throws(() => measure('EvidenceRecal@4'), /Did you mean EvidenceRecall@4/);
  assert.throws(() => measure('FactRecal'), /Did you mean FactRecall/);
  assert.throws(() => measure('FactRecall@4'), /takes no cut-off/);
  assert.throws(() => measure('Hits'), /needs a cut-off.*Hits@4/);
  assert.throws(() => measure('Hits@0'), /at least 1/);
  assert.throws(() => measure('MAP@10(offical)'), /Did you mean official/);
  assert.throws(() => measure('HopF1@r'), /needs a cut-off/);
});

test('calls, tokens and unsupported answers have a value only for runs with a model', () => {
  const asked = example('inference', 'X', gold('a'));
  const answered = (unsupported?: string[]): Trace => {
    const answer = defined<Answer>({ kind: 'answered', text: 'X', citations: [], unsupported });
    return traceOf(['a'], { answer, spent: { modelCalls: 2, modelTokens: 310 } });
  };
  const scores = (trace: Trace): unknown[] =>
    ['ModelCalls', 'ModelTokens', 'UnsupportedAnswers'].map(name => score(name, asked, trace));
  assert.deepEqual(scores(answered()), [2, 310, 0]);
  assert.deepEqual(scores(answered(['X'])), [2, 310, 1]);
  assert.deepEqual(scores(saying('X')), [undefined, undefined, undefined]);
  // Money only where there is a price.
  const paid = { model: { id: 'm', price: { input: 1, output: 2 } } };
  const usd = (trace: Trace): unknown => score('Usd', asked, trace);
  assert.deepEqual(
    [usd(answered()), usd(traceOf([], { spent: { modelCalls: 1, usd: 0.5 } }))],
    [undefined, 0.5],
  );
  assert.deepEqual(
    [usd(traceOf([], { manifest: paid })), usd(traceOf([], { manifest: { model: { id: 'm' } } }))],
    [0, undefined],
  );
  // Pairs of rerankers: none where there was none, 0 where one was there and not asked.
  const pairs = [
    {},
    { spent: { rerankedPairs: 24 } },
    { manifest: { resources: { reranker: { toy: 'toy' } } } },
  ];
  assert.deepEqual(
    pairs.map(more => score('RerankedPairs', asked, traceOf([], more))),
    [undefined, 24, 0],
  );
  // A model was there, and the budget or the strategy left it out.
  assert.deepEqual(scores(traceOf([], { manifest: { model: { id: 'm' } } })), [0, 0, undefined]);
});
