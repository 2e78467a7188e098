/** Checks the ranking of short passages against a slow sum of its members, and by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AnalysisCache } from '../../core/corpus/analysis-cache.ts';
import type { Document } from '../../core/corpus/document.ts';
import type { Hit } from '../../core/ranking/ranking.ts';
import { Vocabulary } from '../../models/fact-ranker/text-words.ts';
import { CandidateStems } from './document-stems.ts';
import type { ContentHits } from './lane-searches.ts';
import { rankPassages, scoreDocuments } from './passage-rank.ts';
import type { LanesView } from './view.ts';

interface Given {
  readonly question: string;
  readonly texts: readonly string[];
  /** The document of each candidate. */
  readonly of: readonly number[];
  /** By lane, of each candidate. */
  readonly words: readonly (readonly number[])[];
  readonly vectors: readonly (readonly number[])[];
  /** By document: the score by the whole question. */
  readonly asked: readonly number[];
  /** By lane: hits of documents and of sentences, as [document, score]. */
  readonly documents: readonly (readonly (readonly [number, number])[])[];
  readonly sentences: readonly (readonly (readonly [number, number])[])[];
}

const hits = (all: readonly (readonly [number, number])[]): Hit[] =>
  all.map(([document, score], at) => ({
    id: `h${at}`,
    documentId: `d${document}`,
    score,
    start: 0,
    end: 1,
  }));

function ranked({ question, texts, of, words, vectors, asked, documents, sentences }: Given) {
  const all = texts.map((text, at): Document => ({ id: `d${at}`, title: '', text, metadata: {} }));
  const rows = (lists: readonly (readonly number[])[]) => lists.map(row => Float64Array.from(row));
  const none = () => words.map(row => new Float64Array(row.length));
  const view = {
    lanes: words.map((_, lane) => (lane === 0 ? question : `clause ${lane}`)),
    candidates: of.map(at => ({ documentId: `d${at}` })),
    vocabulary: new Vocabulary(),
    words: rows(words),
    vectors: rows(vectors),
    documents: none(),
    own: none(),
    documentsOf: of.map(at => all[at]!),
  } as unknown as LanesView;
  const content = words.map(
    (_, lane): ContentHits => ({
      documents: hits(documents[lane] ?? []),
      sentences: hits(sentences[lane] ?? []),
    }),
  );
  const analysis = new AnalysisCache();
  const scored = new Map(asked.map((score, at) => [`d${at}`, score]));
  return rankPassages(
    view,
    scoreDocuments(view, { language: 'en', asked: scored, content, analysis }),
  );
}

/** The same by the head comment of `passage-rank.ts`, one number after the other. */
function slowly({ question, texts, of, words, vectors, asked, documents, sentences }: Given) {
  const known = [...new Set(of)];
  const parts = known.map(
    (at): Document => ({ id: `d${at}`, title: '', text: texts[at]!, metadata: {} }),
  );
  const stems = new CandidateStems(parts, new Vocabulary(), new AnalysisCache());
  const clauses = words.length > 1 ? words.map((_, lane) => lane).slice(1) : [0];
  const bestIn = (found: readonly (readonly [number, number])[] = [], at: number): number =>
    Math.max(0, ...found.filter(([document]) => document === at).map(([, score]) => score));
  const stretch = (found: readonly (readonly [number, number])[] = [], at: number): number => {
    const scores = known.map(known => bestIn(found, known)).filter(score => score > 0);
    const [least, most] = [Math.min(...scores), Math.max(...scores)];
    const score = bestIn(found, at);
    if (score <= 0) return 0;
    return most === least ? 1 : (score - least) / (most - least);
  };
  const places = (document: number) => [...of.keys()].filter(at => of[at] === document);
  const members: ((document: number, index: number) => number)[] = [
    document => asked[document] ?? 0,
    document => bestIn(documents[0], document),
    document =>
      stretch(documents[0], document) +
      Math.max(...clauses.map(lane => stretch(documents[lane], document))) +
      Math.max(...clauses.map(lane => stretch(sentences[lane], document))),
    (_, index) => stems.bm25(question)[index]!,
    (_, index) => stems.sharedPairs(question)[index]!,
    document =>
      Math.max(0, ...clauses.flatMap(lane => places(document).map(at => vectors[lane]![at]!))),
  ];
  const shareOf = (values: readonly number[]): number[] => {
    const most = Math.max(0, ...values);
    return values.map(value => (most > 0 ? value / most : 0));
  };
  const shares = members.map(member => shareOf(known.map(member)));
  const first = known.map((_, at) => shares.reduce((sum, share) => sum + share[at]!, 0));
  const like = shareOf(stems.likeness(first, 5));
  const fit = [...of.keys()].map(at =>
    Math.max(...clauses.map(lane => words[lane]![at]! + vectors[lane]![at]!)),
  );
  return [...of.keys()].map(at => {
    const document = known.indexOf(of[at]!);
    const best = Math.max(...places(of[at]!).map(place => fit[place]!));
    return first[document]! + like[document]! + fit[at]! - best;
  });
}

describe('the ranking of passages', () => {
  const LANES = 3;
  const word = fc.constantFrom('fund', 'payment', 'duty', 'of', 'clerk', 'bank');
  const text = fc.array(word, { minLength: 1, maxLength: 8 }).map(words => words.join(' '));
  const found = fc.array(fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 6 })), { maxLength: 5 });
  const views = fc.integer({ min: 1, max: 7 }).chain(size => {
    const row = fc.array(
      fc.integer({ min: -4, max: 4 }).map(score => score / 4),
      { minLength: size, maxLength: size },
    );
    const rows = (lanes: number) => fc.array(row, { minLength: lanes, maxLength: lanes });
    return fc.constantFrom(1, LANES).chain(lanes =>
      fc.record({
        question: text,
        texts: fc.array(text, { minLength: 5, maxLength: 5 }),
        of: fc.array(fc.nat(4), { minLength: size, maxLength: size }),
        words: rows(lanes),
        vectors: rows(lanes),
        asked: fc.array(fc.nat(5), { maxLength: 5 }),
        documents: fc.array(found, { maxLength: lanes }),
        sentences: fc.array(found, { maxLength: lanes }),
      }),
    );
  });

  test('agrees with the slow sum of members, each divided by its greatest score', () => {
    fc.assert(
      fc.property(views, view => {
        const [fast, slow] = [ranked(view).scores, slowly(view)];
        assert.equal(fast.length, slow.length);
        for (const [at, score] of fast.entries())
          assert.ok(Math.abs(score - slow[at]!) < 1e-9, `${at}: ${score}, expected ${slow[at]}`);
      }),
      { numRuns: 300 },
    );
  });

  const two: Given = {
    question: 'zzz',
    texts: ['bank', 'clerk'],
    of: [0, 0, 1],
    words: [[0.5, 0.25, 1]],
    vectors: [[0, 0, 0]],
    asked: [],
    documents: [],
    sentences: [],
  };

  test('by hand: one member each', () => {
    // Sentences stand behind the best of their document by how much worse they fit.
    assert.deepEqual([...ranked(two).scores], [0, -0.25, 0]);
    // The words of the whole question: 2 of 4, and 4 of 4.
    assert.deepEqual([...ranked({ ...two, asked: [2, 4] }).scores], [0.5, 0.25, 1]);
    // Vectors: the best candidate of each document, though another has none; fit counts them too.
    const byVectors = { ...two, words: [[0, 0, 0]], vectors: [[0, 1, 0.5]] };
    assert.deepEqual([...ranked(byVectors).scores], [0, 1, 0.5]);
    // Content words: 4 and 1 of 4, and stretched (the whole, the best clause) 2 and 0 of 2.
    const byContent = {
      ...two,
      documents: [
        [
          [0, 4],
          [1, 1],
          [0, 2],
        ],
      ],
    } as const;
    assert.deepEqual([...ranked(byContent).scores], [2, 1.75, 0.25]);
  });

  test('each candidate belongs to the clause that it fits best, the first of equal ones', () => {
    const lanes = {
      ...two,
      words: [
        [9, 9, 9],
        [0.5, 0.5, 0],
        [0.25, 0.5, 1],
      ],
      vectors: [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    };
    assert.deepEqual([...ranked(lanes).lanes], [1, 1, 2]);
  });
});
