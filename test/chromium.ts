/** Finds a Chromium of this machine for the tests in a real browser. */
import { existsSync } from 'node:fs';
import type { LaunchOptions } from 'playwright-core';

/** Its path; undefined if there is none. `MULTIHOP_CHROMIUM` names one elsewhere. */
export const CHROMIUM: string | undefined = [
  process.env['MULTIHOP_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(path => path !== undefined && existsSync(path));

/** The sandbox of Chromium refuses to run as root, which containers of tests often are. */
export const launchOptions = (): LaunchOptions => ({
  executablePath: CHROMIUM!,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
