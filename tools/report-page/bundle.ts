/**
 * Bundles the script of the HTML report into `src/evaluation/report/page-script.ts`: the package
 * cannot import it, since it needs a browser.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { PAGE_STYLE } from '../../src/evaluation/report/page-style.ts';

/** The file that holds the bundled script. */
export const PAGE_SCRIPT_FILE = 'src/evaluation/report/page-script.ts';

/**
 * Returns the text of that file, with the hashes by which the page's policy allows script and
 * style. `root`: the folder of the repository.
 */
export async function bundledPageScript(root: string): Promise<string> {
  const bundle = await rolldown({
    input: join(root, 'tools', 'report-page', 'browser', 'main.ts'),
    platform: 'browser',
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return [
    '/** Holds the script of the HTML report: written by `npm run docs` from `tools/report-page`. */',
    `export const PAGE_SCRIPT: string =\n  ${quotedScript(output[0].code)};`,
    '/** Sources of a Content-Security-Policy: this script, and the style of the report. */',
    `export const SCRIPT_SOURCE: string = ${sourceOf(elementText(output[0].code))};`,
    `export const STYLE_SOURCE: string = ${sourceOf(PAGE_STYLE)};\n`,
  ].join('\n');
}

const sourceOf = (text: string): string =>
  `"'sha256-${createHash('sha256').update(text).digest('base64')}'"`;

/** Inside a script element some texts would end it or open a comment. */
const elementText = (text: string): string => text.trim().replace(/<(?=\/script|!--)/gi, '\\x3c');

/** Returns a text literal of code that may stand in an element. */
export function quotedScript(text: string): string {
  return `'${elementText(text).replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;
}
