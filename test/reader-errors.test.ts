/** Checks that whatever the reader of a file throws skips this file by name, and nothing else. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type InputError, PortError } from '../src/core/errors.ts';
import type { Format } from '../src/documents/format.ts';
import { formats } from '../src/documents/formats.ts';
import { type ReadOptions, readDocuments } from '../src/documents/read-documents.ts';
import { openDocumentStore } from '../src/session/open-store.ts';
import { freshFolder } from './running-command.ts';

const overflow = (): never => overflow();
const THROWN: Readonly<Record<string, readonly [read: () => unknown, reason: RegExp]>> = {
  'a SyntaxError': [() => JSON.parse('{'), /its reader failed: SyntaxError/],
  'a TypeError': [() => (undefined as unknown as string).length, /its reader failed: TypeError/],
  'a RangeError': [() => 'a'.repeat(-1), /its reader failed: RangeError/],
  'an overflow of the stack': [overflow, /nested too deep for its reader/],
  'a text': [
    () => {
      throw 'a plain text';
    },
    /its reader failed: a plain text/,
  ],
  nothing: [
    () => {
      throw undefined;
    },
    /its reader failed: undefined/,
  ],
  'an object without a prototype': [
    () => {
      throw Object.create(null);
    },
    /its reader failed: an object/,
  ],
  'a rejected promise': [() => Promise.reject(new Error('too\nlate')), /failed: Error: too late/],
};

let thrown: () => unknown = () => undefined;
const throwing: Format = {
  name: 'throwing',
  extensions: ['throwing'],
  summary: 'throws',
  // biome-ignore lint/correctness/useYield: it throws before.
  async *read() {
    await thrown();
  },
};

function folderOf(): string {
  const folder = freshFolder();
  for (const name of ['a.txt', 'b.throwing', 'c.txt'])
    writeFileSync(join(folder, name), `Text ${name}.`);
  return folder;
}

async function read(options: ReadOptions = {}): Promise<void> {
  for await (const _ of readDocuments([folderOf()], options));
}

describe('an error of a reader', () => {
  before(() => (formats as Format[]).push(throwing));
  after(() => (formats as Format[]).pop());

  for (const [what, [failure, reason]] of Object.entries(THROWN))
    test(`${what}: the file is skipped by name, the others are stored`, async () => {
      thrown = failure;
      const folder = folderOf();
      await using store = await openDocumentStore(join(freshFolder(), 's'));
      const skipped: string[] = [];
      for await (const event of store.ingest({ paths: [folder] }))
        if (event.type === 'skipped') skipped.push(`${event.path}: ${event.reason}`);
      assert.equal(skipped.length, 1);
      assert.ok(skipped[0]!.startsWith(join(folder, 'b.throwing')));
      assert.match(skipped[0]!, reason);
      const { documents } = await store.documents({ limit: 10 });
      assert.deepEqual(
        documents.map(({ id }) => id),
        ['a.txt', 'c.txt'],
      );
    });

  test('ends a strict reading, with the file', async () => {
    thrown = THROWN['a TypeError']![0];
    await assert.rejects(
      read({ strict: true }),
      (error: InputError) => error.code === 'unread-document' && /b\.throwing/.test(error.message),
    );
  });

  test('of the disk ends the reading', async () => {
    thrown = () => {
      throw new PortError('disk', 'EIO', 'Reading failed');
    };
    await assert.rejects(read(), { code: 'EIO' });
  });
});
