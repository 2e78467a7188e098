/** Opens the hop inspector in a browser for tests, and notes what the page complains of. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';

export const AXE: string = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

export interface OpenedPage {
  readonly page: Page;
  /** Messages of the console, violations of the policy and errors of the script. */
  readonly complaints: readonly string[];
  readonly requests: readonly string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  {
    width = 1280,
    colorScheme = 'light',
  }: { readonly width?: number; readonly colorScheme?: 'light' | 'dark' } = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  page.on('request', request => {
    if (!request.url().startsWith('data:')) requests.push(request.url());
  });
  await page.goto(url);
  return { page, complaints, requests };
}

/** Returns what axe finds. */
export const VIOLATIONS = `axe.run(document, { resultTypes: ['violations'] })
  .then(({ violations }) => violations.map(({ id, nodes }) =>
    id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`;

/** Fails where axe finds anything. Its script comes in past the policy, as a debugger does. */
export async function checkAccess(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const found = (await page.evaluate(VIOLATIONS)) as string[];
  assert.deepEqual(found, []);
}

/** Number of elements of the page. */
export const elementCount = (page: Page): Promise<number> =>
  page.evaluate("document.querySelectorAll('*').length");

/** Text of the tree item that has the focus. */
export const focusedRow = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.closest('[role=treeitem]')?.textContent ?? ''");
