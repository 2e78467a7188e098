/** Targets of links as an outline states them: what stands in a file, made free of its place. */
import { posix } from 'node:path';
import { LABEL } from '../../core/corpus/outline.ts';

/** Longest address that is kept: longer ones carry data and name no page. */
const MOST_CHARACTERS = 500;

/**
 * Returns the target of a link in the file `id`: a path below the folder that was read, a path from
 * the root of a site (`/guide`), an address, or a label; nothing for a link into its own page and
 * for schemes that lead to no document.
 */
export function linkTarget(link: string, id: string): string[] {
  const target = link.trim().toWellFormed();
  if (target === '' || target.length > MOST_CHARACTERS || /^[#?]/.test(target)) return [];
  if (target.startsWith(LABEL)) return target === LABEL ? [] : [target];
  if (/^https?:\/\/[^/\s]/i.test(target)) return [target];
  if (/^\/\/[^/\s]/.test(target)) return [`https:${target}`];
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return [];
  const [path, ...fragment] = target.split('#');
  const plain = unescaped(path!.replace(/\?.*$/, ''));
  const full = plain.startsWith('/')
    ? posix.normalize(plain.replace(/^\/+/, '/'))
    : posix.join(posix.dirname(id), plain);
  if (full === '.' || full === '..' || full.startsWith('../')) return [];
  return [fragment.length > 0 ? `${full}#${fragment.join('#')}` : full];
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path).toWellFormed();
  } catch {
    return path;
  }
}
