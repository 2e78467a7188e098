/** Checks that headings and places of documents are searched, shown to readers, and printed. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sentencesOf } from '../src/core/corpus/chunker.ts';
import type { Document } from '../src/core/corpus/document.ts';
import { headingLine, titleAt } from '../src/core/corpus/outline.ts';
import { readDocuments } from '../src/documents/read-documents.ts';
import { openStore } from '../src/index.ts';
import { withHeader } from '../src/search/vectors/text-templates.ts';
import { freshFolder, run } from './running-command.ts';

const MANUAL = `# Manual of the Kestrel server

Kestrel answers requests.

## Limits

### bodyLimit

Default: 1048576 bytes. Larger bodies are refused.

### headerLimit

Default: 8192 bytes. Larger heads are refused.

## Files

| Option | Default |
| --- | --- |
| root | ./public |
| index | start.html |

## Appendix
`;

let folder: string;
let manual: Document;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'multihop-outline-'));
  writeFileSync(join(folder, 'manual.md'), MANUAL);
  writeFileSync(join(folder, 'other.md'), '# Notes on the Heron client\n\nHeron sends requests.\n');
  for await (const event of readDocuments([join(folder, 'manual.md')]))
    if (event.type === 'document') manual = event.document;
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe('documents with an outline', () => {
  test('name the headings above an offset', () => {
    const at = manual.text.indexOf('Default: 8192');
    assert.equal(headingLine(manual, at), 'Limits > headerLimit');
    assert.equal(titleAt(manual, at), 'Manual of the Kestrel server > Limits > headerLimit');
    const { outline: _, ...plain } = manual;
    const without: Document = plain;
    assert.equal(titleAt(without, at), 'Manual of the Kestrel server');
    assert.equal(headingLine(without, at), '');
  });

  test('are cut into sentences without headings, but for one that heads nothing', () => {
    const texts = sentencesOf(manual).map(({ text }) => text);
    assert.ok(texts.includes('Default: 8192 bytes.'), texts.join('\n'));
    assert.ok(!texts.includes('headerLimit') && !texts.includes('Limits'));
    assert.ok(texts.includes('Appendix'));
  });

  test('give embedders the headings above a sentence', () => {
    const sentence = sentencesOf(manual).find(({ text }) => text.startsWith('Default: 1048576'))!;
    const [head] = withHeader(manual, sentence).split('\n');
    assert.equal(head, 'Manual of the Kestrel server > Limits > bodyLimit');
  });

  test('are found by a heading, shown below it, and printed with their place', async () => {
    const path = join(freshFolder(), 'notes.store');
    const out = await run(['ingest', folder, '--store', path]);
    assert.equal(out.code, 0, out.err);
    await using store = await openStore(path);
    const question = 'What is the default of headerLimit?';
    const asked = await run(['ask', question, '--store', path, '--answer-at', '0']);
    assert.match(asked.out, /manual\.md:13 \| Limits > headerLimit\n {4}» Default: 8192 bytes\./);
    const trace = await store.ask(question, { answerAt: 0 });
    assert.match(trace.context.text, /^Limits > headerLimit\nDefault: 8192 bytes\.$/m);
    const json = JSON.parse((await run(['ask', question, '--store', path, '--json'])).out) as {
      evidence: { quotes: { heading?: string[]; line?: number; text: string }[] }[];
    };
    const quotes = json.evidence.flatMap(item => item.quotes);
    const quoted = quotes.find(({ text }) => text.includes('8192'))!;
    assert.deepEqual(quoted.heading, ['Limits', 'headerLimit']);
    assert.equal(quoted.line, 13);
  });
});
