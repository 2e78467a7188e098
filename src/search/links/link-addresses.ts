/**
 * Normalises addresses of links and documents, and collects the addresses of the project that a
 * front page describes: the addresses in its metadata, and links that contain its name.
 */
import type { Document } from '../../core/corpus/document.ts';

/** Names of files that stand for their folder. */
const FRONT = /(?:^|\/)(?:index|readme)(?:\.\w+)*$/i;
/** Hosts whose addresses begin with an owner and a project. */
const FORGES: ReadonlySet<string> = new Set([
  'github.com',
  'gitlab.com',
  'codeberg.org',
  'bitbucket.org',
]);
/** Pages of registries, by what stands before the name of a package. */
const REGISTRIES: readonly string[] = [
  'npmjs.com/package/',
  'npmjs.org/package/',
  'pypi.org/project/',
  'pypi.python.org/pypi/',
];

/**
 * Returns an address without what does not tell pages apart (scheme, `www`, query, a slash or an
 * index at its end); undefined for any other text.
 */
export function addressOf(text: string): string | undefined {
  const found = /^(?:git\+)?(?:https?|git|ssh):\/\/(?:[^/@\s]*@)?([^/?#\s]+)([^?#\s]*)/i.exec(
    text.trim(),
  );
  if (!found) return undefined;
  const host = found[1]!.toLowerCase().replace(/^www\./, '');
  const path = found[2]!
    .replace(/\/index\.(?:html?|php)$/i, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '');
  if (host === 'raw.githubusercontent.com')
    return `github.com${path.replace(/^(\/[^/]+\/[^/]+)\//, '$1/blob/')}`;
  return `${host}${FORGES.has(host) ? lowerProject(path) : path}`;
}

/** Owner and project are compared without case; paths below them are not. */
const lowerProject = (path: string): string =>
  path.replace(/^\/[^/]+(?:\/[^/]+)?/, project => project.toLowerCase());

/** Tells whether an address is below a forge of sources. */
export const isForge = (address: string): boolean => FORGES.has(address.split('/')[0]!);

/** Returns the folder that a document stands for; undefined for any other document. */
export function frontOf(id: string): string | undefined {
  return FRONT.test(id) ? id.slice(0, Math.max(0, id.lastIndexOf('/'))) : undefined;
}

/**
 * Returns the addresses of what a document stands for, sorted. Metadata (`homepage`, `repository`,
 * `documentation`) says them outright. A README says them by its links, of which only those count
 * that carry the name of its folder or its title: the one repository that it links most, the page
 * of a package, and a site of its own (`docs.NAME.org`, `NAME.readthedocs.io`).
 */
export function ownAddresses(document: Document): string[] {
  const stated = ['homepage', 'repository', 'documentation'].flatMap(field => {
    const value = document.metadata[field];
    return typeof value === 'string' ? (addressOf(value) ?? []) : [];
  });
  const folder = frontOf(document.id);
  if (folder === undefined || !/readme/i.test(document.id)) return [...new Set(stated)].sort();
  const titles = [lastPart(folder), document.title.replace(/ \(.*$/, '')].map(plainName);
  const names = new Set(titles.filter(name => name !== ''));
  const projects = new Set([...names].map(withoutLanguage));
  const linked = (document.outline ?? []).flatMap(({ links = [] }) =>
    links.flatMap(link => addressOf(link) ?? []),
  );
  const projectSites = [
    ...mostLinked(linked.flatMap(repositoryOf)).filter(site =>
      projects.has(withoutLanguage(plainName(lastPart(site)))),
    ),
    ...linked.filter(address => names.has(packageName(address))),
    ...linked.flatMap(address => siteOf(address, names)),
  ];
  return [...new Set([...stated, ...projectSites])].sort();
}

/** Returns the letters and digits of a name, which it has in common with its other forms. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Repositories often add the language to the name of their package: `node-semver`, `next.js`. */
const withoutLanguage = (name: string): string =>
  name.replace(/^(?:node|python)(?=.{3})|(?<=.{2})(?:js|py)$/g, '');

const lastPart = (address: string): string => address.slice(address.lastIndexOf('/') + 1);

function repositoryOf(address: string): string[] {
  const [host, owner, project] = address.split('/');
  return FORGES.has(host!) && owner && project ? [`${host}/${owner}/${project}`] : [];
}

function packageName(address: string): string {
  const registry = REGISTRIES.find(each => address.startsWith(each));
  const name = registry === undefined ? '' : address.slice(registry.length);
  return /^(?:@[^/]+\/)?[^/]+$/.test(name) ? plainName(name) : '';
}

/** Returns the host of a site of its own, whose first name is that of the project. */
function siteOf(address: string, names: ReadonlySet<string>): string[] {
  const host = address.split('/')[0]!;
  const parts = host.split('.');
  if (parts.length < 3) return [];
  const [first, second] = parts;
  const name = first === 'docs' || first === 'doc' ? second! : first!;
  return names.has(plainName(name)) ? [host] : [];
}

/** Returns the text that is most frequent; none if two are. */
function mostLinked(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const first = [...counts].filter(([, count]) => count === most);
  return first.length === 1 ? [first[0]![0]] : [];
}
