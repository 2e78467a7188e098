/** Finds and starts a Firefox of this machine for tests, over WebDriver BiDi. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { freshFolder } from './fresh-folder.ts';

const PUPPETEER = join(
  fileURLToPath(new URL('..', import.meta.url)),
  'runtimes-test/node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js',
);
const FIREFOX: string | undefined = [
  process.env['MULTIHOP_FIREFOX'],
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
].find(path => path !== undefined && existsSync(path));

/** The reason that no Firefox can be started; false if one can. */
export const lacksFirefox: string | false =
  FIREFOX === undefined
    ? 'needs Firefox (Debian: apt-get install firefox-esr)'
    : !existsSync(PUPPETEER) && 'needs puppeteer-core (npm ci --prefix runtimes-test)';

/** The part of a page of puppeteer-core that tests use. */
export interface FirefoxPage {
  goto(url: string): Promise<unknown>;
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>;
  /** Runs a script in the page, and returns what it gives as JSON. */
  evaluate(script: string): Promise<unknown>;
  waitForFunction(script: string): Promise<unknown>;
  screenshot(options: { readonly path: string }): Promise<unknown>;
  on(event: 'console' | 'pageerror', listener: (about: never) => void): void;
  on(event: 'request', listener: (request: { url(): string }) => void): void;
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
}

export interface FirefoxBrowser {
  version(): Promise<string>;
  newPage(): Promise<FirefoxPage>;
  close(): Promise<void>;
}

/** Starts Firefox with a colour scheme, which its WebDriver cannot change for a page. */
export async function startFirefox(colorScheme: 'light' | 'dark'): Promise<FirefoxBrowser> {
  const { launch } = (await import(pathToFileURL(PUPPETEER).href)) as {
    launch(options: object): Promise<FirefoxBrowser>;
  };
  const scheme = colorScheme === 'dark' ? 0 : 1;
  return launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    extraPrefsFirefox: { 'layout.css.prefers-color-scheme.content-override': scheme },
    // Firefox refuses to run as root in the home of somebody else.
    env: { ...process.env, HOME: freshFolder() },
  });
}
