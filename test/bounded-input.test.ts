/** Tests that what makes parsers and planners slow is bounded, and reads as before below that. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { readDocuments } from '../src/documents/index.ts';
import { documentFromRecord, isoTime } from '../src/documents/records/record.ts';
import { sourceAliases } from '../src/language/english/names/source-names.ts';
import { freshFolder } from './fresh-folder.ts';

async function documentsOf(name: string, text: string): Promise<Document[]> {
  const path = join(freshFolder(), name);
  writeFileSync(path, text);
  const documents: Document[] = [];
  for await (const event of readDocuments([path]))
    if ('document' in event) documents.push(event.document as Document);
  return documents;
}

const skippedOf = (record: object): string | undefined => {
  const loaded = documentFromRecord({ id: 'a', text: 'A text.', ...record });
  return 'skipped' in loaded ? loaded.skipped : undefined;
};
const nested = (levels: number, key: string, inner: unknown): unknown =>
  levels === 0 ? inner : { [key]: nested(levels - 1, key, inner) };

describe('bounded input', () => {
  test('a source that is no name has no aliases', () => {
    assert.deepEqual(sourceAliases(`A${' '.repeat(40_000)}B`), []);
    assert.deepEqual(sourceAliases('The Harbour Daily | Ports'), [
      'The Harbour Daily',
      'Harbour Daily',
    ]);
  });

  test('a record has at most 10,000 fields, whose names with their path have at most 1,000', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
    assert.equal(skippedOf({ many: many(9000) }), undefined);
    assert.match(skippedOf({ many: many(10_001) })!, /more than 10000 fields/);
    assert.match(skippedOf({ metadata: many(10_001) })!, /more than 10000 fields/);
    assert.match(skippedOf({ list: [many(6000), many(6000)] })!, /more than 10000 fields/);
    assert.equal(skippedOf({ deep: nested(9, 'x'.repeat(99), 1) }), undefined);
    assert.match(skippedOf({ deep: nested(11, 'x'.repeat(99), 1) })!, /longer than 1000/);
    assert.match(skippedOf({ deep: nested(70, 'x', 1) })!, /deeper than 64/);
  });

  test('zeros at the end of a fraction of a second go, others stay', () => {
    const at = (fraction: string): string => isoTime(`2023-10-07 20:15:26.${fraction}Z`);
    assert.equal(at('0'.repeat(80_000)), '2023-10-07T20:15:26+00:00');
    assert.equal(at('0500'), '2023-10-07T20:15:26.05+00:00');
    assert.equal(at(`${'0'.repeat(80_000)}1`).length, 80_001 + '2023-10-07T20:15:26.+00:00'.length);
  });

  test('a list of front matter keeps all of its lines', async () => {
    const items = Array.from({ length: 20_000 }, (_, at) => `t${at}`);
    const lines = items.map(item => `- ${item}\n`).join('');
    const [document] = await documentsOf('a.md', `---\ntags:\n${lines}---\nA text.\n`);
    assert.deepEqual(document!.metadata['tags'], items);
  });

  test('long words and addresses of Markdown keep their characters', async () => {
    for (const [text, expected] of [
      [`${'_a'.repeat(5000)} *em* end`, `${'_a'.repeat(5000)} em end`],
      [`see https://a.example/${'b'.repeat(3000)} end`, undefined],
      [`${'word '.repeat(2000)}**bold** ada@example.org`, undefined],
    ] as const) {
      const [document] = await documentsOf('a.md', text);
      assert.equal(document!.text.trim(), expected ?? text.replaceAll('**', ''));
    }
  });
});
