/** Tests links by names: by hand, and over articles whose headlines are no names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from '../../core/corpus/document.ts';
import { padded } from '../../models/fact-ranker/text-words.ts';
import { engineOf, runOf } from '../../testing/strategy-run.ts';
import { strategies } from '../strategies.ts';
import { withNameLinks } from './articles.ts';
import type { NameHits } from './lane-searches.ts';
import type { LanesView } from './view.ts';

const hit = (id: string, score: number) => ({ id, documentId: id[0]!, start: 0, end: 1, score });
/** A view of sentences, each given by its id and its text. */
const viewOf = (texts: Readonly<Record<string, string>>) =>
  ({
    found: Object.keys(texts).map(id => ({ hit: hit(id, 0) })),
    candidates: Object.values(texts).map(text => ({
      text: { padded: padded(text) },
      title: { padded: padded('') },
    })),
  }) as unknown as LanesView;
const words = padded('ines ferrow');
const ranked = (...scores: number[]) => ({
  scores: Float64Array.from(scores),
  lanes: new Int32Array(scores.length),
});

test('adds 4 for the sentence and 4 for its document, by score, rarity and rank', () => {
  const links: NameHits[] = [
    { words, hits: [hit('a1', 99), hit('b1', 8)], rank: 0, documentId: 'a' },
    { words, hits: [hit('c1', 2)], rank: 2, documentId: 'a' },
  ];
  const view = viewOf({ a1: 'ines ferrow', b1: 'ines ferrow', b2: '', c1: 'by ines ferrow' });
  const { scores } = withNameLinks(ranked(9, 1, 1, 1), view, links);
  // The document that introduces the name gains nothing and sets no best; c: 2 / sqrt(8 · 2) / 1.3.
  const c = 0.5 / 1.3;
  assert.deepEqual(
    Array.from(scores, score => score.toFixed(6)),
    [9, 9, 5, 1 + 8 * c].map(score => score.toFixed(6)),
  );
});

test('adds half of it if the sentence has part of the name', () => {
  const links = [{ words, hits: [hit('b1', 8)], rank: 0, documentId: 'a' }];
  const { scores } = withNameLinks(ranked(1), viewOf({ b1: 'mr ferrow' }), links);
  assert.deepEqual([...scores], [5]);
});

test('changes nothing without searches, without other documents, and by negative scores', () => {
  const before = ranked(1, 2);
  const view = viewOf({ a1: 'ines ferrow', b1: 'ines ferrow' });
  assert.equal(withNameLinks(before, view, []), before);
  const ofItself = [{ words, hits: [hit('a1', 3)], rank: 0, documentId: 'a' }];
  assert.equal(withNameLinks(before, view, ofItself), before);
  const negative = [{ words, hits: [hit('b1', -1)], rank: 0, documentId: 'a' }];
  assert.equal(withNameLinks(before, view, negative), before);
  const positive = { words, hits: [hit('b1', 2)], rank: 0, documentId: 'a' };
  assert.deepEqual(
    withNameLinks(before, view, [...negative, positive]),
    withNameLinks(before, view, [positive]),
  );
});

const article = (id: string, title: string, text: string): Document => ({
  id,
  title,
  text,
  metadata: { source: 'The Quay Post' },
});
const ARTICLES: readonly Document[] = [
  article(
    'prize',
    'Lantern Medal of the year goes to a maker of very small bells',
    'The Lantern Medal of this year goes to Ines Ferrow. The jury met for a day.',
  ),
  article(
    'shop',
    'A visit on a wet morning to a workshop that smells of tin',
    'Ines Ferrow pours tin in Sallow Court. It rains.',
  ),
  ...['clerk', 'baker', 'diver', 'mayor', 'nurse'].map(who =>
    article(
      who,
      `In which town the ${who} who won a prize of this year lives now`,
      `The ${who} won a medal of this year. The town where the winner works is large.`,
    ),
  ),
];
const NESTED = 'In which street does the winner of the Lantern Medal work?';

async function hopsOf(
  text: string,
  strategy = 'fact-lanes(tokens=60)',
  documents: readonly Document[] = ARTICLES,
) {
  const script = {
    question: { id: 'q', text },
    engine: engineOf(documents),
    retriever: 'lexical',
    context: 'whole',
  };
  return (await runOf(strategies.create(strategy), script)).trace.hops;
}

test('follows a name from one article to the next if the question nests descriptions', async () => {
  const hops = await hopsOf(NESTED);
  assert.ok(hops.length > 1);
  assert.match(hops[1]!.reason!, /Ines Ferrow/);
  assert.ok(hops.flatMap(({ kept }) => kept).some(({ documentId }) => documentId === 'shop'));
});

test('stays at one hop if the question has clauses, cites a source, or the setting says so', async () => {
  const [asked, rank] = ['Who won the Lantern Medal of this year', 'fact-lanes(bridge=rank)'];
  for (const [text, strategy] of [
    [`${asked}, and in which town does the mayor of the quay work now?`],
    [`${asked} according to The Quay Post?`],
    [`${asked} according to The Tin Gazette?`],
    [NESTED, rank],
    [NESTED, 'fact-lanes(ranker=sum)'],
  ] as const)
    assert.equal((await hopsOf(text, strategy)).length, 1, `${strategy} ${text}`);
});

test('stays at one hop if most articles are long', async () => {
  const long = ARTICLES.map(article => ({
    ...article,
    text: `${article.text}${' It rains.'.repeat(700)}`,
  }));
  assert.equal((await hopsOf(NESTED, undefined, long)).length, 1);
});

test('searches titles that are names, and no headline of lower-case words', async () => {
  const titled = (title: string) =>
    ARTICLES.map(article => (article.id === 'prize' ? { ...article, title } : article));
  const reasonFor = async (title: string) =>
    (await hopsOf(NESTED, undefined, titled(title)))[1]!.reason!;
  assert.match(await reasonFor('Pewter Row'), /Pewter Row/);
  assert.doesNotMatch(await reasonFor('A walk to Pewter Row'), /A walk/);
});
