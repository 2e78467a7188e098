/**
 * Tells which files of a folder a project leaves out itself: those that `.gitignore` names, and
 * what is below `node_modules`.
 */
import { lstat, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Ignore } from 'ignore';

const RULES_FILE = '.gitignore';
/** Largest file of rules that is read, in bytes. */
const MOST_BYTES = 1 << 20;
/** Most files that are counted in folders that are left out. */
const MOST_COUNTED = 100_000;

export class IgnoreRules {
  private readonly outer: IgnoreRules | undefined;
  private readonly rules: Ignore | undefined;
  /** Path from the folder of the rules to the folder that is walked, or the other way round. */
  private readonly above: string;
  private readonly inside: string;

  private constructor(
    outer: IgnoreRules | undefined,
    rules: Ignore | undefined,
    { above = '', inside = '' }: { readonly above?: string; readonly inside?: string },
  ) {
    this.outer = outer;
    this.rules = rules;
    this.above = above;
    this.inside = inside;
  }

  /**
   * Returns the rules that hold in a folder, by its real path, from outside: in the work tree of
   * git those of the folders above it and of git itself. None if they leave out the folder itself:
   * then it is read because its user names it.
   */
  static async around(folder: string): Promise<IgnoreRules> {
    const none = new IgnoreRules(undefined, undefined, {});
    const tree = await workTree(folder);
    if (tree === undefined) return none;
    let rules = none;
    const texts = await Promise.all([globalRules(), textOf(join(tree, '.git', 'info', 'exclude'))]);
    const above = pathBelow(tree, folder);
    for (const text of texts) rules = await rules.with(text, { above });
    for (let at = tree; at !== folder; ) {
      rules = await rules.with(await textOf(join(at, RULES_FILE)), {
        above: pathBelow(at, folder),
      });
      at = join(at, relative(at, folder).split(sep)[0]!);
    }
    return rules.ignoresFolder() ? none : rules;
  }

  /** Returns these rules with those of a folder below the one that is walked. */
  async inFolder(path: string, below: string, names: readonly string[]): Promise<IgnoreRules> {
    if (!names.includes(RULES_FILE)) return this;
    return this.with(await textOf(join(path, RULES_FILE)), { inside: below });
  }

  private async with(
    text: string | undefined,
    place: { readonly above?: string; readonly inside?: string },
  ): Promise<IgnoreRules> {
    if (text === undefined) return this;
    const { default: ignore } = await import('ignore');
    const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(text);
    return new IgnoreRules(this, rules, place);
  }

  /** Tells if a file or folder is left out, by its path below the folder that is walked. */
  ignores(below: string, isFolder: boolean): boolean {
    if (isFolder && basename(below) === 'node_modules') return true;
    return this.decides(`${below}${isFolder ? '/' : ''}`) ?? false;
  }

  private ignoresFolder(): boolean {
    return this.decides('') ?? false;
  }

  /** The innermost rules that name a path decide. */
  private decides(path: string): boolean | undefined {
    const inside = this.inside === '' ? path : path.slice(this.inside.length + 1);
    const shown = this.above === '' ? inside : `${this.above}/${inside}`;
    const { ignored, unignored } = this.test(shown);
    // A folder that is walked is not left out: inner rules name it again, and what it holds too.
    const isByFolder = ignored && path !== '' && this.test(folderOf(shown)).ignored;
    return (ignored && !isByFolder) || unignored ? ignored : this.outer?.decides(path);
  }

  private test(path: string): { readonly ignored: boolean; readonly unignored: boolean } {
    const found = path === '' ? undefined : this.rules?.test(path);
    return found ?? { ignored: false, unignored: false };
  }
}

/** Returns the folder of a path with a `/` at its end; empty for one at the top. */
const folderOf = (path: string): string =>
  path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);

/** Returns the folder at or above this one that git works in. */
async function workTree(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if (await lstat(join(at, '.git')).catch(() => undefined)) return at;
    if (dirname(at) === at) return undefined;
  }
}

const pathBelow = (outer: string, folder: string): string =>
  relative(outer, folder).split(sep).join('/');

/** Returns the rules of the user, of the file that git reads without another setting. */
function globalRules(): Promise<string | undefined> {
  const settings = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return textOf(join(settings, 'git', 'ignore'));
}

/** Returns a file of rules; undefined if there is none. Git follows no links to them either. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    const found = await lstat(path);
    if (!found.isFile() || found.size > MOST_BYTES) return undefined;
    return (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  } catch {
    // A file that cannot be read leaves nothing out.
    return undefined;
  }
}

/** Counts the files below a folder that is left out, up to a limit. */
export async function filesBelow(folder: string): Promise<number> {
  let count = 0;
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && count < MOST_COUNTED; at = folders.pop())
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => []))
      if (entry.isDirectory()) folders.push(join(at, entry.name));
      else count++;
  return count;
}
