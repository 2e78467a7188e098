/** The packages whose documents are a corpus, and which files of theirs are documents. */
import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';

/**
 * The corpora, each with its folder below a cache and its manifest: `first` has the questions of
 * the results so far, `fresh` later ones, and `training` is text for rankers that neither judges.
 */
export const CORPORA = {
  first: { folder: 'documents', manifest: 'corpus.json' },
  fresh: { folder: 'documents-fresh', manifest: 'fresh/corpus.json' },
  training: { folder: 'documents-training', manifest: 'training/corpus.json' },
} as const;

export type CorpusName = keyof typeof CORPORA;

export const CORPUS_NAMES = Object.keys(CORPORA) as readonly CorpusName[];

export interface CorpusPackage {
  /** The name in its registry; documents stand below `folderOf` of it. */
  readonly name: string;
  readonly registry: 'npm' | 'pypi' | 'debian';
  readonly version: string;
  /** Algorithm and digest of the archive: npm's own string, or "sha256-" and hexadecimal digits. */
  readonly integrity: string;
  /** Globs of the documents within the package. */
  readonly documents: readonly string[];
  /** Globs of what `documents` matches and is no document. */
  readonly except?: readonly string[];
}

/** Returns the packages of a corpus. */
export function corpusPackages(corpus: CorpusName = 'first'): readonly CorpusPackage[] {
  const text = readFileSync(new URL(CORPORA[corpus].manifest, import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly packages: readonly CorpusPackage[] }).packages;
}

/** Returns the folder of a package's documents: "@fastify/cors" becomes "fastify-cors". */
export const folderOf = (name: string): string => name.replace(/^@/, '').replaceAll('/', '-');

/** Returns true for a path within a package that is one of its documents. */
export function isDocument(path: string, { documents, except = [] }: CorpusPackage): boolean {
  const matches = (glob: string): boolean => matchesGlob(path, glob);
  return documents.some(matches) && !except.some(matches);
}
