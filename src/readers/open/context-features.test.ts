/** Checks features of spans by the words around them, worked by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Mention } from '../../language/english/names/mentions.ts';
import { FeatureList } from '../features.ts';
import { contextFeatures } from './context-features.ts';
import type { OpenReading } from './reading.ts';

interface Given {
  readonly kind?: Mention['kind'];
  readonly unbound?: Readonly<Record<string, number>>;
  readonly head?: string;
  readonly noun?: string;
}

/** Features of the span in braces, of a question for a place. */
function features(marked: string, { kind = 'name', unbound = {}, head, noun = '' }: Given = {}) {
  const text = marked.replace(/[{}]/gu, '');
  const start = marked.indexOf('{');
  const end = marked.indexOf('}') - 1;
  const list = new FeatureList();
  contextFeatures(
    {
      asked: { kind: 'place', head: new Set(head === undefined ? [] : [head]), noun },
      unbound: new Map(Object.entries(unbound)),
    } as unknown as OpenReading,
    { index: 0, passage: 0, place: 0, text, mentions: [], stems: new Set() },
    { mention: { kind, start, end, text: text.slice(start, end) }, stemOf: word => word },
    (name, value) => list.add(name, value),
  );
  return Object.fromEntries(list.values);
}
const has = (name: string, marked: string, question: Given = {}): boolean =>
  features(marked, question)[name] === 1;

describe('the words around a span', () => {
  test('are those next to it, and the signs', () => {
    assert.deepEqual(features('She left Old {Holm}, then Vall.'), {
      'L:place:old': 1,
      'R:place:then': 1,
      'L:name:w': 1,
      'R:name:,': 1,
    });
    assert.deepEqual(features('{Holm}'), {
      'L:place:^': 1,
      'R:place:$': 1,
      'L:name:^': 1,
      'R:name:$': 1,
      'at start': 1,
    });
    assert.deepEqual(features('9 ({Holm} 4)', { kind: 'quote' }), {
      'L:place:9': 1,
      'R:place:4': 1,
      'L:quote:(': 1,
      'R:quote:w': 1,
      'parenthesis:place': 1,
    });
  });

  test('count by their weight and their distance', () => {
    const unbound = { lamp: 3, mast: 6 };
    const found = features('A lamp and mast {Holm} lamp.', { unbound });
    assert.equal(found['near:left'], (6 + 3 * Math.exp(-2 / 3)) / 3);
    assert.equal(found['near:right'], 1);
    assert.equal(features('{Holm} sea lamp', { unbound })['near:right'], Math.exp(-1 / 3));
  });

  test('are within 60 characters', () => {
    const unbound = { lamp: 3 };
    const far = (size: number): string => ' '.repeat(size);
    assert.equal(features(`lamp${far(56)}{Holm}`, { unbound })['near:left'], 1);
    assert.equal(features(`lamp${far(57)}{Holm}`, { unbound })['near:left'], undefined);
    assert.equal(features(`{Holm}${far(56)}lamp`, { unbound })['near:right'], 1);
    assert.equal(features(`{Holm}${far(57)}lamp`, { unbound })['near:right'], undefined);
  });

  test('hold the noun that is asked for, at most five words away', () => {
    const question = { head: 'lamp' };
    assert.ok(has('head:near', 'The lamp a b c d {Holm}.', question));
    assert.ok(!has('head:near', 'The lamp a b c d e {Holm}.', question));
    assert.ok(has('head:near', 'The {Holm} a b c d lamp.', question));
    assert.ok(!has('head:near', 'The {Holm} a b c d e lamp.', question));
    assert.ok(!has('head:near', 'The {Holm} a b.', question));
  });

  test('count what is asked for, at most three words behind', () => {
    const question: Given = { noun: 'lamp', kind: 'number' };
    assert.ok(has('counted:number', 'It has {nine} a b lamp.', question));
    assert.ok(!has('counted:number', 'It has {nine} a b c lamp.', question));
    assert.ok(has('counted:number', 'It has {nine old Lamp}.', question));
    assert.ok(!has('counted:number', 'It has {lamp nine}.', question));
    assert.ok(!has('counted:number', 'It has lamp {nine}.', question));
    assert.ok(!has('counted:number', 'It has {nine} .', { kind: 'number' }));
  });

  test('may open a parenthesis that holds it', () => {
    for (const [marked, expected] of [
      ['He (of {Holm}) left.', true],
      ['He (so) of {Holm} left.', false],
      ['He (so) (of {Holm}) left.', true],
      ['He of {Holm} left.', false],
    ] as const)
      assert.equal(has('parenthesis:place', marked), expected, marked);
  });
});
