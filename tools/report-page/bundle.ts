/**
 * Bundles the script of the HTML report into `src/evaluation/report/page-script.ts`: the package
 * cannot import it, since it needs a browser.
 */
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** The file that holds the bundled script. */
export const PAGE_SCRIPT_FILE = 'src/evaluation/report/page-script.ts';

/** Returns the text of that file. `root`: the folder of the repository. */
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
    `export const PAGE_SCRIPT: string =\n  ${quotedScript(output[0].code)};\n`,
  ].join('\n');
}

/** Returns a text literal of code that may stand in an element. */
export function quotedScript(text: string): string {
  // Inside a script element these would end it or open a comment.
  const code = text.trim().replace(/<(?=\/script|!--)/gi, '\\x3c');
  return `'${code.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;
}
