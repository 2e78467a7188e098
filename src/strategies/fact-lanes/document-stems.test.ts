/** Tests the scores of documents by their stems against slow formulas. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AnalysisCache } from '../../core/corpus/analysis-cache.ts';
import { stemPairs, stemSequence } from '../../language/english/words/stem-pairs.ts';
import { Vocabulary } from '../../models/fact-ranker/text-words.ts';
import { CandidateStems, stemmingOf } from './document-stems.ts';

const documentsOf = (texts: readonly string[]) =>
  texts.map((text, at) => ({ id: `d${at}`, title: '', text, metadata: {} }));
const stemsOf = (texts: readonly string[]): CandidateStems =>
  new CandidateStems(documentsOf(texts), new Vocabulary(), new AnalysisCache());

const WORDS = ['fund', 'payment', 'duty', 'the', 'of', 'Zürich', 'clerk_note', 'bank'];
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map(words => words.join(' '));
const texts = fc.array(text, { minLength: 1, maxLength: 8 });

const count = (list: readonly string[], item: string): number =>
  list.filter(other => other === item).length;
const held = (lists: readonly (readonly string[])[], item: string): number =>
  lists.filter(list => list.includes(item)).length;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, item) => all + item, 0);
const close = (actual: readonly number[], expected: readonly number[]): void => {
  assert.equal(actual.length, expected.length);
  for (const [at, number] of actual.entries())
    assert.ok(
      Math.abs(number - expected[at]!) < 1e-9,
      `${at}: ${number}, expected ${expected[at]}`,
    );
};

test('BM25 over stems agrees with the formula', () => {
  fc.assert(
    fc.property(texts, text, (all, question) => {
      const lists = all.map(text => stemSequence(text));
      const average = Math.max(1, sum(lists.map(({ length }) => length)) / lists.length);
      const expected = lists.map(list =>
        sum(
          [...new Set(stemSequence(question))].map(stem => {
            const [tf, df] = [count(list, stem), held(lists, stem)];
            const idf = Math.log(1 + (lists.length - df + 0.5) / (df + 0.5));
            return (idf * tf * 2.5) / (tf + 1.5 * (0.25 + (0.75 * list.length) / average));
          }),
        ),
      );
      close(stemsOf(all).bm25(question), expected);
    }),
  );
});

test('coverage sums the weights of the distinct stems that are held', () => {
  fc.assert(
    fc.property(texts, text, (all, question) => {
      const lists = all.map(text => stemSequence(text));
      const stems = [...new Set(stemSequence(question))];
      const expected = lists.map(list =>
        sum(
          stems
            .filter(stem => list.includes(stem))
            .map(stem => Math.log(1 + lists.length / (1 + held(lists, stem)))),
        ),
      );
      close(stemsOf(all).coverage(question), expected);
    }),
  );
});

test('the share of pairs agrees with the formula: rare pairs weigh more', () => {
  const slow = (all: readonly string[], question: string): number[] => {
    const asked = [...stemPairs(question)];
    const pairs = all.map(text => stemPairs(text));
    const weights = asked.map(pair => {
      const df = pairs.filter(pairs => pairs.has(pair)).length;
      return Math.log(1 + all.length / (1 + df));
    });
    return pairs.map(pairs => {
      const shared = sum(asked.map((pair, at) => (pairs.has(pair) ? weights[at]! : 0)));
      return asked.length === 0 ? 0 : shared / sum(weights);
    });
  };
  // By hand: "bank duty" is in two of three, "duty clerk" in one: ln 2 and ln 2.5.
  const texts3 = ['bank duty', 'duty clerk', 'bank duty fund'];
  const [rare, common] = [Math.log(2.5), Math.log(2)];
  close(stemsOf(texts3).sharedPairs('bank duty clerk'), [
    common / (rare + common),
    rare / (rare + common),
    common / (rare + common),
  ]);
  fc.assert(
    fc.property(texts, text, (all, question) =>
      close(stemsOf(all).sharedPairs(question), slow(all, question)),
    ),
  );
});

/** Cosines of every pair of documents, one by one. */
function slowLikeness(
  lists: readonly string[][],
  titles: readonly string[],
  scores: readonly number[],
  first: number,
) {
  const weigh = (list: readonly string[]): Map<string, number> => {
    const weights = [...new Set(list)].map((stem): [string, number] => [
      stem,
      (1 + Math.log(count(list, stem))) * Math.log(1 + lists.length / (1 + held(lists, stem))),
    ]);
    const length = Math.sqrt(sum(weights.map(([, weight]) => weight * weight)));
    return new Map(weights.map(([stem, weight]) => [stem, weight / length]));
  };
  const vectors = lists.map(weigh);
  const firsts = [...scores.keys()]
    .sort((a, b) => scores[b]! - scores[a]! || a - b)
    .slice(0, first)
    .filter(at => scores[at]! > 0);
  return vectors.map((vector, at) => {
    const others = firsts.filter(other => other !== at);
    const cosine = (other: number): number =>
      titles[at] !== '' && titles[other] === titles[at]
        ? 0
        : sum([...vector].map(([stem, weight]) => weight * (vectors[other]!.get(stem) ?? 0)));
    const total = sum(others.map(other => scores[other]!));
    return total > 0 ? sum(others.map(other => scores[other]! * cosine(other))) / total : 0;
  });
}

test('likeness is the weighted mean cosine with the first documents of other titles, itself left out', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          text,
          fc.integer({ min: 0, max: 5 }),
          fc.constantFrom('', 'Bank', 'Duty of funds'),
        ),
        { minLength: 1, maxLength: 8 },
      ),
      fc.integer({ min: 1, max: 5 }),
      (documents, first) => {
        const scores = documents.map(([, score]) => score);
        const titles = documents.map(([, , title]) => title);
        const titled = documentsOf(documents.map(([title]) => title)).map((document, at) => ({
          ...document,
          title: titles[at]!,
        }));
        const stems = new CandidateStems(titled, new Vocabulary(), new AnalysisCache());
        const lists = titled.map(({ title, text }) => stemSequence(`${title} ${text}`));
        close(stems.likeness(scores, first), slowLikeness(lists, titles, scores, first));
      },
    ),
  );
});

test('other languages than English match by groups of letters', () => {
  const documents = documentsOf([
    'Die Teilergebniszeilen werden gelöscht.',
    'Zeilen im Bereich.',
    'Anderes.',
  ]);
  const bm25 = (language: string): number[] =>
    new CandidateStems(
      documents,
      new Vocabulary(),
      new AnalysisCache(),
      stemmingOf(language, 'sections'),
    ).bm25('Zeile mit Teilergebnis löschen');
  assert.deepEqual(
    bm25('en').map(score => score > 0),
    [false, false, false],
  );
  const [first, second, third] = bm25('de');
  assert.ok(first! > second! && second! > 0);
  assert.equal(third, 0);
});

/** Returns what sections score for a question, by BM25 over their stems. */
const bySections = (texts: readonly string[], question: string): number[] =>
  new CandidateStems(
    documentsOf(texts),
    new Vocabulary(),
    new AnalysisCache(),
    stemmingOf('en', 'sections'),
  ).bm25(question);

test('sections match the other forms of an irregular verb', () => {
  const [began, other] = bySections(['It began in May.', 'It ended in June.'], 'Did it begin?');
  assert.ok(began! > 0);
  assert.equal(other, 0);
});

test('sections match a version in the question by their headings, its releases and no other', () => {
  const titles = ['Release 5.2', 'v5.2.1', 'Release 5.3', 'Release 15.2', 'Part 5, 2', 'Other'];
  const sections = titles.map((title, at) => ({
    ...documentsOf(['since 5.2'])[0]!,
    id: `${at}`,
    title,
  }));
  const stems = new CandidateStems(
    sections,
    new Vocabulary(),
    new AnalysisCache(),
    stemmingOf('en', 'sections'),
  );
  const found = stems.bm25('Which is of 5.2?').map(score => score > 0);
  assert.deepEqual(found, [true, true, false, false, false, false]);
});
