/** Reads the addresses of a project from the manifest beside its front page. */

import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Metadata } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';

/** Largest manifest that is read, in bytes. */
const MOST_BYTES = 1 << 20;

type Facts = Partial<Record<'homepage' | 'repository' | 'documentation', string>>;

const MANIFESTS: Readonly<Record<string, (text: string) => Facts>> = {
  'package.json': npmFacts,
  'pyproject.toml': text =>
    factsOf(/^[ \t]*"?(\w(?:[\w ]*\w)?)"?[ \t]*=[ \t]*["'](\S+?)["'][ \t]*$/gm, text),
  'PKG-INFO': text =>
    factsOf(
      /^(?:Project-URL: )?(Home-page|[\w ]+)[,:] (https?:\/\/\S+)\s*$/gm,
      text.split('\n\n')[0]!,
    ),
};

/** Tells whether a file is the front page of its folder. */
export const isFrontPage = (path: string): boolean => /(?:^|[\\/])readme(?:\.\w+)*$/i.test(path);

/** Returns the addresses that a manifest beside a file states; none if it is missing or damaged. */
export async function projectFacts(path: string): Promise<Metadata> {
  for (const [name, factsOf] of Object.entries(MANIFESTS))
    try {
      const file = join(dirname(path), name);
      const found = await lstat(file);
      // A link may lead out of the folder that is read.
      if (!found.isFile() || found.size > MOST_BYTES) continue;
      const facts = Object.entries(factsOf(await readFile(file, 'utf8')));
      const stated = facts.filter(([, value]) => /^https?:\/\/[^\s/]/.test(value));
      if (stated.length > 0) return Object.fromEntries(stated);
    } catch {
      // The manifest is no document: what is wrong with it concerns no reader.
    }
  return {};
}

function npmFacts(text: string): Facts {
  const { homepage, repository } = JSON.parse(text) as Record<string, unknown>;
  const { url, directory } = Object(repository) as Record<string, unknown>;
  // One of several packages of a repository is not what its address leads to.
  const stated = directory === undefined ? (typeof repository === 'string' ? repository : url) : '';
  return defined<Facts>({
    homepage: typeof homepage === 'string' ? homepage : undefined,
    repository: typeof stated === 'string' ? spelledOut(stated) : undefined,
  });
}

/** Spells out `github:owner/name`, `owner/name` and addresses of Git. */
const spelledOut = (repository: string): string =>
  repository
    .replace(/^(?:github:)?([\w.-]+\/[\w.-]+)$/, 'https://github.com/$1')
    .replace(/^git\+(?:ssh:\/\/git@|https?:\/\/)|^(?:git|ssh):\/\/(?:git@)?/, 'https://')
    .replace(/\.git$/, '');

const NAMES: Readonly<Record<string, keyof Facts>> = {
  homepage: 'homepage',
  'home-page': 'homepage',
  repository: 'repository',
  source: 'repository',
  'source code': 'repository',
  github: 'repository',
  documentation: 'documentation',
  docs: 'documentation',
};

function factsOf(lines: RegExp, text: string): Facts {
  const facts: Facts = {};
  for (const [, name, value] of text.matchAll(lines)) {
    const field = NAMES[name!.toLowerCase()];
    if (field !== undefined) facts[field] ??= value!;
  }
  return facts;
}
