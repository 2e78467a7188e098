/**
 * Tests small files that would take gigabytes or minutes: each is skipped by name, and memory and
 * time of all processes of its ingest are bounded.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import { treeUsed } from '../bench/tree-usage.ts';
import { readDocuments } from '../src/documents/index.ts';
import { docxOf, epubOf, PAGE, paragraph, pdfOf, pdfOfStream } from './office-files.ts';
import { freshFolder, PACKAGE } from './running-command.ts';

const MOST_MEGABYTES = 600;
const MOST_CPU_SECONDS = 20;
const LINUX = { skip: process.platform === 'linux' ? false : 'reads /proc' };

const packed = (times: number, content: string | Uint8Array): Uint8Array =>
  times === 0 ? Buffer.from(content as string) : packed(times - 1, deflateSync(content));
const flate = (times: number): string[] => Array.from({ length: times }, () => 'FlateDecode');
const streamOf = (times: number, content: string | Uint8Array): Buffer =>
  pdfOfStream(packed(times, content), flate(times));
const shown = (text: string, times: number): string =>
  `BT /F1 10 Tf 50 700 Td ${`(${text}) Tj `.repeat(times)}ET`;
/** Pages that all show one stream: each takes a second. */
const busy = (): Buffer =>
  pdfOfStream(packed(1, 'q Q '.repeat(1_000_000)), flate(1), { pages: 1000 });
/** Texts that no compression makes a hundredth of. */
const different = (count: number): string[] => {
  let x = 1;
  return Array.from({ length: count }, () => {
    x = (x * 1_103_515_245 + 12_345) % 2_147_483_648;
    return `a${x % 10}`;
  });
};
const MEMORY = /reading it takes more than \d+ MiB of memory/;
const INFLATION = /inflates to more than 100 times its bytes/;
const FILES: Readonly<Record<string, readonly [what: string, make: () => Buffer, reason: RegExp]>> =
  {
    'large.docx': [
      'a document that inflates to 300 MB',
      () => docxOf(paragraph('Lorem ipsum dolor sit amet.').repeat(4_800_000)),
      /word\/document\.xml holds more than 50/,
    ],
    'lying.docx': [
      'a document that is larger than its archive states',
      () => docxOf(paragraph('hello').repeat(3_000_000), { size: 1000 }),
      /word\/document\.xml is damaged/,
    ],
    'paragraphs.docx': [
      '400,000 paragraphs',
      () => docxOf(paragraph('x').repeat(400_000)),
      INFLATION,
    ],
    'different.docx': [
      '400,000 paragraphs that differ',
      () =>
        docxOf(
          different(400_000)
            .map(text => paragraph(text))
            .join(''),
        ),
      MEMORY,
    ],
    'paragraphs.epub': [
      '5 million paragraphs',
      () => epubOf('<p>x</p>'.repeat(5_000_000)),
      INFLATION,
    ],
    'page.html.gz': [
      'a page that inflates to 40 MB',
      () => gzipSync(`${PAGE}${'<p>x</p>'.repeat(5_000_000)}`),
      INFLATION,
    ],
    'spaces.pdf': [
      'a filter inside a filter',
      () => streamOf(2, Buffer.alloc(1_900_000_000, 32)),
      MEMORY,
    ],
    'string.pdf': [
      'a stream of one string',
      () => streamOf(1, `(${'a'.repeat(200_000_000)}) Tj`),
      MEMORY,
    ],
    'text.pdf': ['a stream of text', () => streamOf(2, shown('a', 20_000_000)), MEMORY],
    'busy.pdf': ['pages that take a second each', busy, /reading it takes more than \d+ s/],
  };

describe('small files that would take gigabytes or minutes', LINUX, () => {
  for (const [name, [what, make, reason]] of Object.entries(FILES))
    test(`${name}: ${what}`, async t => {
      const folder = freshFolder();
      const path = join(folder, name);
      writeFileSync(path, make());
      const command = join(PACKAGE, 'src', 'cli', 'main.ts');
      const words = [command, 'ingest', path, '--store', join(folder, 'store')];
      const { output, memory, cpu } = await treeUsed(words);
      t.diagnostic(`${memory.toFixed(0)} MB, ${(cpu / 1000).toFixed(1)} s of processor time`);
      assert.ok(output.includes(`skipped ${path}: `), output);
      assert.match(output, reason);
      assert.ok(memory < MOST_MEGABYTES, `${memory} MB`);
      assert.ok(cpu < MOST_CPU_SECONDS * 1000, `${cpu} ms`);
    });
});

const GOOD = pdfOf([[[10, 0, 'Words here.']]]);
const BAD = streamOf(2, Buffer.alloc(1_900_000_000, 32));

/** Returns a folder with these files. */
function folderOf(files: Readonly<Record<string, Uint8Array>>): string {
  const folder = freshFolder();
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  return folder;
}

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const event of readDocuments([folder]))
    names.push(event.type === 'document' ? event.document.id : `skipped ${event.reason}`);
  return names;
}

test('a file that is skipped costs no other file, and two readings no other reading', async () => {
  const folder = folderOf({
    'a.pdf': GOOD,
    'b.pdf': BAD,
    'c.pdf': GOOD,
    'd.docx': docxOf(paragraph('Words.')),
  });
  const [first, second] = await Promise.all([namesIn(folder), namesIn(folder)]);
  assert.deepEqual(first, second);
  assert.deepEqual([first[0], ...first.slice(2)], ['a.pdf', 'c.pdf', 'd.docx']);
  assert.match(first[1]!, MEMORY);
});

/** Returns the processes that this one has started. */
const children = (pid: number | undefined): string =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();

test('files are read by two processes at most, which end with the reading', LINUX, async () => {
  const folder = folderOf({ 'a.pdf': GOOD, 'b.docx': docxOf(paragraph('Words.')), 'c.pdf': GOOD });
  const seen = new Set<string>();
  let documents = 0;
  for await (const event of readDocuments([folder])) {
    assert.equal(event.type, 'document');
    documents++;
    for (const id of children(process.pid).split(' ')) seen.add(id);
  }
  assert.equal(documents, 3);
  assert.equal(seen.size, Math.min(2, availableParallelism()));
  assert.equal(children(process.pid), '');
});

test(
  'the process ends when the one that started it is killed, however busy it is',
  LINUX,
  async () => {
    const folder = folderOf({ 'a.pdf': busy() });
    const module = JSON.stringify(join(PACKAGE, 'src/documents/index.ts'));
    const code = `const { readDocuments } = await import(${module});
    for await (const event of readDocuments([${JSON.stringify(folder)}])) console.log(event);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: 'ignore',
    });
    let reading = '';
    while (reading === '') {
      await setTimeout(20);
      reading = children(parent.pid);
    }
    // It is busy by then, or starts and meets a closed channel.
    await setTimeout(1500);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    for (let tries = 0; existsSync(`/proc/${reading}`) && tries < 100; tries++)
      await setTimeout(50);
    assert.equal(existsSync(`/proc/${reading}`), false);
  },
);
