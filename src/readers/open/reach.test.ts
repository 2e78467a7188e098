/** Checks links between passages, and the distance and strength with which they are reached. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findMentions } from '../../language/english/names/mentions.ts';
import { relationNamed } from '../../language/english/relations/relation-steps.ts';
import { statements } from '../../language/english/relations/statements.ts';
import type { OpenPassage, OpenSentence } from './open-sentence.ts';
import { linksOf, reachOf } from './reach.ts';

/** Passages by title with a sentence each; the first is the one that the question names. */
function reading(texts: readonly (readonly [string, string])[], relations: readonly string[] = []) {
  const sentences = texts.map(([, text], index): OpenSentence => {
    return {
      index,
      passage: index,
      place: 0,
      text,
      mentions: findMentions(text),
      stems: new Set(),
    };
  });
  const passages = texts.map(([bare], index): OpenPassage => {
    return { title: bare, bare, sentences: [sentences[index]!] };
  });
  const steps = relations.map(name => ({ relation: relationNamed(name), at: 0 }));
  const stated = sentences.map(sentence =>
    statements(sentence, [...new Set(steps.map(({ relation }) => relation))]),
  );
  const links = linksOf(passages, sentences);
  const anchors = [{ passage: 0, start: 0, end: 1 }];
  const reach = reachOf({ passages, anchors, links, steps, stated, sentences });
  return {
    links: links.map(({ from, to, mention }) => [from, to, mention.text]),
    reach: reach.map(({ distance, strength, used }) => [
      distance,
      Math.round(strength * 1000) / 1000,
      used,
    ]),
  };
}

describe('a link', () => {
  test('is a name or a quote of another passage’s title', () => {
    const { links } = reading([
      ['Grey Lanterns', 'Grey Lanterns was directed by Tova Brandt after “Salt Road”.'],
      ['Tova Brandt', 'Tova Brandt was a poet.'],
      ['Salt Road', 'It was lit.'],
      ['', 'Nothing.'],
      ['was a poet', 'A film was a poet.'],
    ]);
    assert.deepEqual(links, [
      [0, 1, 'Tova Brandt'],
      [0, 2, 'Salt Road'],
    ]);
  });

  test('is a quote in small letters as well', () =>
    assert.deepEqual(
      reading([
        ['Grey Lanterns', 'They sang “the salt road” then.'],
        ['Salt Road', 'It was lit.'],
      ]).links,
      [[0, 1, 'the salt road']],
    ));

  test('is the first mention in a sentence', () =>
    assert.deepEqual(
      reading([
        ['Tova Brandt', 'Olga Venn met Olga Venn.'],
        ['Olga Venn', 'Nobody.'],
      ]).links,
      [[0, 1, 'Olga Venn']],
    ));
});

describe('a passage is reached', () => {
  const FILM = ['Grey Lanterns', 'Grey Lanterns was directed by Tova Brandt.'] as const;
  const TOVA = ['Tova Brandt', 'Tova Brandt was the daughter of Ulf Brandt and Ida Holm.'] as const;

  test('at no distance if the question names it, else not at all without links', () =>
    assert.deepEqual(reading([FILM, ['Ida Holm', 'Nothing.']]).reach, [
      [0, 1, 0],
      [-1, 0, 0],
    ]));

  test('with full strength by a link that states the next relation', () =>
    assert.deepEqual(reading([FILM, TOVA], ['director']).reach[1], [1, 1, 1]));

  test('with less by a link whose sentence names a relation that is left', () => {
    const named = ['Grey Lanterns', 'The director met Tova Brandt of Holm.'] as const;
    assert.deepEqual(reading([named, TOVA], ['director']).reach[1], [1, 0.6, 0]);
  });

  test('with less where another name of its sentence has the relation', () => {
    const after = ['Grey Lanterns', 'It was directed by Ulf Quist; Tova Brandt left.'] as const;
    assert.deepEqual(reading([after, TOVA], ['director']).reach[1], [1, 0.6, 0]);
    const earlier = ['Grey Lanterns', 'Tova Brandt saw it as directed by Ulf Quist.'] as const;
    assert.deepEqual(reading([earlier, TOVA], ['director']).reach[1], [1, 0.6, 0]);
  });

  test('with little by a link whose sentence names a relation that was used', () => {
    const tova = ['Tova Brandt', 'The director Tova Brandt met Ida Holm.'] as const;
    const ida = ['Ida Holm', 'No.'] as const;
    assert.deepEqual(reading([FILM, tova, ida], ['director']).reach[2], [2, 0.3, 1]);
  });

  test('by the shorter way of two that are as strong', () => {
    const film = ['Grey Lanterns', 'It was directed by Tova Brandt and Ida Holm.'] as const;
    const ida = ['Ida Holm', 'Ida Holm was married to Tova Brandt.'] as const;
    assert.deepEqual(reading([film, TOVA, ida], ['director', 'spouse']).reach, [
      [0, 1, 0],
      [1, 1, 1],
      [1, 1, 1],
    ]);
  });

  test('with little by any other', () => {
    assert.deepEqual(reading([FILM, TOVA]).reach[1], [1, 0.3, 0]);
    assert.deepEqual(reading([FILM, TOVA], ['mother']).reach[1], [1, 0.3, 0]);
  });

  test('with least against a link', () => {
    const back = ['Tova Brandt', 'Tova Brandt directed Grey Lanterns.'] as const;
    const film = ['Grey Lanterns', 'Nothing.'] as const;
    assert.deepEqual(reading([film, back], ['director']).reach[1], [1, 0.2, 0]);
  });

  test('through others, in the order of the relations', () => {
    const ida = ['Ida Holm', 'Ida Holm was married to Ola Venn.'] as const;
    const ola = ['Ola Venn', 'Ola Venn met Bo Quist.'] as const;
    const steps = ['director', 'mother', 'spouse'];
    assert.deepEqual(reading([FILM, TOVA, ida, ola, ['Bo Quist', 'No.']], steps).reach, [
      [0, 1, 0],
      [1, 1, 1],
      [2, 1, 2],
      [3, 1, 3],
      [-1, 0, 0],
    ]);
  });

  test('over a relation that was used once no further time', () => {
    const ida = ['Ulf Brandt', 'Ulf Brandt was the son of Bo Brandt.'] as const;
    const bo = ['Bo Brandt', 'No.'] as const;
    const once = reading([TOVA, ida, bo], ['father']).reach;
    assert.deepEqual(once[1], [1, 1, 1]);
    assert.deepEqual(once[2], [2, 0.3, 1]);
    assert.deepEqual(reading([TOVA, ida, bo], ['father', 'father']).reach[2], [2, 1, 2]);
  });

  test('by a relation that leaves out a step', () =>
    assert.deepEqual(reading([FILM, TOVA], ['mother', 'director']).reach[1], [1, 1, 2]));

  test('by the strongest link to it', () => {
    const both = [
      'Grey Lanterns',
      'Grey Lanterns, a film by Bo Quist, was directed by Tova Brandt.',
    ] as const;
    const bo = ['Bo Quist', 'Bo Quist met Tova Brandt.'] as const;
    const weak = reading([['Grey Lanterns', 'It met Bo Quist and Tova Brandt.'], TOVA, bo]);
    assert.deepEqual(weak.reach, [
      [0, 1, 0],
      [1, 0.3, 0],
      [1, 0.3, 0],
    ]);
    assert.deepEqual(reading([both, TOVA, bo], ['director']).reach[1], [1, 1, 1]);
    // A longer way of strong links wins over a shorter one of weak links.
    const long = reading(
      [
        ['Grey Lanterns', 'Ida Holm saw Grey Lanterns, directed by Tova Brandt.'],
        TOVA,
        ['Ida Holm', 'No.'],
      ],
      ['director', 'mother'],
    );
    assert.deepEqual(long.reach, [
      [0, 1, 0],
      [1, 1, 1],
      [2, 1, 2],
    ]);
  });

  test('by links both ways, each further one weaker', () => {
    const texts = [
      ['Grey Lanterns', 'Nothing.'],
      ['Tova Brandt', 'Tova Brandt saw Grey Lanterns.'],
      ['Ida Holm', 'Ida Holm saw Tova Brandt.'],
    ] as const;
    assert.deepEqual(reading(texts).reach, [
      [0, 1, 0],
      [1, 0.2, 0],
      [2, 0.04, 0],
    ]);
  });
});
