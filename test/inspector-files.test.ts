/** Traces that are dropped on the page, hostile ones, large ones, and those of reports. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { defined } from '../src/core/defined.ts';
import { sealEvents } from '../src/core/trace/audit.ts';
import type { Hop, TraceEvent } from '../src/core/trace/trace.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { CHROMIUM, launchOptions } from './chromium.ts';
import { checkAccess, elementCount, openPage } from './inspector-pages.ts';
import { argv, demoDataSet, freshFolder, refuses, run, succeeds } from './running-command.ts';

const skip = CHROMIUM === undefined && 'needs Chromium (Debian: apt-get install chromium)';
const folder = freshFolder();
const at = (name: string): string => join(folder, name);
const url = (name: string): string => pathToFileURL(at(name)).href;

interface Made {
  readonly strategy?: string;
  readonly question?: string;
  /** Text of a title, an id's document, a query, an output and an answer. */
  readonly text?: string;
  readonly hops?: number;
  readonly hits?: number;
}

/** Writes a trace with hops of one search each, whose best hit is kept. */
function madeTrace(name: string, made: Made = {}): string {
  const { strategy = 'naive', question = 'Who?', text = 'plain', hops = 2, hits = 3 } = made;
  const hop = (index: number): Hop => ({
    reason: text,
    searches: [
      defined({
        text: `${text} ${index}`,
        retriever: 'lexical',
        unit: 'sentence',
        hits: Array.from({ length: hits }, (_, rank) => ({
          id: `${text}#${index}.${rank}`,
          documentId: text,
          start: 0,
          end: 5,
          score: hits - rank,
        })),
        from: index > 0 ? { hop: 0, search: 0, id: `${text}#0.0` } : undefined,
      }),
    ],
    kept: [
      {
        id: `${text}#${index}.0`,
        documentId: text,
        search: { hop: index, search: 0 },
        score: hits,
        spans: [[0, 5]],
      },
    ],
    rejected: [
      { id: `${text}#${index}.1`, search: { hop: index, search: 0 }, why: 'budget', detail: text },
    ],
    outputs: [{ role: text, text, parsed: true }],
    spent: { retrievals: 1, hops: 1, documents: index === 0 ? 1 : 0, contextTokens: 1 },
  });
  const evidence = Array.from({ length: hops }, (_, index) => ({
    id: `${text}#${index}.0`,
    documentId: text,
    title: text,
    score: hits,
    spans: [[0, 5]] as const,
    metadata: { source: text, url: 'javascript:alert(1)' },
  }));
  const citations = [{ id: `${text}#0.0`, documentId: text, start: 0, end: 5 }];
  const shown = `${text} | ${text}\nshown`;
  const parts = [
    { id: `${text}#0.0`, documentId: text, start: 0, end: shown.length, spans: [[0, 5]] as const },
  ];
  const events: TraceEvent[] = [
    {
      type: 'question',
      question: { id: 'q', text: question },
      strategy,
      retriever: 'lexical',
      context: 'sentences',
      reader: text,
      budget: { retrievals: 5 },
      manifest: { text },
      ms: 1,
    },
    ...Array.from({ length: hops }, (_, index): TraceEvent => {
      return { type: 'hop', index, hop: hop(index), ms: index + 2 };
    }),
    {
      type: 'context',
      evidence,
      ranking: [text],
      ms: hops + 3,
      context: { name: 'sentences', text: shown, tokens: 4, parts },
    },
    { type: 'answer', answer: { kind: 'answered', text, citations, support: 0.5 }, ms: hops + 4 },
    {
      type: 'end',
      ms: hops + 5,
      spent: { retrievals: hops, hops, documents: 1, contextTokens: hops },
    },
  ];
  writeFileSync(at(name), sealEvents(events, sha256, { full: true }));
  return at(name);
}

async function written(...words: string[]): Promise<void> {
  await succeeds(words);
}

/** Drops files on the page as a file manager does. */
async function drop(page: Page, ...names: string[]): Promise<void> {
  const files = names.map(name => ({ name, text: readFileSync(at(name), 'utf8') }));
  const transfer = await page.evaluateHandle(
    `(() => { const all = new DataTransfer(); for (const { name, text } of ${JSON.stringify(files)}) all.items.add(new File([text], name)); return all; })()`,
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

describe('files in the hop inspector in Chromium', { skip }, () => {
  let browser: Browser;
  before(async () => {
    browser = await chromium.launch(launchOptions());
    await written('inspect', madeTrace('first.jsonl'), '-o', at('first.html'));
  });
  after(() => browser.close());
  const open = (name: string) => openPage(browser, url(name));

  test('a dropped trace of the same question stands beside the first, another takes its place', async () => {
    const { page, complaints } = await open('first.html');
    madeTrace('second.jsonl', { strategy: 'iterative', text: 'other', hops: 3 });
    await drop(page, 'second.jsonl');
    await page.locator('.two .run').nth(1).waitFor();
    const rows = await page.locator('.comparison tbody tr').allTextContents();
    assert.ok(rows.includes('answerplainother') && rows.includes('hops23'), rows.join('; '));
    assert.ok(rows.includes('documents only hereplainother'), rows.join('; '));
    await checkAccess(page);
    madeTrace('third.jsonl', { question: 'What else?' });
    await drop(page, 'third.jsonl');
    await page.getByText('What else?', { exact: true }).waitFor();
    assert.equal(await page.locator('.run').count(), 1);
    assert.match((await page.locator('.about').textContent())!, /not checked/);
    await page.getByLabel('Beside', { exact: true }).selectOption({ index: 1 });
    assert.equal(await page.locator('.run').count(), 2);
    assert.match((await page.locator('.comparison').textContent())!, /different questions/);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('a file by its button, a cut trace with what is wrong, and a file that is none', async () => {
    const { page } = await open('first.html');
    const lines = readFileSync(at('first.jsonl'), 'utf8').split('\n');
    writeFileSync(at('cut.jsonl'), [...lines.slice(0, 2), lines[2]!.slice(0, 40)].join('\n'));
    await page.locator('#file').setInputFiles(at('cut.jsonl'));
    await page.getByRole('alert').filter({ hasText: 'Line 3 is not a line of a trace' }).waitFor();
    await page.locator('.about', { hasText: 'no seal' }).first().waitFor();
    writeFileSync(at('none.jsonl'), '');
    await page.locator('#file').setInputFiles(at('none.jsonl'));
    await page
      .locator('.status', { hasText: 'There is no trace in it' })
      .waitFor({ state: 'attached' });
    await page.close();
  });

  test('the command says of a changed trace that it is not sound, and the page does', async () => {
    const text = readFileSync(at('first.jsonl'), 'utf8').replace('"plain 0"', '"altered"');
    writeFileSync(at('changed.jsonl'), text);
    const { code, err, out } = await run(
      argv`inspect ${at('changed.jsonl')} -o ${at('changed.html')}`,
    );
    assert.equal(code, 0, err);
    assert.equal(out.trim(), at('changed.html'));
    assert.match(err, /changed\.jsonl is not sound: line 2/);
    const { page } = await open('changed.html');
    assert.match((await page.locator('.about').textContent())!, /Not sound: line 2/);
    await page.close();
  });

  test('hostile texts are texts: no script, no markup, no address, no direction beyond them', async () => {
    const hostile =
      '</script><script>alert(1)</script><img src=x onerror="alert(2)"><!--\u202eesrever <b>bold</b>';
    await written(
      'inspect',
      madeTrace('hostile.jsonl', { text: hostile }),
      '-o',
      at('hostile.html'),
    );
    const { page, complaints, requests } = await open('hostile.html');
    for (const summary of await page.locator('summary').all()) await summary.click();
    await page.locator('[role=treeitem]').first().focus();
    for (const key of ['*', 'ArrowRight', '*', 'ArrowRight']) await page.keyboard.press(key);
    assert.equal(await page.locator('[role=treeitem][aria-level="3"]').count(), 3);
    assert.equal(await page.locator('#app :is(img, b:not(figcaption b), script)').count(), 0);
    assert.equal(await page.locator('#app a').count(), 0);
    assert.match((await page.locator('.detail').textContent())!, /<b>bold<\/b>/);
    // Every text with the mark of direction stands in an element that isolates it.
    const loose = await page.evaluate(`(() => {
      const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT);
      const loose = [];
      for (let node; (node = walker.nextNode()); )
        if (node.data.includes('\\u202e') && !node.parentElement.closest('bdi, [dir=auto], option, script'))
          loose.push(node.parentElement.outerHTML.slice(0, 120));
      return loose;
    })()`);
    assert.deepEqual(loose, []);
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests, [url('hostile.html')]);
    await page.close();
  });

  test('a trace of 5 MB is a page of few elements, however far it is opened', async t => {
    madeTrace('large.jsonl', { hops: 200, hits: 400 });
    assert.ok(statSync(at('large.jsonl')).size > 5_000_000);
    await written('inspect', at('large.jsonl'), '-o', at('large.html'));
    const { page, complaints } = await open('large.html');
    await page.locator('[role=treeitem][aria-level="1"]').nth(100).waitFor();
    const before = await elementCount(page);
    t.diagnostic(`${before} elements for ${statSync(at('large.jsonl')).size} bytes`);
    assert.ok(before < 7_000, `${before} elements`);
    await page.locator('[role=treeitem][aria-level="2"]').first().click();
    const opened = await elementCount(page);
    assert.ok(opened - before < 300, `${opened - before} more for 400 hits`);
    await page.locator('[role=treeitem].more').first().click();
    assert.equal(await page.locator('[role=treeitem][aria-level="3"]').count(), 31);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.ok((await elementCount(page)) <= before + 60, 'what is closed is taken away');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('the rows of a report open their traces, one or two side by side', async () => {
    const out = at('runs');
    const strategies = ['--strategy', 'iterative', '--strategy', 'naive'];
    const reading = ['--context', 'lead', '--reader', 'extractive', '--out', out];
    await written('eval', 'multihop-rag', ...demoDataSet(folder), ...strategies, ...reading, '-q');
    await written('report', out, '--format', 'html', '-o', at('report.html'));
    const { page, complaints } = await open('report.html');
    const row = page.locator('#q-table tbody tr').nth(2);
    const question = await row.locator('button.open').textContent();
    await row.getByRole('link', { name: /^trace of/ }).click();
    assert.equal(await page.locator('.run').count(), 1);
    assert.equal(await page.locator('.question').textContent(), question);
    await page.goBack();
    await page.selectOption('#q-second', '1');
    await page.locator('#q-table tbody tr').nth(2).locator('button.open').click();
    await page.getByRole('link', { name: 'Both traces side by side' }).click();
    assert.deepEqual(await page.locator('.question').allTextContents(), [question, question]);
    const names = await page.locator('.comparison thead th').allTextContents();
    assert.match(names.join(), /^iterative.*,naive/);
    assert.deepEqual(complaints, []);
    await page.close();
    await written('report', out, '--format', 'html', '--no-traces', '-o', at('bare.html'));
    assert.ok(!readFileSync(at('bare.html'), 'utf8').includes('bare.traces'));
  });
});

test('a file that is no trace is an error, and nothing is written', async () => {
  writeFileSync(at('page.txt'), '<html>\n{"a": 1}\n\n[2]\n');
  await refuses(
    ['inspect', at('page.txt'), '-o', at('none.html')],
    /There is no trace to show in .*page\.txt/,
  );
  assert.ok(!existsSync(at('none.html')));
});
