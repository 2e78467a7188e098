/** The hop inspector in Firefox of the system; skipped by name where none can be started. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type FirefoxBrowser, type FirefoxPage, lacksFirefox, startFirefox } from './firefox.ts';
import { AXE, VIOLATIONS } from './inspector-pages.ts';
import { demoStore, freshFolder, succeeds } from './running-command.ts';
import { type Served, serveShips, TOKEN } from './server/served-store.ts';

const skip = lacksFirefox;
const QUESTION =
  "Which company is to replace the engines of the ship from which this year's winner of the Fathom Prize listens to the sea?";
/** Folder that takes pictures of the pages, for a look at them. */
const SHOTS = process.env['MULTIHOP_SHOTS'];
const FOCUSED = "document.activeElement.closest('[role=treeitem]')?.textContent ?? ''";
const DETAIL = "document.querySelector('.detail').textContent";

interface Opened {
  readonly page: FirefoxPage;
  readonly complaints: readonly string[];
  readonly requests: readonly string[];
}

async function open(browser: FirefoxBrowser, url: string, width = 1280): Promise<Opened> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message: { text(): string }) => complaints.push(message.text()));
  page.on('pageerror', (error: Error) => complaints.push(error.message));
  page.on('request', request => {
    // The fragment is not sent.
    const [address] = request.url().split('#');
    if (!address!.startsWith('data:')) requests.push(address!);
  });
  await page.setViewport({ width, height: 900 });
  await page.goto(url);
  return { page, complaints, requests };
}

const violations = async (page: FirefoxPage): Promise<unknown> => {
  await page.evaluate(AXE);
  return page.evaluate(VIOLATIONS);
};

describe('the hop inspector in Firefox', { skip }, () => {
  let lanes: string;
  before(async () => {
    const folder = freshFolder();
    const [trace, page] = [join(folder, 'lanes.jsonl'), join(folder, 'lanes.html')];
    const store = ['--store', await demoStore()];
    await succeeds(['ask', QUESTION, ...store, '--full-trace', '--trace', trace]);
    await succeeds(['inspect', trace, ...store, '-o', page]);
    lanes = pathToFileURL(page).href;
  });

  for (const colorScheme of ['light', 'dark'] as const)
    describe(colorScheme, () => {
      let browser: FirefoxBrowser;
      before(async () => {
        browser = await startFirefox(colorScheme);
      });
      after(() => browser?.close());

      for (const width of [390, 1280])
        test(`shows a trace, ${width} px: axe finds nothing, nothing is called`, async () => {
          const { page, complaints, requests } = await open(browser, lanes, width);
          assert.equal(
            await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches"),
            colorScheme === 'dark',
          );
          assert.equal(
            await page.evaluate("document.querySelector('.question').textContent"),
            QUESTION,
          );
          const answer = await page.evaluate("document.querySelector('.answer').textContent");
          assert.match(answer as string, /Dunmarrow Drives/);
          await page.evaluate("document.querySelector('[role=treeitem] .query').click()");
          assert.equal(
            await page.evaluate(
              'document.documentElement.scrollWidth - document.documentElement.clientWidth',
            ),
            0,
          );
          const name = `firefox-${colorScheme}-${width}.png`;
          if (SHOTS) await page.screenshot({ path: join(SHOTS, name) });
          assert.deepEqual(await violations(page), []);
          assert.deepEqual(complaints, []);
          // Firefox reports no request of the file itself.
          assert.deepEqual(
            requests.filter(each => each !== lanes),
            [],
          );
        });
    });

  describe('by keyboard, and of a server', () => {
    let browser: FirefoxBrowser;
    let served: Served;
    before(async () => {
      browser = await startFirefox('light');
      served = await serveShips();
    });
    after(async () => {
      await browser?.close();
      await served?.server.close();
    });

    test('its tree is walked by keyboard, and says what became of each hit', async () => {
      const { page } = await open(browser, lanes);
      const focused = async (): Promise<string> => (await page.evaluate(FOCUSED)) as string;
      await page.evaluate(`document.querySelector('[role=treeitem][tabindex="0"]').focus()`);
      assert.match(await focused(), /^Hop 1.*21 kept/);
      for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
      assert.match(await focused(), /^1kept.*Ilse Tarrandine is this year's winner/);
      assert.match((await page.evaluate(DETAIL)) as string, /hop 1 kept it, score 19\.52/);
      await page.keyboard.press('End');
      assert.match(await focused(), /^Hop 3/);
      for (const key of ['ArrowLeft', 'Home']) await page.keyboard.press(key);
      assert.match(await focused(), /^Hop 1/);
    });

    test('takes the token out of the address, and shows a run of the server', async () => {
      const url = await served.server.listen({ port: 0 });
      const { page, complaints, requests } = await open(browser, `${url}/#token=${TOKEN}`);
      await page.waitForFunction("document.body.textContent.includes('Ask 3 documents')");
      assert.equal(await page.evaluate('location.href'), `${url}/`);
      await page.evaluate("document.querySelector('textarea, input[type=text]').focus()");
      await page.keyboard.type('Who leads the Harbour Trust?');
      await page.evaluate(
        "[...document.querySelectorAll('button')].find(one => one.textContent === 'Ask').click()",
      );
      await page.waitForFunction(
        "document.querySelector('.answer')?.textContent.includes('Mirelle Pask')",
      );
      await page.waitForFunction(
        "document.querySelector('.status')?.textContent.includes('the run ended')",
      );
      if (SHOTS) await page.screenshot({ path: join(SHOTS, 'firefox-served.png') });
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(complaints, []);
      assert.ok(
        requests.length > 3 &&
          requests.every(each => each.startsWith(url) && !each.includes(TOKEN)),
        `${requests}`,
      );
    });
  });
});
