/**
 * Keeps what a configuration names as outputs below its folder, after links are resolved, and lets
 * it replace no file that multihop did not write: the file may come with a folder that somebody
 * else wrote. The same options on the command line write wherever the user says.
 */
import { closeSync, fstatSync, lstatSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { InputError } from '../core/errors.ts';
import { openRegularNow } from '../platform/regular-file.ts';
import { type Configured, isPath } from './configuration.ts';
import type { Defaults, Option, OptionValues } from './option.ts';
import type { PathAccess, Written } from './written-files.ts';

/** Bytes in which a file shows who wrote it. */
const HEAD_BYTES = 64 * 1024;

/**
 * Returns the outputs of the file that are in use, their links resolved. Throws
 * `InputError('configured-output')`.
 */
export function checkedOutputs(
  { path, values }: Configured,
  declared: readonly Option[],
  options: OptionValues,
): Defaults {
  const root = realpathSync(dirname(path));
  const outputs = declared.flatMap(option => {
    const { name, access = {} } = option;
    if (!values.has(name) || !options.isDefault(name) || !isWritten(access, options)) return [];
    const places = values.get(name)!.map(text => {
      if (!isPath(option, text)) return text;
      try {
        return checkedPlace(text, access, root);
      } catch (error) {
        throw refused(path, name, text, (error as Error).message);
      }
    });
    return [[name, places] as const];
  });
  return new Map(outputs);
}

/** Throws an error that says why the path may not be written, or of the file system. */
function checkedPlace(path: string, written: Written, root: string): string {
  const place = placeBelow(root, path);
  if (place === undefined) throw new Error(`it does not lie below ${JSON.stringify(root)}`);
  if (!isReplaceable(place, written))
    throw new Error(`multihop did not write ${JSON.stringify(place)}, and would replace it`);
  if (kindOf(place) === 'folder') checkLinks(place, root);
  for (const [beside, more] of written.beside?.(place) ?? []) checkedPlace(beside, more, root);
  // It says that a folder is meant.
  return path.endsWith('/') ? `${place}/` : place;
}

const isWritten = (access: PathAccess, options: OptionValues): access is Written =>
  access !== 'read' && (access.onlyWith === undefined || options.flag(access.onlyWith));

/** Returns the path without links; undefined if it leads out of the folder, or to no place. */
function placeBelow(root: string, path: string): string | undefined {
  const place = realPlace(path);
  const above = root.endsWith(sep) ? root : `${root}${sep}`;
  return place?.startsWith(above) ? place : undefined;
}

/** Resolves links of a path of which the end may be missing. */
function realPlace(path: string): string | undefined {
  if (kindOf(path) !== undefined)
    try {
      return realpathSync(path);
    } catch {
      return undefined;
    }
  const parent = dirname(path) === path ? undefined : realPlace(dirname(path));
  return parent && join(parent, basename(path));
}

type Kind = 'file' | 'folder' | 'link' | 'other';

/** Follows no link; undefined if there is nothing. */
function kindOf(path: string): Kind | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'folder' : 'other';
}

function isReplaceable(place: string, { keeps, file, folder }: Written): boolean {
  const kind = kindOf(place);
  if (kind === undefined) return true;
  if (kind !== 'file' && kind !== 'folder') return false;
  if (keeps) return true;
  if (kind === 'file') return file !== undefined && begins(place, file);
  // A file is never written over a folder.
  if (folder === undefined) return true;
  const names = readdirSync(place);
  return (
    names.length === 0 ||
    names.some(name => folder.name.test(name) && begins(join(place, name), folder.file))
  );
}

function begins(path: string, expected: RegExp): boolean {
  const { file } = openRegularNow(path);
  try {
    const bytes = Buffer.alloc(Math.min(HEAD_BYTES, fstatSync(file).size));
    return expected.test(bytes.toString('latin1', 0, readSync(file, bytes)));
  } finally {
    closeSync(file);
  }
}

/** Throws for a link in a folder that leads out: files of the folder would be written elsewhere. */
function checkLinks(folder: string, root: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink() && placeBelow(root, path) === undefined)
      throw new Error(`the link ${JSON.stringify(path)} leads out of ${JSON.stringify(root)}`);
  }
}

const refused = (path: string, option: string, text: string, problem: string): InputError =>
  new InputError(
    'configured-output',
    `The configuration ${JSON.stringify(path)} names ${JSON.stringify(text)} as ${option}: ${problem}`,
    { hint: `If you want that, give it: --${option} ${JSON.stringify(text)}` },
  );
