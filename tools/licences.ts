/**
 * Writes the licences of the libraries whose code the build took into its chunks, and what stands
 * in which chunk.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The fields of a finished chunk that are read: its name and its files. */
export interface Chunk {
  readonly fileName: string;
  readonly moduleIds?: readonly string[];
}

/**
 * Writes `THIRD-PARTY-LICENSES.txt`. Throws for a bundled library without a licence file: such a
 * package must not be published.
 */
export function writeLicences(chunks: readonly Chunk[], outFile: string): void {
  const packages = new Map<string, Set<string>>();
  for (const { fileName, moduleIds = [] } of chunks) {
    if (!fileName.endsWith('.js')) continue;
    for (const id of moduleIds) {
      const folder = packageFolder(id);
      if (folder) packages.set(folder, (packages.get(folder) ?? new Set()).add(fileName));
    }
  }
  const sections = [...packages]
    .map(([folder, files]) => section(folder, [...files].sort()))
    .sort();
  const head =
    'This package has no dependencies. Its build holds code of the libraries below, each under its own licence.\n';
  writeFileSync(outFile, [head, ...sections].join(`\n${'-'.repeat(80)}\n\n`));
}

function section(folder: string, files: readonly string[]): string {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<string, string>;
  const file = readdirSync(folder).find(entry => /^(?:licen[cs]e|copyright)/i.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : statedLicence();
  return `${name} ${version} (${license}), in ${files.join(', ')}\n\n${text}\n`;

  /** Some packages name licence and holder in package.json alone. */
  function statedLicence(): string {
    if (license !== 'MIT' || typeof author !== 'string')
      throw new Error(`${name} ${version} is bundled but has no licence file`);
    return `MIT License\n\nCopyright (c) ${author.replace(/ <.*$/, '')}\n\n${MIT_TERMS}`;
  }
}

/** The terms of the MIT licence (https://spdx.org/licenses/MIT.html). */
const MIT_TERMS = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * The folder in node_modules that a bundled file's package stands in; undefined for a file of this
 * project.
 */
function packageFolder(id: string): string | undefined {
  if (!id.includes('node_modules')) return undefined;
  let folder = dirname(id.replace(/\?.*$/, '').replace(/^\0/, ''));
  // A package may hold further package.json files that only say what kind of module stands beside
  // them.
  while (
    !existsSync(join(folder, 'package.json')) ||
    !/"version"/.test(readFileSync(join(folder, 'package.json'), 'utf8'))
  )
    folder = dirname(folder);
  return folder;
}
