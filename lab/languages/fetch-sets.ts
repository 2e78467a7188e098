/**
 * Fetches the sets by the registries' own clients, `apt-get download` and `npm pack`, and writes
 * SET/LANGUAGE/PAGE.html below a folder. Installs nothing.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, withArchive } from '../../bench/documents/download.ts';
import { alignedPages, copyPages } from './aligned-pages.ts';
import {
  HELP_PACKAGES,
  HELP_VERSION,
  type HelpPackage,
  RIGHTS_FILES,
  RIGHTS_PACKAGE,
} from './sets.ts';

type Say = (line: string) => void;

/** Fetches both sets into a folder; throws an `Error` that names a package that cannot be had. */
export async function fetchSets(folder: string, say: Say): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'multihop-languages-'));
  try {
    await fetchManuals(work, join(folder, 'manual'), say);
    await fetchRights(work, join(folder, 'rights'), say);
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function fetchManuals(work: string, to: string, say: Say): Promise<void> {
  const raw: string[] = [];
  for (const wanted of HELP_PACKAGES) {
    raw.push(await unpackedHelp(wanted, work));
    say(`fetched libreoffice-help-${wanted.suffix} ${HELP_VERSION}`);
  }
  const pages = alignedPages(raw);
  for (const [index, { language }] of HELP_PACKAGES.entries())
    copyPages(pages, raw[index]!, join(to, language));
  say(`${pages.length} pages in each of ${raw.length} languages`);
}

/** Returns the folder of a package's pages. */
async function unpackedHelp(
  { suffix, folder, sha256 }: HelpPackage,
  work: string,
): Promise<string> {
  const name = `libreoffice-help-${suffix}`;
  const to = join(work, suffix);
  mkdirSync(to);
  // `apt-get` writes into the folder in which it runs.
  await run('env', ['-C', to, 'apt-get', 'download', `${name}=${HELP_VERSION}`]);
  const archive = join(to, readdirSync(to)[0]!);
  const found = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (found !== sha256) throw new Error(`${name}: expected sha256 ${sha256}, received ${found}`);
  await run('dpkg', ['-x', archive, to]);
  return join(to, 'usr/share/libreoffice/help', folder, 'text');
}

async function fetchRights(work: string, to: string, say: Say): Promise<void> {
  await withArchive(RIGHTS_PACKAGE, file => run('tar', ['-xzf', file, '-C', work]));
  for (const [language, name] of Object.entries(RIGHTS_FILES)) {
    const html = readFileSync(join(work, 'package/declaration', `${name}.html`), 'utf8');
    mkdirSync(join(to, language), { recursive: true });
    for (const [number, article] of articlesOf(html).entries())
      writeFileSync(
        join(to, language, `article-${String(number + 1).padStart(2, '0')}.html`),
        article,
      );
  }
  say(`fetched ${RIGHTS_PACKAGE.name} ${RIGHTS_PACKAGE.version}`);
}

const ARTICLE = /<article\b[^>]*>(.*?)<\/article>/gs;

/** Returns a page for each article of a declaration; paragraphs have the ids p1, p2, ... */
export function articlesOf(html: string): string[] {
  const head = html.slice(0, html.indexOf('<body>')).replace(/<title>.*?<\/title>/s, '');
  return [...html.matchAll(ARTICLE)].map(([, article]) => {
    let count = 0;
    const body = article!
      .replaceAll('<p>', () => {
        count += 1;
        return `<p id="p${count}">`;
      })
      .replace('<h2>', '<h1>')
      .replace('</h2>', '</h1>');
    return `${head}<body>${body}</body>\n</html>\n`;
  });
}
