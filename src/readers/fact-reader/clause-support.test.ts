/**
 * Tests the support of clauses on two small articles: what is missing shows in the weakest clause,
 * typing errors in names do not, and a slow obvious count agrees with the shares.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AnalysisCache } from '../../core/corpus/analysis-cache.ts';
import type { Document } from '../../core/corpus/document.ts';
import { isMisspelling } from '../../core/text/one-edit.ts';
import { topicStems } from '../../language/english/words/topic-stems.ts';
import { Said } from '../../language/said.ts';
import type { Features } from '../features.ts';
import { clauseSupport } from './clause-support.ts';
import type { Candidate } from './entity-features.ts';
import { articlesOf } from './evidence-articles.ts';
import type { ClauseFact, FactReading } from './reading.ts';

const documents: Document[] = [
  {
    id: 'a',
    title: 'Harbour fees',
    text: 'Mara Quist doubled the harbour fees in Brightwater. Boats left.',
    metadata: {},
  },
  {
    id: 'b',
    title: 'Kelp',
    text: 'The kelp beds shrank by 40 hectares. Nobody dived.',
    metadata: {},
  },
];
const parts = [
  { documentId: 'a', title: 'Harbour fees', source: 'Velo Dispatch', day: '2023-10-01' },
  { documentId: 'b', title: 'Kelp', source: 'Copper Times', day: '2023-11-05' },
];
const texts = [
  'Mara Quist doubled the harbour fees in Brightwater.',
  'Boats left.',
  'Nobody dived.',
];
const sentences = texts.map((text, index) => ({
  part: index < 2 ? 0 : 1,
  id: 'x',
  documentId: index < 2 ? 'a' : 'b',
  start: 0,
  end: 0,
  text,
  said: new Said(text),
}));

const fact = (
  text: string,
  sources: readonly string[],
  days: ClauseFact['days'] = [],
): ClauseFact => ({
  text,
  stems: [...topicStems(text)],
  sources,
  days,
  best: undefined,
  share: 0,
  shares: sentences.map(({ said }) => topicStems(text).intersection(said.topics).size),
});

const reading = (...facts: ClauseFact[]): FactReading =>
  ({
    parts,
    sentences,
    facts,
    catalogue: { sources: ['Velo Dispatch'] },
  }) as unknown as FactReading;

const support = (...facts: ClauseFact[]): Features =>
  clauseSupport(reading(...facts), articlesOf(reading(), documents, new AnalysisCache()), []);

const FEES = fact('Mara Quist doubled the harbour fees', ['Velo Dispatch']);

describe('clauseSupport', () => {
  test('a clause that its source supports has every share', () => {
    const features = support(FEES);
    for (const kind of ['part', 'document', 'names', 'namesTogether', 'pairs', 'sourced'])
      assert.equal(features.get(`clause.${kind}.least`), 1, kind);
  });

  test('the same clause of another source has none, and lowers the least of both', () => {
    const other = fact(FEES.text, ['Copper Times']);
    assert.equal(support(other).get('clause.document'), undefined);
    const both = support(FEES, other);
    assert.equal(both.get('clause.document'), 0.5);
    assert.equal(both.get('clause.document.least'), undefined);
    assert.equal(both.get('clause.document.most'), 1);
  });

  test('a source without an article supports nothing', () => {
    const features = support(fact(FEES.text, ['Tin Herald']));
    assert.equal(features.get('clause.sourced'), undefined);
    assert.equal(features.get('clause.names'), undefined);
  });

  test('an unshown sentence counts for the article and not for its part', () => {
    const features = support(fact('kelp beds shrank by 40 hectares', ['Copper Times']));
    assert.equal(features.get('clause.document'), 1);
    assert.equal(features.get('clause.numbers'), 1);
    assert.ok(features.get('clause.part')! < 1);
  });

  test('a transposed letter of a name changes nothing', () => {
    const typed = fact('Mara Qiust doubled the harbour fees', ['Velo Dispatch']);
    assert.deepEqual(support(typed), support(FEES));
  });

  test('days select the articles of a source', () => {
    const dated = (from: string, to: string): Features =>
      support(fact(FEES.text, ['Velo Dispatch'], [{ from, to }]));
    assert.equal(dated('2023-10-01', '2023-10-01').get('clause.dated'), 1);
    assert.equal(dated('2023-10-02', '2023-10-31').get('clause.dated'), undefined);
    assert.equal(dated('2023-10-02', '2023-10-31').get('clause.dated.missing'), undefined);
    assert.equal(support(FEES).get('clause.dated.missing'), 1);
  });

  test('a candidate supports the clauses whose articles name it', () => {
    const candidate = {
      name: { text: 'Brightwater', mentions: [{ part: 0, sentence: 0 }] },
    } as unknown as Candidate;
    const kelp = fact('kelp beds shrank', ['Copper Times']);
    const of = (...facts: ClauseFact[]): Features =>
      clauseSupport(reading(...facts), articlesOf(reading(), documents, new AnalysisCache()), [
        candidate,
      ]);
    assert.equal(of(FEES).get('candidate.least'), 1);
    assert.equal(of(FEES, kelp).get('candidate.least'), undefined);
    assert.equal(of(FEES, kelp).get('candidate.clauses'), 0.5);
  });

  test('shares agree with a slow count, and lie from 0 to 1', () => {
    const words = ['harbour', 'fees', 'kelp', 'Mara', 'Quist', 'Boats', 'dragons', '40', 'left'];
    const clause = fc
      .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
      .map(chosen => fact(chosen.join(' '), []));
    fc.assert(
      fc.property(fc.array(clause, { minLength: 1, maxLength: 3 }), facts => {
        const usable = facts.filter(({ stems }) => stems.length > 0);
        const features = support(...usable);
        for (const [name, value] of features)
          if (/^clause\.(?!number$)/.test(name)) assert.ok(value > 0 && value <= 1 + 1e-9, name);
        if (usable.length !== 1) return;
        const all = documents.flatMap(({ text }) =>
          text.split(/(?<=\.) /).map(sentence => topicStems(sentence)),
        );
        const weight = (stem: string): number =>
          Math.log(1 + (all.length + 1) / (1 + all.filter(each => each.has(stem)).length));
        const sum = (stems: readonly string[]): number =>
          stems.reduce((total, stem) => total + weight(stem), 0);
        const known = documents.map(({ title, text }) => topicStems(`${title}. ${text}`));
        const { stems } = usable[0]!;
        if (
          stems.some(stem =>
            known.every(shares => [...shares].some(one => isMisspelling(stem, one))),
          )
        )
          return;
        const slow = Math.max(
          ...known.map(shares => sum(stems.filter(stem => shares.has(stem))) / sum(stems)),
        );
        assert.ok(Math.abs((features.get('clause.document') ?? 0) - slow) < 1e-9);
      }),
    );
  });
});
