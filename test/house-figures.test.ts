/** Tests what the house counts: circles of files, and words that stand where a noun should. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { circlesOf } from '../tools/house/circles.ts';
import { vagueWords } from '../tools/house/vague-words.ts';

test('files are in one circle if and only if each leads to the other', () => {
  const edges = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 16 });
  fc.assert(
    fc.property(edges, pairs => {
      const names = Array.from({ length: 8 }, (_, index) => `${index}`);
      const imports = new Map(
        names.map(name => [name, pairs.filter(([a]) => `${a}` === name).map(([, b]) => `${b}`)]),
      );
      const leads = (from: string, to: string, seen = new Set<string>()): boolean =>
        imports.get(from)!.some(next => {
          if (next === to) return true;
          if (seen.has(next)) return false;
          seen.add(next);
          return leads(next, to, seen);
        });
      const circles = circlesOf(imports);
      for (const a of names)
        for (const b of names)
          if (a !== b)
            assert.equal(
              circles.some(circle => circle.includes(a) && circle.includes(b)),
              leads(a, b) && leads(b, a),
            );
    }),
  );
});

test('a participle counts as a name in code and before a verb or a mark in prose', () => {
  const text =
    '/** The files given, and one of them: its own name. */\nconst wanted = { given: 1 };\n';
  const counts = vagueWords([{ path: 'a.ts', text }]);
  assert.deepEqual(Object.fromEntries(counts), { own: 0, one: 1, given: 2, named: 0, wanted: 1 });
});
