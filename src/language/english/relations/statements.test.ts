/** Checks which mentions state a relation, by their kind and by the text around them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Mention, MentionKind } from '../names/mentions.ts';
import { after, before, type Relation } from './relation.ts';
import { statements } from './statements.ts';

const relation = (fields: Partial<Relation>): Relation => ({
  name: 'keeper',
  asks: /keeper/u,
  leads: false,
  kinds: ['name'],
  before: [],
  after: [],
  ...fields,
});
const KEPT = relation({ before: before('\\bkept by '), after: after(' keeps\\b') });
const FIRST = relation({ name: 'first', lead: before('\\bThe ') });

const mentionIn = (text: string, value: string, kind: MentionKind = 'name'): Mention => ({
  kind,
  text: value,
  start: text.indexOf(value),
  end: text.indexOf(value) + value.length,
});

/** Relation and form of what a sentence states of `Orla`. */
function stated(
  text: string,
  relations: readonly Relation[],
  { place = 0, kind = 'name' as MentionKind } = {},
): (string | boolean)[][] {
  const mentions = [mentionIn(text, 'Orla', kind)];
  const found = statements({ text, place, mentions }, relations);
  assert.ok(found.every(({ mention }) => mention === mentions[0]));
  return found.map(each => [each.relation, each.lead]);
}

describe('a mention states a relation', () => {
  test('by the text before it', () => {
    assert.deepEqual(stated('The lamp is kept by Orla.', [KEPT]), [['keeper', false]]);
    assert.deepEqual(stated('The lamp is kept by my Orla.', [KEPT]), []);
  });

  test('by the text after it', () => {
    assert.deepEqual(stated('Orla keeps the lamp.', [KEPT]), [['keeper', false]]);
    assert.deepEqual(stated('Orla now keeps the lamp.', [KEPT]), []);
  });

  test('in a first sentence alone, by the patterns of first sentences', () => {
    assert.deepEqual(stated('The Orla sank.', [FIRST]), [['first', true]]);
    assert.deepEqual(stated('The Orla sank.', [FIRST], { place: 1 }), []);
  });

  test('once, as a lead if any pattern of first sentences matches', () => {
    const both = relation({ before: before('\\bThe '), lead: before('\\bThe ') });
    assert.deepEqual(stated('The Orla sank.', [both]), [['keeper', true]]);
    assert.deepEqual(stated('The Orla sank.', [both], { place: 2 }), [['keeper', false]]);
  });

  test('for each relation, in their order', () =>
    assert.deepEqual(stated('The Orla keeps.', [KEPT, FIRST]), [
      ['keeper', false],
      ['first', true],
    ]));

  test('if its kind is one of the values; a quote stands for a name', () => {
    const text = 'The lamp is kept by Orla.';
    assert.deepEqual(stated(text, [KEPT], { kind: 'quote' }), [['keeper', false]]);
    assert.deepEqual(stated(text, [KEPT], { kind: 'noun' }), []);
    const timed = relation({ kinds: ['time'], before: before('\\bkept by ') });
    assert.deepEqual(stated(text, [timed], { kind: 'quote' }), []);
    assert.deepEqual(stated(text, [timed], { kind: 'time' }), [['keeper', false]]);
    const either = relation({ kinds: ['time', 'name'], before: before('\\bkept by ') });
    assert.deepEqual(stated(text, [either]), [['keeper', false]]);
  });
});

describe('patterns see', () => {
  const far = relation({ before: before('lamp.*'), lead: before('^lamp.*') });
  const wide = relation({ after: after('.*lamp') });
  const filler = (length: number): string => 'x'.repeat(length);

  test('160 characters before a mention', () => {
    assert.deepEqual(stated(`lamp${filler(156)}Orla`, [far], { place: 1 }), [['keeper', false]]);
    assert.deepEqual(stated(`lamp${filler(157)}Orla`, [far], { place: 1 }), []);
  });

  test('the start of a first sentence only if the mention is within them', () => {
    assert.deepEqual(stated(`lamp${filler(156)}Orla`, [far]), [['keeper', true]]);
    assert.deepEqual(stated(`xlamp${filler(156)}Orla`, [far]), [['keeper', false]]);
  });

  test('60 characters after it', () => {
    assert.deepEqual(stated(`Orla${filler(56)}lamp`, [wide]), [['keeper', false]]);
    assert.deepEqual(stated(`Orla${filler(57)}lamp`, [wide]), []);
  });
});

test('mentions state in their order', () => {
  const text = 'Orla keeps what is kept by Tam.';
  const mentions = [mentionIn(text, 'Orla'), mentionIn(text, 'Tam')];
  assert.deepEqual(
    statements({ text, place: 0, mentions }, [KEPT]).map(({ mention }) => mention.text),
    ['Orla', 'Tam'],
  );
  assert.deepEqual(statements({ text, place: 0, mentions: [] }, [KEPT]), []);
});
