import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { defined } from '../core/defined.ts';
import type { Answer, EvidenceItem, Hop, Search, Trace } from '../core/trace/trace.ts';
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

const hitOf = (id: string, score: number, end: number): Search['hits'][number] => ({
  id,
  documentId: id,
  start: 0,
  end,
  score,
});
const hopOf = (...searches: Search[]): Hop => ({ searches, kept: [], rejected: [], spent: {} });

type Case = readonly [measure: string, asked: Example, trace: Trace, value: unknown, why?: string];

/** Hand-worked values. */
const worked = (name: string, cases: readonly Case[]) =>
  test(name, () => {
    for (const [measured, asked, trace, value, why] of cases)
      assert.deepEqual(score(measured, asked, trace), value, why ?? measured);
  });

const none = example('null', 'Insufficient information.', []);
const answerable = example('inference', 'X', gold('a'));
const abc = example('inference', 'X', gold('a', 'b', 'c'));
const abcd = (type: string, answer: string): Example =>
  example(type, answer, gold('a', 'b', 'c', 'd'));
const CONDITIONED = 'RetrievalConditionedEM(answerable)';
worked('retrieval-conditioned EM', [
  [CONDITIONED, example('comparison', 'Yes', gold('a', 'b', 'c')), traceOf(['a', 'b']), 0],
  [CONDITIONED, abcd('inference', 'X'), traceOf(['a', 'd']), 1],
  [CONDITIONED, abcd('inference', 'X'), traceOf(['a', 'b', 'c']), 0],
  // The last gold document is the last of the unique list: a comes again at the end, so b is last.
  [CONDITIONED, example('inference', 'X', gold('a', 'b', 'a')), traceOf(['b']), 1],
  [CONDITIONED, abcd('comparison', 'no'), traceOf(['a', 'b', 'c']), 1, 'tauHigh'],
  [CONDITIONED, abcd('comparison', 'Apple'), traceOf(['a', 'b', 'c']), 0],
  [CONDITIONED, example('bridge', 'X', gold('a')), traceOf(['a']), undefined],
]);

const searched = (best: number, found: readonly string[] = [], retriever = 'lexical(s1)'): Trace =>
  traceOf(found, {
    retriever,
    hops: [hopOf({ retriever, unit: 'document', hits: [hitOf('a', best, 1)] })],
  });
const [PAPER, HONEST] = ['RetrievalConditionedEM(paper)', 'RetrievalConditionedEM(honest)'];
const some = example('temporal', 'no', gold('a'));
worked('the null threshold applies to lexical(s1) and reads the first search only', [
  [PAPER, none, searched(0.2499), 1],
  [PAPER, none, searched(0.25), 0],
  [PAPER, some, searched(0.1, ['a']), 1, 'the paper never refuses an answerable question'],
  [HONEST, some, searched(0.1, ['a']), 0],
  [CONDITIONED, none, searched(0.1), undefined],
  [PAPER, some, searched(9, ['a'], 'lexical'), undefined],
  [HONEST, some, searched(9, ['a'], 'lexical'), undefined],
  [PAPER, none, traceOf([]), 0, 'no search, no refusal'],
]);

const abac = example('inference', 'X', gold('a', 'b', 'a', 'c'));
worked('recall counts distinct gold documents, at a cut-off in the ranking', [
  ['EvidenceRecall', abac, traceOf(['x', 'a', 'c']), 2 / 3],
  ['EvidenceRecall@1', abac, traceOf(['x', 'a', 'c']), 0],
  ['EvidenceRecall@2', abac, traceOf(['x', 'a', 'c']), 1 / 3],
  ['ReciprocalRank', abac, traceOf(['x', 'a', 'c']), 1 / 2],
  ['ReciprocalRank', abac, traceOf(['x']), 0],
  ['EvidenceRecall', none, traceOf(['x', 'a', 'c']), undefined],
]);

const saysA = { name: 'c', text: 'Before. “Fact  of\na” - after', tokens: 5, parts: [] };
const artefact = { ...saysA, text: 'An artefact of art.' };
const aba = example('inference', 'X', gold('a', 'b', 'a'));
const inWord = example('inference', 'X', [{ documentId: 'a', title: '', fact: 'fact of ar' }]);
worked('FactRecall finds facts in the context; a fact listed twice counts twice', [
  ['FactRecall', aba, traceOf(['a', 'b'], { context: saysA }), 2 / 3],
  ['AllFacts', aba, traceOf(['a', 'b'], { context: saysA }), 0],
  ['GroundedRecall', aba, traceOf(['a', 'b'], { context: saysA }), 1 / 2],
  ['GroundedRecall', aba, traceOf(['b'], { context: saysA }), 0, 'a fact without its document'],
  ['GroundedEM', answerable, traceOf(['a'], { context: saysA }), 1],
  ['FactRecall', inWord, traceOf(['a'], { context: artefact }), 0],
]);

const passages = (...ids: string[]): Trace => {
  const hits = ids.map((id, i) => ({ ...hitOf(id, 9 - i, documents[id]!.length), id: `${id}#0` }));
  const search = (unit: 'passage' | 'document', found: Search['hits'] = []): Search => ({
    retriever: 'r',
    unit,
    hits: found,
  });
  return traceOf([], {
    hops: [hopOf(search('passage'), search('passage', hits), search('document'))],
  });
};
const letters = example('inference', 'X', [
  { documentId: 'p1', title: '', fact: 'A' },
  { documentId: 'p3', title: '', fact: 'B' },
]);
const twice = example('inference', 'X', [...letters.gold, letters.gold[0]!]);
worked('passage measures read the last passage search, and nothing else', [
  ['MAP@10(official)', letters, passages('p1', 'p2', 'p3'), (1 + 0 + 1 / 3) / 2],
  ['MAP@10(standard)', letters, passages('p1', 'p2', 'p3'), (1 + 0 + 2 / 3) / 2],
  ['MAP@10(official)', twice, passages('p1', 'p2', 'p3'), (1 + 1 / 3) / 3, 'twice, found once'],
  ['MRR@10', letters, passages('p4', 'p2', 'p1', 'p3'), 1 / 2],
  ['Hits@1', letters, passages('p4', 'p2', 'p1', 'p3'), 0],
  ['Hits@4', letters, passages('p4', 'p2', 'p1', 'p3'), 1],
  ['PassageRecall@3', letters, passages('p4', 'p2', 'p1', 'p3'), 1 / 2],
  ['PassageF1@4', letters, passages('p4', 'p2', 'p1', 'p3'), (2 * 0.75 * 1) / 1.75],
  ['Hits@4', letters, traceOf([]), undefined],
  ['Hits@4', letters, passages(), 0],
]);

const hop = (...ids: string[]): Hop => ({
  ...hopOf(),
  kept: ids.map(id => ({ id, documentId: id, search: { hop: 0, search: 0 }, score: 1 })),
});
const twoHops = traceOf([], { hops: [hop('a', 'x'), hop('b', 'a')] });
const oneHop = traceOf([], { hops: [hop('a')] });
worked('hops: D_r is a union, and carried forward; null questions are skipped, 1 or 0', [
  ['HopPrecision@1', abc, twoHops, 1 / 2],
  ['HopRecall@1', abc, twoHops, 1 / 3],
  ['HopPrecision@2', abc, twoHops, 2 / 3],
  ['HopF1@2(macro)', abc, twoHops, 2 / 3],
  ['HopPrecision@3', abc, oneHop, 1],
  ['HopRecall@3', abc, oneHop, 1 / 3],
  ['HopF1@1(macro)', abc, traceOf([]), 0, 'an empty D_r'],
  ['HopRecall@1', none, traceOf(['a']), undefined],
  ['HopRecall@1(nulls=one)', none, traceOf(['a']), 1],
  ['HopRecall@1(nulls=zero)', none, traceOf(['a']), 0],
]);

const keptOf = (id: string, search: number, more: Partial<EvidenceItem> = {}): EvidenceItem => ({
  id: `${id}#0`,
  documentId: id,
  search: { hop: 0, search },
  score: 1,
  ...more,
});
const keeping = (...kept: EvidenceItem[]): Trace => {
  const trace = passages('p2', 'p4', 'p3');
  return { ...trace, hops: [{ ...trace.hops[0]!, kept }] };
};
const bySpan = keeping(keptOf('p3', 0, { spans: [[5, 6]] }));
worked('kept passages are assigned to facts by their hits or spans', [
  ['HopPrecision@1(unit=fact)', letters, keeping(keptOf('p2', 1), keptOf('p4', 1)), 1 / 2],
  ['HopRecall@1(unit=fact)', letters, keeping(keptOf('p2', 1), keptOf('p4', 1)), 1 / 2],
  ['HopRecall@1(unit=fact)', letters, bySpan, 1 / 2],
]);

const bankman = example('inference', 'Sam Bankman-Fried', gold('a'));
const aliases = { ...bankman, answers: ['Somebody', 'Sam Bankman Fried'] };
const yes = example('comparison', 'yes', gold('a'));
const silent = traceOf([], { answer: { kind: 'abstained', reason: 'support' } });
const shown = traceOf([], { answer: { kind: 'evidence', text: 'Fact', citations: [] } });
worked('answers and abstentions', [
  ['AnswerEM(hotpot)', bankman, saying('The Sam Bankman-Fried.'), 1],
  ['AnswerF1(hotpot)', yes, saying('yes it is'), 0],
  ['AnswerF1(longbench)', yes, saying('yes it is'), 0.5],
  ['AnswerF1(hotpot)', aliases, saying('Sam Fried'), 0.8],
  ['AbstainedNull', none, silent, 1],
  ['AbstainedNull', none, saying('insufficient information'), 1],
  ['AbstainedNull', none, saying('Yes'), 0],
  ['AbstainedNull', answerable, silent, undefined],
  ['RefusedAnswerable', answerable, silent, 1],
  ['QaAccuracy(official)', none, silent, 1],
  ['AbstainedNull', none, shown, undefined],
  ['QaAccuracy(strict)', none, shown, undefined],
  ['AnswerEM', none, shown, undefined],
  ['AnswerF1', none, shown, undefined],
  ['RefusedAnswerable', answerable, shown, undefined],
]);

test('F1 of means is not the mean of F1: the comparison TreeHop row, hop 1', () => {
  // P 0.3115, R 0.4860, F1 0.3797 as the Group-8 comparison prints them (its Table 4).
  const f1 = measure('HopF1@1(of-means)');
  const found = valueOfScores(f1, [{ precision: 0.3115, recall: 0.486 }])!;
  assert.equal(found.value.toFixed(4), '0.3797');
  const opposite = [
    { precision: 1, recall: 0 },
    { precision: 0, recall: 1 },
  ];
  assert.deepEqual(valueOfScores(f1, opposite), { value: 0.5, n: 2 });
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

test('TypeF1: per class, then macro and weighted', () => {
  const f1 = (name: string, pairs: readonly (readonly [gold: string, predicted: string])[]) =>
    valueOfScores(
      measure(`TypeF1(${name})`),
      pairs.map(([type, questionType]) =>
        measure(`TypeF1(${name})`).score(
          example(type, '', []),
          traceOf([], { answer: { kind: 'abstained', reason: '', questionType } }),
          records,
        ),
      ),
    )!.value;
  // a: P 1, R 2/3, F1 .8; b: P 1/2, R 1, F1 2/3.
  const pairs = ['aa', 'aa', 'ab', 'bb'].map(([type, predicted]) => [type!, predicted!] as const);
  assert.ok(Math.abs(f1('macro', pairs) - (0.8 + 2 / 3) / 2) < 1e-12);
  assert.ok(Math.abs(f1('weighted', pairs) - (3 * 0.8 + 2 / 3) / 4) < 1e-12);
  // A class that is only predicted costs the others precision or recall, but has no F1 of its own.
  assert.equal(
    f1('macro', [
      ['a', 'x'],
      ['a', 'a'],
    ]),
    2 / 3,
  );
  // A type that the words of the question alone suggest is no statement of a system.
  const unstated = traceOf([], { predictedType: 'a' });
  assert.equal(score('TypeF1(macro)', example('a', '', []), unstated), undefined);
});

const spanned = (...spans: readonly (readonly [string, number, number])[]): Example => ({
  ...letters,
  gold: spans.map(([documentId, start, end]) => ({ documentId, title: '', span: [start, end] })),
});
const showing = (spans: [number, number][], documentId = 'p3'): Trace => {
  const parts = [{ id: '', documentId, start: 0, end: 0, spans }];
  return traceOf([], { context: { name: '', text: '', tokens: 0, parts } });
};
const two = spanned(['p3', 4, 9], ['p1', 0, 4]);
const around = (a: number, b: number): Trace =>
  showing([
    [0, a],
    [b, 14],
  ]);
worked('gold sentences count when the context shows them whole', [
  ['SentenceRecall', two, around(6, 7), 1 / 2, 'white space between spans is no gap'],
  ['SentenceRecall', two, showing([[5, 9]]), 1 / 2, 'nor is white space at the ends'],
  ['SentenceRecall', two, around(5, 6), 0],
  ['SentenceRecall', two, showing([[0, 14]], 'p1'), 1 / 2],
  ['SentenceRecall', spanned(['p3', 5, 7]), showing([[5, 6]]), 1, 'white space need not be shown'],
]);

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
