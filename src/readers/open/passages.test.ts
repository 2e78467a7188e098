/** Checks how passages and sentences are read: titles, anchors and the weights of words. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Asked } from '../../language/asked.ts';
import { readOpen } from './passages.ts';
import { readTexts } from './read-texts.ts';

const bare = (title: string, text = 'It rained.'): string =>
  readOpen(new Asked('Who?'), [title], [{ part: 0, text }]).passages[0]!.bare;

describe('a passage is named by', () => {
  for (const [title, expected] of [
    ['Orla Venn', 'Orla Venn'],
    ['Orla Venn (poet)', 'Orla Venn'],
    ['Orla Venn (poet) ', 'Orla Venn'],
    ['Orla Venn(poet)', 'Orla Venn'],
    [' Orla Venn', 'Orla Venn'],
    ['Orla (Venn) Poet', 'Orla (Venn) Poet'],
    ['(1950)', '(1950)'],
  ] as const)
    test(`its title ${title}`, () => assert.equal(bare(title), expected));

  for (const [text, expected] of [
    ['Orla Venn is a welder.', 'Orla Venn'],
    ['The Grey Petrel sank.', 'Grey Petrel'],
    ['A Grey Petrel sank.', 'Grey Petrel'],
    ['An Old Petrel sank.', 'Old Petrel'],
    ['“Grey Petrel” is a song.', 'Grey Petrel'],
    ['The “grey petrel” is a song.', 'grey petrel'],
    ['Bell of the North rang.', 'Bell of the North'],
    ['In Dunmar it rained.', ''],
    ['Now then, Orla Venn left.', ''],
    ['it rained.', ''],
  ] as const)
    test(`the name that opens "${text}"`, () => assert.equal(bare('', text), expected));

  test('nothing without sentences', () =>
    assert.equal(readOpen(new Asked('Who?'), [''], []).passages[0]!.bare, ''));
});

test('sentences know their passages and places, whatever their order', () => {
  const { sentences, passages } = readOpen(
    new Asked('Who?'),
    ['A', 'B', 'C'],
    [
      { part: 1, text: 'Lamps burn.' },
      { part: 0, text: 'Ships sink.' },
      { part: 1, text: 'Orla left.' },
    ],
  );
  assert.deepEqual(
    sentences.map(({ index, passage, place }) => [index, passage, place]),
    [
      [0, 1, 0],
      [1, 0, 0],
      [2, 1, 1],
    ],
  );
  assert.deepEqual([...sentences[0]!.stems], ['lamp', 'burn']);
  assert.equal(sentences[2]!.mentions[0]!.text, 'Orla');
  assert.deepEqual(
    passages.map(each => [each.title, ...each.sentences.map(({ index }) => index)]),
    [['A', 1], ['B', 0, 2], ['C']],
  );
});

describe('an anchor', () => {
  const anchors = (question: string, ...titles: string[]) =>
    readOpen(new Asked(question), titles, []).anchors.map(({ passage, start, end }) => [
      passage,
      start,
      end,
    ]);

  for (const [question, titles, ...expected] of [
    ['Who is Orla Venn?', ['Orla Venn'], [0, 7, 16]],
    ['who is orla venn?', ['Orla Venn'], [0, 7, 16]],
    ['Who is Orla Venn?', ['Orla Venn (poet)'], [0, 7, 16]],
    ['Who is Orla Venn (poet)?', ['Orla Venn (poet)'], [0, 7, 23]],
    ['Who is Orla Vennson?', ['Orla Venn']],
    ['Who is Orla Venn?', ['Orla', 'Orla Venn'], [1, 7, 16]],
    ['Who is Orla Venn?', ['Venn', 'Orla Venn'], [1, 7, 16]],
    ['Who is Orla Venn?', ['Orla Venn', 'Orla Venn (poet)'], [0, 7, 16], [1, 7, 16]],
    ['Who is Tam, Orla?', ['Orla', 'Tam'], [1, 7, 10], [0, 12, 16]],
    ['Who is Xi?', ['Xi']],
    ['Who is Xii?', ['Xii'], [0, 7, 10]],
    ['Orla left?', ['Orla'], [0, 0, 4]],
    ['Who?', ['']],
  ] as const)
    test(`of ${titles.join(', ')} in "${question}"`, () =>
      assert.deepEqual(anchors(question, ...titles), expected));
});

describe('the words that no anchor binds', () => {
  const texts = [
    { part: 0, text: 'Lamps burn.' },
    { part: 0, text: 'Lamps sink.' },
    { part: 0, text: 'Venn.' },
  ];
  test('count by rarity', () => {
    const { unbound } = readOpen(
      new Asked('Are the lamps of Orla Venn burn or rust?'),
      ['Orla Venn'],
      texts,
    );
    assert.deepEqual(Object.fromEntries(unbound), {
      lamp: Math.log(1 + 3 / 3),
      burn: Math.log(1 + 3 / 2),
      rust: Math.log(1 + 3 / 1),
    });
  });
  test('are apart where the anchor stood', () => {
    const { unbound } = readOpen(
      new Asked('Is a lamp-Orla-mast lit by Tam?'),
      ['Orla', 'Tam'],
      texts,
    );
    assert.deepEqual([...unbound.keys()], ['lamp', 'mast', 'light']);
  });
});

test('relations, names and words of the asking clause are read', () => {
  const read = readTexts('Who is the mother of the director of Mother Road?', [
    ['Mother Road', 'Mother Road, a film by Tova Brandt, was directed by Ulf Quist.'],
  ]);
  assert.deepEqual(
    read.steps.map(({ relation }) => relation.name),
    ['director', 'mother'],
  );
  assert.deepEqual(
    read.stated[0]!.map(({ relation, mention }) => `${relation} ${mention.text}`),
    ['director Tova Brandt', 'director Ulf Quist'],
  );
  assert.equal(read.joint.joints.length, 1);
  assert.equal(read.asking.get('mother'), Math.exp(-1 / 9));
  assert.deepEqual([...read.kinds.get('mother road')!.called], ['film']);
});
