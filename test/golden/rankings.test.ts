/**
 * Golden rankings over the fixture corpus: every position carries its reason, so that a change of a
 * ranking has to argue with it.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Unit } from '../../src/core/ranking/ranking.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import { FIXTURE_DOCUMENTS } from '../../src/testing/fixture-corpus.ts';
import { engineOf } from '../../src/testing/strategy-run.ts';

interface Golden {
  readonly unit?: Unit;
  readonly scorer: string;
  readonly query: string;
  /** Ids, best first, each with the reason why it stands there. */
  readonly ranking: readonly (readonly [id: string, reason: string])[];
}

const golden: readonly Golden[] = [
  {
    scorer: 'bm25',
    query: 'glass furnace',
    ranking: [
      [
        'furnace-smoke',
        'says furnace twice, in title and text, in 45 words; "furnaces" is another word',
      ],
      ['quill-works', 'says furnace twice too, but in 46 words'],
      [
        'lighthouse-sold',
        'says glass once, in the longest text; glass is rarer than furnace, but once in 55 words is less than twice in 46',
      ],
    ],
  },
  {
    scorer: 's1',
    query: 'glass furnace',
    ranking: [
      ['furnace-smoke', 'furnace in the title counts four times, once more in the text'],
      ['quill-works', 'the same five times, in a vector that is a little longer'],
      [
        'lighthouse-sold',
        'glass in the text alone; osk-maren has it in its tags only, which no scorer reads',
      ],
    ],
  },
  {
    scorer: 'bm25',
    query: 'apprentices',
    ranking: [
      ['boat-builder', 'once in 38 words'],
      ['osk-maren', 'once in 46 words'],
    ],
  },
  {
    scorer: 's1',
    query: 'Tarn Gazette furnace smoke',
    ranking: [
      [
        'furnace-smoke',
        'all four words, two of them in the title, and the boost for its source, which the query names',
      ],
      ['quill-works', 'the boost and three of the four words; it does not mention smoke'],
      ['vell-observatory', 'smoke once: rarer than Tarn'],
      ['lighthouse-sold', 'Tarn once'],
    ],
  },
  {
    scorer: 'bm25',
    query: 'Harrow Point',
    ranking: [
      ['untitled', 'once, but in 16 words: length counts for more than a second mention'],
      ['lighthouse-sold', 'twice, in the longest text'],
      ['boat-builder', 'once, in 38 words'],
    ],
  },
  {
    scorer: 'bm25(b=0)',
    query: 'Harrow Point',
    ranking: [
      ['lighthouse-sold', 'twice; without b length counts for nothing'],
      ['boat-builder', 'once, and a tie is broken by id'],
      ['untitled', 'once, and "u" comes after "b"'],
    ],
  },
  {
    scorer: 'bm25',
    query: 'ferry Sunday',
    ranking: [
      ['twin-a', 'the twins share every word, so their scores are equal and the id decides'],
      ['twin-b', 'as twin-a, with the later id'],
    ],
  },
  {
    scorer: 's1',
    query: 'Coast Courier people 2024-01-20',
    ranking: [
      ['osk-maren', 'boosts for source, category and day, and all words'],
      ['harbour-fair', 'boosts for source and category; of the day it has nothing'],
      ['lighthouse-sold', 'the boost for its source, and the year'],
      ['boat-builder', 'the boost for its source alone; its year is 2023'],
      ['vell-observatory', 'no boost, but its day shares year and month, and 01 is rare'],
      ['foreign-words', 'the boost for its category, and the year'],
      ['quill-works', 'the year, and "forty people" in its text'],
      ['furnace-smoke', 'the year alone'],
    ],
  },
  {
    scorer: 'bm25(stop=english)',
    query: 'the observatory',
    ranking: [
      ['vell-observatory', 'in title and text'],
      ['furnace-smoke', 'once in 45 words'],
      ['osk-maren', 'once in 46 words; all others have only "the", which is dropped'],
    ],
  },
  {
    unit: 'sentence',
    scorer: 'bm25',
    query: 'second furnace',
    ranking: [
      [
        'quill-works#s0000',
        'both words in the sentence, and both in the title that every sentence is indexed with',
      ],
      ['furnace-smoke#s0001', 'both words in the sentence; of the title furnace alone'],
      [
        'quill-works#s0002',
        'both words from the title, in the shortest sentence of the three left',
      ],
      ['quill-works#s0003', 'as before, one sentence on, two words longer'],
      ['quill-works#s0001', 'as before, the longest'],
      ['vell-observatory#s0002', 'second alone: "A second telescope is planned"'],
      ['furnace-smoke#s0000', 'furnace from the title, in a sentence shorter than the next'],
      ['furnace-smoke#s0002', 'furnace from the title, in the longest sentence'],
    ],
  },
  { scorer: 's1', query: 'the of and', ranking: [] },
  { scorer: 'bm25', query: 'zeppelin', ranking: [] },
  {
    scorer: 'bm25',
    query: 'STRASSE straße 東京',
    ranking: [['foreign-words', 'case is folded, ß is not ss; the city’s name is one word']],
  },
];

describe('golden rankings', () => {
  const engine = engineOf(FIXTURE_DOCUMENTS);
  for (const { unit = 'document', scorer, query, ranking } of golden) {
    test(`${unit}s for "${query}" under ${scorer}`, async () => {
      const [hits] = await engine.search(
        { unit, scorer, k: 20, queries: [{ text: query }] },
        freeCall(),
      );
      assert.deepEqual(
        hits!.map(({ id }) => id),
        ranking.map(([id]) => id),
        ranking.map(([id, reason]) => `${id}: ${reason}`).join('\n'),
      );
    });
  }
});
