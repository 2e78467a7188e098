/**
 * Makes the corpus of documents from packages: downloads, verifies and unpacks what a cache lacks.
 * Names the packages that cannot be had.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { run, withArchive } from './download.ts';
import {
  CORPORA,
  type CorpusName,
  type CorpusPackage,
  corpusPackages,
  folderOf,
  isDocument,
} from './manifest.ts';

export interface Corpus {
  /** Holds one folder a package; ids of documents are paths below it. */
  readonly folder: string;
  readonly packages: readonly CorpusPackage[];
  /** Packages that cannot be had, with reasons. */
  readonly missing: ReadonlyMap<string, string>;
}

/** Downloads at one time. */
const LANES = 4;

/**
 * Returns a corpus below `cache`, after fetching what it lacks. `say` receives a line for each
 * package that is fetched or cannot be had.
 */
export async function fetchCorpus(
  cache: string,
  say: (line: string) => void = () => {},
  corpus: CorpusName = 'first',
): Promise<Corpus> {
  const root = join(cache, CORPORA[corpus].folder);
  const folder = join(root, 'corpus');
  const packages = corpusPackages(corpus);
  const missing = new Map<string, string>();
  removeStrangers(folder, packages);
  const waiting = packages.filter(wanted => !isKept(root, wanted));
  const lane = async (): Promise<void> => {
    for (let wanted = waiting.shift(); wanted; wanted = waiting.shift())
      try {
        await unpack(wanted, root);
        say(`fetched ${wanted.name} ${wanted.version}`);
      } catch (error) {
        missing.set(wanted.name, (error as Error).message);
        say(`cannot be had: ${wanted.name} ${wanted.version}: ${(error as Error).message}`);
      }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { folder, packages, missing };
}

/** Returns a corpus below `cache` if no package is lacking there; fetches nothing. */
export function keptCorpus(cache: string, corpus: CorpusName = 'first'): Corpus | undefined {
  const root = join(cache, CORPORA[corpus].folder);
  const packages = corpusPackages(corpus);
  if (!packages.every(wanted => isKept(root, wanted))) return undefined;
  return { folder: join(root, 'corpus'), packages, missing: new Map() };
}

/** Returns the paths of all documents, sorted. */
export function documentsOf({ folder }: Corpus): string[] {
  if (!existsSync(folder)) return [];
  return filesBelow(folder).toSorted();
}

/** A file that says which package, hash and globs the documents come from. */
const noteOf = (root: string, { name }: CorpusPackage): string =>
  join(root, 'notes', `${folderOf(name)}.json`);

function isKept(root: string, wanted: CorpusPackage): boolean {
  const note = noteOf(root, wanted);
  return existsSync(note) && readFileSync(note, 'utf8') === JSON.stringify(wanted);
}

async function unpack(wanted: CorpusPackage, root: string): Promise<void> {
  const to = join(root, 'corpus', folderOf(wanted.name));
  const from = join(root, 'unpacked', folderOf(wanted.name));
  for (const old of [to, from, noteOf(root, wanted)]) rmSync(old, { recursive: true, force: true });
  mkdirSync(from, { recursive: true });
  await withArchive(wanted, file =>
    wanted.registry === 'debian'
      ? run('dpkg-deb', ['--extract', file, from])
      : run('tar', ['-xzf', file, '-C', from, '--strip-components=1', '--no-same-owner']),
  );
  for (const path of filesBelow(from)) keepDocument(path, from, to, wanted);
  rmSync(from, { recursive: true });
  mkdirSync(dirname(noteOf(root, wanted)), { recursive: true });
  writeFileSync(noteOf(root, wanted), JSON.stringify(wanted));
}

/** Copies a file that is a document; Debian compresses man pages and texts one by one. */
function keepDocument(path: string, from: string, to: string, wanted: CorpusPackage): void {
  const name = wanted.registry === 'debian' ? path.replace(/\.gz$/, '') : path;
  if (!isDocument(name, wanted)) return;
  if (name === path) cpSync(join(from, path), join(to, path));
  else {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), gunzipSync(readFileSync(join(from, path))));
  }
}

/** Removes documents of packages that the manifest does not name. */
function removeStrangers(folder: string, packages: readonly CorpusPackage[]): void {
  const known = new Set(packages.map(({ name }) => folderOf(name)));
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (!known.has(name)) rmSync(join(folder, name), { recursive: true });
}

/** Returns the plain files below a folder, as paths relative to it with "/". */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
