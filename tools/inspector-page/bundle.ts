/**
 * Bundles script and style of the hop inspector into `src/inspector/page-parts.ts`: the
 * package cannot import them, since they need a browser.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { quotedScript } from '../report-page/bundle.ts';

/** The file that holds both. */
export const INSPECTOR_PARTS_FILE = 'src/inspector/page-parts.ts';

const FOLDER = ['tools', 'inspector-page'];

/** Returns the text of that file. `root`: the folder of the repository. */
export async function bundledInspector(root: string): Promise<string> {
  const bundle = await rolldown({
    input: join(root, ...FOLDER, 'browser', 'main.ts'),
    platform: 'browser',
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  const style = readFileSync(join(root, ...FOLDER, 'style.css'), 'utf8');
  return [
    '/** Holds script and style of the hop inspector: written by `npm run docs` from `tools`. */',
    `export const INSPECTOR_SCRIPT: string =\n  ${quotedScript(output[0].code)};`,
    `export const INSPECTOR_STYLE: string =\n  ${quotedScript(smaller(style))};\n`,
  ].join('\n');
}

/** Leaves comments and white space out of a stylesheet. */
const smaller = (style: string): string =>
  style
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    .trim();
