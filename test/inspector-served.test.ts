/** The page under `/` of a server in Chromium: its token, a run watched live, its documents. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM, launchOptions } from './chromium.ts';
import { checkAccess, openPage } from './inspector-pages.ts';
import { type Served, serveShips, TOKEN } from './server/served-store.ts';

const skip = CHROMIUM === undefined && 'needs Chromium (Debian: apt-get install chromium)';

test('the page needs no token, and its policy allows its own script and server alone', async () => {
  const { server, send } = await serveShips();
  const response = await send('/', { headers: { Authorization: '' } });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy')!;
  assert.match(policy, /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/);
  assert.match(policy, /connect-src 'self'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.match(policy, /require-trusted-types-for 'script'/);
  assert.doesNotMatch(policy, /unsafe/);
  const html = await response.text();
  assert.ok(!html.includes(TOKEN) && !html.includes('Corncrake'), 'nothing of the store');
  assert.equal((await send('/index.html')).status, 404);
  assert.equal((await send('/', { headers: { Host: 'evil.example' } })).status, 403);
  await server.close();
});

describe('the hop inspector of a server in Chromium', { skip }, () => {
  let browser: Browser;
  let served: Served;
  let url: string;
  before(async () => {
    browser = await chromium.launch(launchOptions());
    served = await serveShips();
    url = await served.server.listen({ port: 0 });
  });
  after(async () => {
    await browser.close();
    await served.server.close();
  });
  const ask = async (page: Page, question: string, beside = ''): Promise<void> => {
    await page.getByLabel('Ask 3 documents').fill(question);
    await page.getByLabel('Strategy beside it').selectOption(beside);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
  };

  test('takes the token out of the address, watches a run, and reads its documents', async () => {
    const { page, complaints, requests } = await openPage(browser, `${url}/#token=${TOKEN}`);
    await page.getByLabel('Ask 3 documents').waitFor();
    assert.equal(page.url(), `${url}/`);
    assert.equal(await page.evaluate('history.length < 3 && location.hash'), '');
    await ask(page, 'Who leads the trust that owns the bay where the Linnet lost its engines?');
    await page.locator('.status', { hasText: 'the run ended' }).waitFor({ state: 'attached' });
    assert.match((await page.locator('.answer').textContent())!, /Mirelle Pask/);
    assert.ok((await page.locator('[role=treeitem][aria-level="1"]').count()) >= 1);
    // Words around what was kept come from the server's document.
    await page.locator('article', { hasText: 'Her crew of nine was saved' }).first().waitFor();
    await checkAccess(page);
    await page.reload();
    await page.getByText('Newest runs').click();
    await page.getByRole('button', { name: /Who leads the trust/ }).click();
    assert.match((await page.locator('.question').textContent())!, /Who leads the trust/);
    assert.deepEqual(complaints, []);
    assert.ok(
      requests.every(each => each.startsWith(url) && !each.includes(TOKEN)),
      `${requests}`,
    );
    await page.close();
  });

  test('asks two strategies side by side', async () => {
    const { page, complaints } = await openPage(browser, `${url}/#token=${TOKEN}`);
    await page.getByLabel('Ask 3 documents').waitFor();
    await ask(page, 'Who leads the Harbour Trust?', 'iterative');
    await page.locator('.two .run').nth(1).waitFor();
    await page
      .locator('.comparison td', { hasText: 'still running' })
      .first()
      .waitFor({ state: 'detached' });
    assert.deepEqual(await page.locator('.comparison thead th').allTextContents(), [
      'fact-lanes',
      'iterative',
    ]);
    await checkAccess(page);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('names headings, page and line of a citation, and links to the page of its source', async () => {
    const text = 'Ferries\n\nThe Gannet was launched at Oddle by Tamsin Quill.';
    const outline = [
      { start: 0, heading: ['Ferries'], kind: 'heading', line: 3, page: 6 },
      { start: 9, heading: ['Ferries', 'Launches'], line: 5, page: 7 },
    ];
    const url_ = 'https://docs.example/ferries.pdf';
    const body = { documents: [{ id: 'ferries', title: 'Handbook', text, url: url_, outline }] };
    assert.equal((await served.send('/v1/documents', { body })).status, 200);
    const { page } = await openPage(browser, `${url}/#token=${TOKEN}`);
    await page.getByLabel('Ask 4 documents').fill('Who launched the Gannet at Oddle?');
    await page.getByLabel('Strategy', { exact: true }).selectOption('naive');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    const article = page.locator('.documents article', { hasText: 'Handbook' });
    await article.locator('.place', { hasText: 'page' }).first().waitFor();
    const citation = page.locator('.citations li').first();
    await citation.waitFor();
    assert.match((await citation.textContent())!, /Handbook Ferries › Launches · page 7 · line 5/);
    assert.equal(await citation.locator('a').getAttribute('href'), `${url_}#page=7`);
    await citation.getByRole('button', { name: 'Handbook' }).click();
    assert.match(
      await page.evaluate('document.activeElement.className + document.activeElement.textContent'),
      /^citedThe Gannet was launched at Oddle by Tamsin Quill\.$/,
    );
    await page.close();
    await served.send('/v1/documents/ferries', { method: 'DELETE' });
  });

  test('asks for the token where it is missing, and for another one where it is wrong', async () => {
    const { page } = await openPage(browser, url);
    const field = page.getByLabel('Token of the server');
    await field.fill('another-token-0123456789');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('is not the one of this server').waitFor();
    await checkAccess(page);
    await field.fill(TOKEN);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByLabel('Ask 3 documents').waitFor();
    await page.close();
  });

  test('shows a problem of the server as one', async () => {
    const { page } = await openPage(browser, `${url}/#token=${TOKEN}`);
    await page.getByLabel('Ask 3 documents').waitFor();
    await page.evaluate("document.querySelector('#strategy').append(new Option('nonsense'))");
    await page.getByLabel('Strategy', { exact: true }).selectOption('nonsense');
    await ask(page, 'Who leads the Harbour Trust?');
    await page.getByRole('alert').filter({ hasText: 'nonsense' }).waitFor();
    await page.close();
  });
});
