/**
 * The HTML report in a real browser: Chromium of the system, light and dark, at three widths. It is
 * skipped by name where none is installed; `MULTIHOP_CHROMIUM` names another.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { htmlReport } from '../src/evaluation/report/html-report.ts';
import { CHROMIUM, launchOptions } from './chromium.ts';
import { manyQuestions } from './report-fixture.ts';

const SIZES = [390, 1280, 1920] as const;
const skip = CHROMIUM === undefined && 'needs Chromium (Debian: apt-get install chromium)';
const QUESTIONS = 2_500;

interface Opened {
  readonly page: Page;
  /** Messages of the console and errors of the script. */
  readonly told: readonly string[];
  readonly requests: readonly string[];
  readonly milliseconds: number;
}

describe('the HTML report in Chromium', { skip }, () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'multihop-report-'));
  const path = join(folder, 'report.html');
  const { result, questions } = manyQuestions(QUESTIONS);
  const html = htmlReport(result, {}, questions);
  before(async () => {
    writeFileSync(path, html);
    browser = await chromium.launch(launchOptions());
  });
  after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function opened(width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Opened> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const told: string[] = [];
    const requests: string[] = [];
    page.on('console', message => told.push(message.text()));
    page.on('pageerror', error => told.push(error.message));
    page.on('request', request => requests.push(request.url()));
    const start = performance.now();
    await page.goto(pathToFileURL(path).href);
    await page.waitForSelector('#q-table tbody tr');
    return { page, told, requests, milliseconds: performance.now() - start };
  }
  const texts = (page: Page, selector: string): Promise<string[]> =>
    page.locator(selector).allInnerTexts();
  const count = async (page: Page): Promise<string> =>
    (await page.locator('#q-count').textContent()) ?? '';

  for (const scheme of ['light', 'dark'] as const)
    for (const width of SIZES)
      test(`fits ${width} px, ${scheme}: nothing clipped, no errors, no requests`, async t => {
        const { page, told, requests, milliseconds } = await opened(width, scheme);
        t.diagnostic(`${html.length} bytes, shown after ${milliseconds.toFixed(0)} ms`);
        await page.selectOption('#q-second', '1');
        await page.click('#q-table tbody tr:first-child button.open');
        const { over, clipped, paper } = await page.evaluate(measured);
        assert.ok(over <= 0, `${over} px too wide`);
        assert.deepEqual(clipped, []);
        assert.equal(paper, scheme === 'dark' ? 'rgb(21, 23, 26)' : 'rgb(255, 255, 255)');
        assert.deepEqual(told, []);
        assert.deepEqual(requests, [pathToFileURL(path).href]);
        await page.close();
      });

  test('searches, filters, sorts and turns pages', async () => {
    const { page } = await opened(1280);
    assert.equal(await count(page), `${QUESTIONS} questions, 1 to 25 shown`);
    await page.fill('#q-search', 'QUESTION 1234 needle');
    // It is evidence of another question too.
    assert.equal(await count(page), `2 of ${QUESTIONS} questions`);
    await page.click('#q-reset');
    await page.selectOption('#q-verdict', 'wrong');
    const wrong = questions.records.questions.filter(
      (_, index) => questions.scores['first']!['QaAccuracy(strict)']![index] === 0,
    ).length;
    assert.match(await count(page), new RegExp(`^${wrong} of ${QUESTIONS} questions`));
    for (const text of await texts(page, '#q-table tbody .verdict')) assert.match(text, /wrong/);
    await page.selectOption('#q-verdict', '');
    await page.click('[data-sort=evidence]');
    const shares = await texts(page, '#q-table tbody tr td:nth-child(4)');
    assert.ok(
      shares.every(text => text === '0 of 2'),
      shares.join(),
    );
    const sorted = page.locator('#q-table [aria-sort]');
    assert.equal(await sorted.getAttribute('aria-sort'), 'ascending');
    await page.click('[data-sort=evidence]');
    assert.equal(await sorted.getAttribute('aria-sort'), 'descending');
    await page.click('[data-sort=order]');
    await page.click('#q-pages >> text=Last');
    assert.equal(await count(page), `${QUESTIONS} questions, 2476 to 2500 shown`);
    await page.close();
  });

  test('shows two systems side by side, and why evidence was missed', async () => {
    const { page } = await opened(1280);
    await page.selectOption('#q-second', '1');
    await page.selectOption('#q-difference', 'first');
    await page.fill('#q-search', '</script>');
    const verdicts = await texts(page, '#q-table tbody .verdict');
    assert.ok(verdicts.length > 0 && verdicts.length % 2 === 0);
    for (const [at, text] of verdicts.entries())
      assert.match(text, at % 2 === 0 ? /right/ : /wrong|refused|failed/);
    await page.click('#q-table tbody tr:first-child button.open');
    const detail = (await page.locator('.detail').textContent()) ?? '';
    assert.match(detail, /missed: found at rank 7 in hop 1, not kept \(below-top-k\)/);
    assert.match(detail, /<\/script><b>bold<\/b>/);
    assert.equal(await page.locator('.detail b', { hasText: /^bold$/ }).count(), 0);
    await page.close();
  });

  test('is used by keyboard alone', async () => {
    const { page } = await opened(1280);
    const open = page.locator('#q-table tbody button.open').first();
    await open.focus();
    await page.keyboard.press('Enter');
    assert.equal(await open.getAttribute('aria-expanded'), 'true');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('.detail').count(), 0);
    await page.focus('[data-sort=question]');
    await page.keyboard.press('Enter');
    assert.equal(
      await page.evaluate('document.activeElement.getAttribute("data-sort")'),
      'question',
    );
    await page.close();
  });

  test('has contrast of 4.5 to 1 between every text and its background', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page } = await opened(1280, scheme);
      assert.deepEqual(await page.evaluate(lowContrast), [], scheme);
      await page.close();
    }
  });
});

/** Runs in the page, as text: this project compiles without the types of browsers. */
const measured = `(() => {
  const clipped = [];
  for (const svg of document.querySelectorAll('svg')) {
    const box = svg.getBoundingClientRect();
    for (const text of svg.querySelectorAll('text')) {
      const own = text.getBoundingClientRect();
      if (own.left < box.left - 1 || own.right > box.right + 1 || own.bottom > box.bottom + 1)
        clipped.push(text.textContent);
    }
  }
  return {
    over: Math.max(
      document.documentElement.scrollWidth - innerWidth,
      ...[...document.querySelectorAll('figure .scroll')].map(box => box.scrollWidth - box.clientWidth),
    ),
    clipped,
    paper: getComputedStyle(document.body).backgroundColor,
  };
})()` as unknown as () => { over: number; clipped: string[]; paper: string };

/** WCAG 2.2, 1.4.3: relative luminance of texts against the nearest background with a colour. */
const lowContrast = `(() => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b]
    .map(v => v / 255)
    .map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const low = new Set();
  for (const element of document.querySelectorAll('main *')) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!own || element.matches(':disabled, option, script, style, noscript')) continue;
    const svg = element.closest('svg');
    const style = getComputedStyle(element);
    const inMark = svg && element.matches('.number');
    if (inMark || element.matches('title, desc')) continue;
    const [a, b] = [parts(svg ? style.fill : style.color), behind(svg ?? element)].map(luminance);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.add(element.tagName + '.' + element.className + ' ' + ratio.toFixed(2));
  }
  return [...low];
})()` as unknown as () => string[];
