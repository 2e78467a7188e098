/**
 * The page of `multihop inspect` in Chromium of the system; skipped by name where none is
 * installed.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, launchOptions } from './chromium.ts';
import { checkAccess, focusedRow, openPage } from './inspector-pages.ts';
import { demoStore, freshFolder, succeeds } from './running-command.ts';

const skip = CHROMIUM === undefined && 'needs Chromium (Debian: apt-get install chromium)';
const QUESTION =
  "Which company is to replace the engines of the ship from which this year's winner of the Fathom Prize listens to the sea?";

describe('the hop inspector in Chromium', { skip }, () => {
  let browser: Browser;
  const folder = freshFolder();
  const at = (name: string): string => join(folder, name);
  const url = (name: string): string => pathToFileURL(at(name)).href;
  const works = async (...words: string[]): Promise<string> => {
    const { out } = await succeeds(words);
    return out;
  };
  before(async () => {
    browser = await chromium.launch(launchOptions());
    const store = ['--store', await demoStore()];
    await works('ask', QUESTION, ...store, '--full-trace', '--trace', at('lanes.jsonl'));
    const iterative = ['--strategy', 'iterative(rounds=3)', '--context', 'lead'];
    const short = [...iterative, '--reader', 'extractive', '--trace', at('iterative.jsonl')];
    await works('ask', QUESTION, ...store, ...short);
    await works('inspect', at('lanes.jsonl'), ...store, '-o', at('lanes.html'));
    await works('inspect', at('iterative.jsonl'), '-o', at('iterative.html'));
    const both = [at('lanes.jsonl'), at('iterative.jsonl')];
    await works('inspect', ...both, '-o', at('both.html'));
  });
  after(() => browser.close());

  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280])
      test(`shows a trace, ${colorScheme}, ${width} px: axe finds nothing, nothing is called`, async () => {
        const opened = await openPage(browser, url('lanes.html'), { width, colorScheme });
        const { page, complaints, requests } = opened;
        assert.equal(await page.locator('.question').textContent(), QUESTION);
        assert.match((await page.locator('.answer').textContent())!, /Dunmarrow Drives/);
        await page.locator('[role=treeitem] .query').first().click();
        await page.getByText('The same as a table').click();
        await checkAccess(page);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
        assert.deepEqual(complaints, []);
        assert.deepEqual(requests, [url('lanes.html')]);
        await page.close();
      });

  test('its tree is walked by keyboard, and says what became of each hit', async () => {
    const { page } = await openPage(browser, url('lanes.html'));
    await page.locator('[role=treeitem][tabindex="0"]').focus();
    assert.match(await focusedRow(page), /^Hop 1.*21 kept/);
    await page.keyboard.press('ArrowDown');
    assert.match(await focusedRow(page), /Which company.*60 sentences/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.match(await focusedRow(page), /^1kept.*Ilse Tarrandine is this year's winner/);
    const detail = page.locator('.detail');
    assert.match((await detail.textContent())!, /hop 1 kept it, score 19\.52/);
    assert.match((await detail.textContent())!, /led to.*hop 2, search 1: Ilse Tarrandine/);
    await page.keyboard.press('End');
    assert.match(await focusedRow(page), /^Hop 3/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    // The search came from a hit of the hop before: its link moves there.
    assert.match(
      (await detail.textContent())!,
      /came from.*hop 2, search 1, wandering-linnet#s0000/,
    );
    await detail.getByRole('button', { name: 'hop 2, search 1' }).click();
    assert.match(await focusedRow(page), /Nobody whistles on the Wandering Linnet/);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.equal(
      await page.evaluate("document.activeElement.getAttribute('aria-expanded')"),
      'false',
    );
    await page.close();
  });
});
