/** Tests plain texts that are known by their name alone, packed or not, and their titles. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Document } from '../src/core/corpus/document.ts';
import { readDocuments } from '../src/documents/read-documents.ts';
import { readPage, shownBlocks } from './format-blocks.ts';
import { freshFolder } from './fresh-folder.ts';

const folder = freshFolder();

const CHANGELOG = `git (1:2.39.5-0+deb12u3) bookworm; urgency=medium

  * Fix CVE-2025-27613

 -- A Person <a@b.c>  Tue, 07 Oct 2025 14:22:08 +0200

git (1:2.39.5-0+deb12u2) bookworm-security unstable; urgency=high, binary-only=yes

  * Fix CVE-2024-50349
`;

test('files of a folder with a known name are read whatever their extension', async () => {
  const doc = join(folder, 'git');
  mkdirSync(doc);
  const texts: Readonly<Record<string, string>> = {
    'changelog.Debian.gz': 'git/changelog.Debian',
    'changelog.gz': 'git/changelog',
    'NEWS.Debian': 'git/NEWS.Debian',
    'README.Bugs': 'git/README.Bugs',
    'ChangeLog.2019': 'git/ChangeLog.2019',
    'changelog.Debian.amd64.gz': 'git/changelog.Debian.amd64',
    'TODO.txt': 'git/TODO',
  };
  for (const name of Object.keys(texts)) {
    const text = `Words of ${name}.\n`;
    writeFileSync(join(doc, name), name.endsWith('.gz') ? gzipSync(text) : text);
  }
  for (const name of ['readme.py', 'changelog.yml', 'a.Debian', 'newsletter.Debian', 'README.png'])
    writeFileSync(join(doc, name), 'words\n');
  const read = new Map<string, Document>();
  const skipped: string[] = [];
  for await (const event of readDocuments([folder]))
    if (event.type === 'document') read.set(event.document.id, event.document);
    else skipped.push(event.path.slice(doc.length + 1));
  assert.deepEqual(
    Object.fromEntries([...read].map(([id, { title }]) => [id.slice(4), title])),
    texts,
  );
  assert.deepEqual(skipped.sort(), [
    'README.png',
    'a.Debian',
    'changelog.yml',
    'newsletter.Debian',
    'readme.py',
  ]);
  assert.equal(read.get('git/changelog.Debian.gz')!.text, 'Words of changelog.Debian.gz.\n');
});

test('binary content with a known name is skipped', async () => {
  await assert.rejects(readPage('README.Bugs', Buffer.from([1, 0, 2])), /binary/);
});

test('entries of a Debian changelog are sections, and no titles', async () => {
  const document = await readPage('git/changelog.Debian.gz', gzipSync(CHANGELOG));
  assert.equal(document.title, 'git/changelog.Debian');
  const [first, second] = [
    'git (1:2.39.5-0+deb12u3) bookworm; urgency=medium',
    'git (1:2.39.5-0+deb12u2) bookworm-security unstable; urgency=high, binary-only=yes',
  ];
  assert.deepEqual(shownBlocks(document), [
    `1 heading [${first}] ${first}`,
    `3 prose [${first}]   * Fix CVE-2025-27613`,
    `5 prose [${first}]  -- A Person <a@b.c>  Tue, 07 Oct 2025 14:22:08 +0200`,
    `7 heading [${second}] ${second}`,
    `9 prose [${second}]   * Fix CVE-2024-50349`,
  ]);
});

test('a version is no title of a list of versions', async () => {
  const page = await readPage(
    'json-c/NEWS',
    '0.13.1 (up to commit 0f814e5)\n=============================\n\nWords.\n',
  );
  assert.equal(page.title, 'json-c/NEWS');
});
