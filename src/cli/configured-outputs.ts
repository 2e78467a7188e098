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
  const isWritten = ({ name, access = 'read', writesWith = name }: Option): boolean =>
    values.has(name) && options.isDefault(name) && access !== 'read' && options.flag(writesWith);
  const checked = (option: Option, text: string): string => {
    if (!isPath(option, text)) return text;
    try {
      const place = checkedPlace(text, root, option.access === 'keeps');
      for (const beside of option.beside?.(place) ?? []) checkedPlace(beside, root, false);
      // A slash at the end says that a folder is meant.
      return text.endsWith('/') ? `${place}/` : place;
    } catch (error) {
      throw refused(path, option.name, text, (error as Error).message);
    }
  };
  return new Map(
    declared
      .filter(isWritten)
      .map(option => [option.name, values.get(option.name)!.map(text => checked(option, text))]),
  );
}

/**
 * Throws an error that says why the path may not be written, or of the file system. `keeps`: the
 * command itself replaces no foreign file.
 */
function checkedPlace(path: string, root: string, keeps: boolean): string {
  const place = realPlace(path);
  if (!isBelow(root, place)) throw new Error(`it does not lie below ${JSON.stringify(root)}`);
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (!stats) return place;
  const isOurs = stats.isDirectory()
    ? keeps || isFolderOfOurs(place)
    : stats.isFile() && (keeps || FILE.test(headOf(place)));
  if (!isOurs)
    throw new Error(`multihop did not write ${JSON.stringify(place)}, and would replace it`);
  if (stats.isDirectory()) checkLinks(place, root);
  return place;
}

const isBelow = (root: string, place: string | undefined): place is string =>
  place?.startsWith(root.endsWith(sep) ? root : `${root}${sep}`) === true;

/** Resolves links of a path of which the end may be missing; undefined for a link to nothing. */
function realPlace(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    const isLink = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    const parent = isLink || dirname(path) === path ? undefined : realPlace(dirname(path));
    return parent && join(parent, basename(path));
  }
}

/** Throws for a link in a folder that leads out: files of the folder would be written elsewhere. */
function checkLinks(folder: string, root: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink() && !isBelow(root, realPlace(path)))
      throw new Error(`the link ${JSON.stringify(path)} leads out of ${JSON.stringify(root)}`);
  }
}

const HTML = '<!doctype html>\\n<html lang="en"><head><meta charset="utf-8">[\\s\\S]{0,3000}?';
const PAGE = `${HTML}<title>multihop inspector</title>`;
const RUN = '\\S+ Q0 \\S+ \\d+ \\S+ \\d\\d-[\\w-]+\\n';

/** Matches the beginning of a file that multihop wrote. */
const FILE = new RegExp(
  `^(?:${[
    // A trace.
    '\\{"seq":0,"ms":[\\d.]+,"event":\\{"type":"question"',
    PAGE,
    // Reports as text or Markdown, as HTML, and as a picture.
    '(?:# )?Evaluation on [\\s\\S]{0,3000}?\\nShares are in percent \\(EMPer100Tokens',
    `${HTML}Content-Security-Policy[\\s\\S]{0,2000}?<title>Evaluation on `,
    '<svg xmlns="http://www.w3.org/2000/svg"[^>]*dashed: plain top-k">',
    RUN,
    // Weights that were fitted or converted.
    '\\{\\s*"format": "multihop [a-z-]+ \\d',
    '[\\s\\S]{8}\\{"__metadata__":\\{[\\s\\S]*"format":"treehop',
  ].join('|')})`,
);

/** Names and beginnings of a file that a folder of results, of runs or of pages holds. */
const IN_FOLDER: readonly (readonly [name: RegExp, head: RegExp])[] = [
  [/^(?:result|unfinished)\.json$/, /^\{(?:"dataset":"[^"]*","questions":\d+,|"began":")/],
  [/^\d\d-.*\.run$/, new RegExp(`^${RUN}`)],
  [/^\d{4,}\.html$/, new RegExp(`^${PAGE}`)],
];

function isFolderOfOurs(folder: string): boolean {
  const names = readdirSync(folder);
  const isOurs = (name: string): boolean =>
    IN_FOLDER.some(([form, head]) => form.test(name) && head.test(headOf(join(folder, name))));
  return names.length === 0 || names.some(isOurs);
}

/** Bytes in which a file shows who wrote it. */
const HEAD_BYTES = 64 * 1024;

function headOf(path: string): string {
  const { file } = openRegularNow(path);
  try {
    const bytes = Buffer.alloc(Math.min(HEAD_BYTES, fstatSync(file).size));
    return bytes.toString('latin1', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

const refused = (path: string, option: string, text: string, problem: string): InputError =>
  new InputError(
    'configured-output',
    `The configuration ${JSON.stringify(path)} names ${JSON.stringify(text)} as ${option}: ${problem}`,
    { hint: `To allow it, pass --${option} ${JSON.stringify(text)}` },
  );
