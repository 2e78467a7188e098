/** Tests links by names: by hand, and over articles whose headlines are no names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from '../../corpus/document.ts';
import { engineOf, runOf } from '../../testing/strategy-run.ts';
import { strategies } from '../strategies.ts';
import type { NameHits } from './found-hits.ts';
import { withNameLinks } from './name-links.ts';
import type { LanesView } from './view.ts';

const hit = (id: string, score: number) => ({
  ...{ id, documentId: id[0]!, start: 0, end: 1, score },
});
const viewOf = (...ids: string[]) =>
  ({ found: ids.map(id => ({ hit: hit(id, 0) })) }) as unknown as LanesView;
const ranked = (...scores: number[]) => ({
  scores: Float64Array.from(scores),
  lanes: new Int32Array(scores.length),
});

test('adds 5 for the sentence and 5 for its document, by score, rarity and rank', () => {
  const links: NameHits[] = [
    { hits: [hit('b1', 8), hit('a1', 4)], rank: 0, documentId: 'a' },
    { hits: [hit('c1', 2)], rank: 2, documentId: 'a' },
  ];
  const { scores } = withNameLinks(ranked(9, 1, 1, 1), viewOf('a1', 'b1', 'b2', 'c1'), links);
  // The document that introduces the name gains nothing; c: 2 / sqrt(8 · 2) / (1 + 0.15 · 2).
  const c = 0.5 / 1.3;
  assert.deepEqual(
    Array.from(scores, score => score.toFixed(6)),
    [9, 11, 6, 1 + 10 * c].map(score => score.toFixed(6)),
  );
});

test('changes nothing without searches, and with scores that cannot be compared', () => {
  const before = ranked(1, 2);
  assert.equal(withNameLinks(before, viewOf('a1', 'b1'), []), before);
  const negative = [{ hits: [hit('b1', -1)], rank: 0, documentId: 'a' }];
  assert.equal(withNameLinks(before, viewOf('a1', 'b1'), negative), before);
  const positive = { hits: [hit('b1', 2)], rank: 0, documentId: 'a' };
  assert.deepEqual(
    withNameLinks(before, viewOf('a1', 'b1'), [...negative, positive]),
    withNameLinks(before, viewOf('a1', 'b1'), [positive]),
  );
});

const article = (id: string, title: string, text: string): Document => ({
  ...{ id, title, text },
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
    ...{ question: { id: 'q', text }, engine: engineOf(documents) },
    ...{ retriever: 'lexical', context: 'whole' },
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
  const long = ARTICLES.map(one => ({ ...one, text: `${one.text}${' It rains.'.repeat(700)}` }));
  assert.equal((await hopsOf(NESTED, undefined, long)).length, 1);
});
