/** Measures of rankings: hand-worked values, and slow, obvious oracles over random rankings. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Evidence, Search, Trace } from '../core/trace/trace.ts';
import { emptyTrace } from './empty-trace.ts';
import type { Example, Gold, Records } from './example.ts';
import { measure } from './measures.ts';
import { passageRanking } from './passage-ranking.ts';

const row = { strategy: 's', retriever: 'lexical', context: 'whole', reader: 'r', budget: {} };
const records: Records = { text: () => '' };
const asked = (gold: readonly Gold[]): Example => ({
  id: 'q',
  question: { id: 'q', text: 'Q?' },
  answers: [],
  gold,
});
const graded = (grades: Readonly<Record<string, number>>): Example =>
  asked(Object.entries(grades).map(([documentId, grade]) => ({ documentId, title: '', grade })));
const ranked = (ranking: readonly string[], more: Partial<Trace> = {}): Trace => ({
  ...emptyTrace({ id: 'q', text: 'Q?' }, row),
  ranking,
  ...more,
});
const score = (name: string, example: Example, trace: Trace): unknown =>
  measure(name).score(example, trace, records);

describe('measures of document rankings', () => {
  const example = graded({ a: 1, b: 3, c: 2 });

  test('no hits score 0; a question without gold has no value', () => {
    for (const name of ['Recall@5', 'AllRecall@5', 'NDCG@5', 'Precision@5']) {
      assert.equal(score(name, example, ranked([])), 0, name);
      assert.equal(score(name, asked([]), ranked(['a'])), undefined, name);
    }
  });

  test('a document that two gold entries name counts once, with its larger grade', () => {
    const twice = asked([
      { documentId: 'a', title: '', grade: 1 },
      { documentId: 'a', title: '', grade: 2 },
      { documentId: 'b', title: '' },
    ]);
    assert.equal(score('Recall@1', twice, ranked(['a'])), 1 / 2);
    const ndcg = score('NDCG@2', twice, ranked(['b', 'a'])) as number;
    assert.equal(ndcg, (1 + 2 / Math.log2(3)) / (2 + 1 / Math.log2(3)));
  });

  test('diagnostic is the order of the paper where the trace has one, else the ranking', () => {
    const diagnostic = { name: 'rounds', documents: ['a', 'b', 'c'] };
    const trace = ranked(['x', 'y', 'a'], { diagnostic });
    assert.equal(score('Recall@3(order=diagnostic)', example, trace), 1);
    assert.equal(score('Recall@3', example, trace), 1 / 3);
    assert.equal(score('EvidenceRecall@3', example, trace), 1);
    assert.equal(score('EvidenceRecall@3(order=ranking)', example, trace), 1 / 3);
    assert.equal(score('ReciprocalRank', example, trace), 1);
    assert.equal(score('ReciprocalRank(ranking)', example, trace), 1 / 3);
    assert.equal(score('EvidenceRecall@3', example, ranked(['x', 'y', 'a'])), 1 / 3);
  });

  test('canonical names show what differs from the default', () => {
    assert.equal(measure('Recall@5(unit=document, order=ranking)').name, 'Recall@5');
    assert.equal(measure('Recall@5(unit=passage)').name, 'Recall@5(passage)');
    assert.equal(measure('EvidenceRecall@4(order=diagnostic)').name, 'EvidenceRecall@4');
    assert.throws(() => measure('Recall@5(passage, order=diagnostic)'), /unit=document/);
  });
});

describe('oracles', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const world = fc.record({
    ranking: fc.shuffledSubarray(ids),
    grades: fc.dictionary(fc.constantFrom(...ids), fc.integer({ min: 1, max: 4 })),
    k: fc.integer({ min: 1, max: 9 }),
  });

  test('AllRecall@k: every gold document is looked up in the first k, one by one', () => {
    const oracle = (gold: readonly string[], ranking: readonly string[], k: number): number => {
      for (const document of gold) {
        let seen = false;
        for (let rank = 1; rank <= k; rank++) if (ranking[rank - 1] === document) seen = true;
        if (!seen) return 0;
      }
      return 1;
    };
    fc.assert(
      fc.property(world, ({ ranking, grades, k }) => {
        const gold = Object.keys(grades);
        const expected = gold.length === 0 ? undefined : oracle(gold, ranking, k);
        assert.equal(score(`AllRecall@${k}`, graded(grades), ranked(ranking)), expected);
        const recall = score(`Recall@${k}`, graded(grades), ranked(ranking));
        assert.equal(expected === 1, recall === 1);
      }),
    );
  });

  test('NDCG@k: the best of all orders of the corpus is the ideal', () => {
    const gain = (order: readonly string[], grades: Record<string, number>, k: number): number => {
      let sum = 0;
      for (let rank = 1; rank <= Math.min(k, order.length); rank++)
        sum += (grades[order[rank - 1]!] ?? 0) / Math.log2(rank + 1);
      return sum;
    };
    const orders = (rest: readonly string[]): string[][] =>
      rest.length === 0
        ? [[]]
        : rest.flatMap(head => orders(rest.filter(id => id !== head)).map(tail => [head, ...tail]));
    fc.assert(
      fc.property(world, ({ ranking, grades: drawn, k }) => {
        const grades = Object.fromEntries(Object.entries(drawn).slice(0, 5));
        if (Object.keys(grades).length === 0) return;
        const ideal = Math.max(...orders(Object.keys(grades)).map(order => gain(order, grades, k)));
        const found = score(`NDCG@${k}`, graded(grades), ranked(ranking)) as number;
        assert.ok(Math.abs(found - gain(ranking, grades, k) / ideal) < 1e-12);
      }),
    );
  });

  test('Precision@k and Recall@k: gold is counted rank by rank', () => {
    fc.assert(
      fc.property(world, ({ ranking, grades, k }) => {
        const gold = Object.keys(grades);
        if (gold.length === 0) return;
        let hits = 0;
        for (let rank = 0; rank < k; rank++) if (gold.includes(ranking[rank] ?? '')) hits++;
        const trace = ranked(ranking);
        assert.equal(score(`Precision@${k}`, graded(grades), trace), hits / k);
        assert.equal(score(`Recall@${k}`, graded(grades), trace), hits / gold.length);
      }),
    );
  });
});

describe('passage rankings', () => {
  const hit = (id: string, start: number, end: number) => ({
    id,
    start,
    end,
    score: 1,
    documentId: id.split('#')[0]!,
  });
  const search = (unit: Search['unit'], ...hits: ReturnType<typeof hit>[]): Search => ({
    retriever: 'lexical',
    unit,
    hits,
  });
  const kept = (id: string, more: Partial<Evidence> = {}): Evidence => ({
    id,
    documentId: id.split('#')[0]!,
    title: '',
    metadata: {},
    score: 1,
    spans: [],
    ...more,
  });
  const traceWith = (searches: readonly Search[], evidence: readonly Evidence[]): Trace =>
    ranked([], { hops: [{ searches, kept: [], rejected: [], spent: {} }], evidence });

  const searches = [
    search('document', hit('d1', 0, 90)),
    search('passage', hit('d1#p0', 0, 30), hit('d1#p1', 25, 60), hit('d2#p0', 0, 40)),
    search('passage', hit('d3#p0', 0, 50), hit('d4#p0', 0, 50)),
  ];
  const trace = traceWith(searches, [
    kept('d3#p0'),
    kept('d1#s4', { passage: 'd1#p1', spans: [[40, 50]] }),
    kept('d5#s0', { passage: 'd5#p0', spans: [[3, 9]] }),
    kept('d5#s1', { passage: 'd5#p0', spans: [[12, 20]] }),
    kept('d6', { id: 'd6', documentId: 'd6' }),
  ]);

  test('evidence first, in its order, then the other hits of the first passage search', () => {
    assert.deepEqual(
      passageRanking(trace)?.map(({ id, spans }) => [id, spans]),
      [
        ['d3#p0', [[0, 50]]],
        ['d1#p1', [[25, 60]]],
        [
          'd5#p0',
          [
            [3, 9],
            [12, 20],
          ],
        ],
        ['d1#p0', [[0, 30]]],
        ['d2#p0', [[0, 40]]],
      ],
    );
    assert.equal(passageRanking(ranked(['a'])), undefined);
    assert.deepEqual(passageRanking(traceWith([search('passage')], [])), []);
  });

  test('a gold fact is found if one passage holds all of it', () => {
    const fact = (documentId: string, start: number, end: number): Gold => ({
      documentId,
      title: '',
      fact: `${start}`,
      span: [start, end],
    });
    const example = asked([
      fact('d1', 26, 60), // in d1#p1, rank 2
      fact('d1', 20, 35), // cut across p0 and p1
      fact('d3', 0, 50), // rank 1
      fact('d3', 0, 50),
      { documentId: 'd2', title: '', fact: 'not verbatim' },
    ]);
    assert.equal(score('Recall@1(passage)', example, trace), 1 / 4);
    assert.equal(score('Recall@9(passage)', example, trace), 2 / 4);
    assert.equal(score('AllRecall@9(passage)', example, trace), 0);
    const reached = asked([fact('d1', 26, 60), fact('d3', 1, 2)]);
    assert.equal(score('AllRecall@2(passage)', reached, trace), 1);
  });

  test('no value without known passages: gold documents alone, or no passage in the trace', () => {
    const documents = asked([{ documentId: 'd3', title: '' }]);
    assert.equal(score('Recall@5(passage)', documents, trace), undefined);
    const facts = asked([{ documentId: 'd3', title: '', fact: 'F', span: [0, 1] }]);
    assert.equal(score('Recall@5(passage)', facts, ranked(['d3'])), undefined);
  });
});
