/** Builds and packs the packages of a checkout in a copy of its files. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bom } from './sbom.ts';

export interface Tarball {
  /** Name of the package. */
  readonly name: string;
  readonly file: string;
  readonly sha256: string;
}

export interface Packed {
  readonly tarballs: readonly Tarball[];
  /** The list of licences in the build. */
  readonly licences: string;
  /** The whole bill of the lock file, as npm writes it. */
  readonly bom: Bom;
}

/** Settings of a machine, on which no byte of a tarball may depend. */
export interface Surroundings {
  readonly TZ: string;
  readonly LANG: string;
}

/** npm packs the modes of files, which the build makes by this mask of the process. */
const UMASK = 0o022;

/**
 * Copies the files that git knows, and those that it does not ignore, from `root` to `folder`;
 * builds and packs there. Throws if npm fails.
 */
export function packCopy(root: string, folder: string, around: Surroundings): Packed {
  const before = process.umask(UMASK);
  try {
    copyFiles(root, folder);
    return packAll(folder, environment(around));
  } finally {
    process.umask(before);
  }
}

function copyFiles(root: string, folder: string): void {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const list = execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  for (const path of new Set(list.split('\0').filter(Boolean))) {
    // The index still names a file that was deleted.
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

/** npm's variables of the script that calls this would change what the npm called here does. */
const environment = ({ TZ, LANG }: Surroundings): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_TEST|INIT_CWD$)/.test(name)),
  ),
  TZ,
  LANG,
});

function packAll(folder: string, env: NodeJS.ProcessEnv): Packed {
  const npm = (cwd: string, ...words: string[]): string =>
    execFileSync('npm', words, {
      cwd,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const tarballs = published(folder).map(({ name, path }) => {
    // The build, which `prepack` runs, writes to stdout too; npm's report comes last.
    const output = npm(path, 'pack', '--json', '--pack-destination', folder);
    const [{ filename }] = JSON.parse(output.slice(output.search(/^\[\s*\{/m))) as [Report];
    const file = join(folder, filename);
    return { name, file, sha256: createHash('sha256').update(readFileSync(file)).digest('hex') };
  });
  const words = ['--sbom-format', 'cyclonedx', '--package-lock-only'];
  return {
    tarballs,
    licences: readFileSync(join(folder, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8'),
    bom: JSON.parse(npm(folder, 'sbom', ...words)) as Bom,
  };
}

interface Report {
  readonly filename: string;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly workspaces?: readonly string[];
}

/** Returns the package of the checkout, and its workspaces that are not private. */
function published(folder: string): { readonly name: string; readonly path: string }[] {
  const read = (path: string): Manifest =>
    JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;
  const all = ['', ...(read(folder).workspaces ?? [])].map(path => join(folder, path));
  return all.flatMap(path => {
    const { name, private: isPrivate } = read(path);
    return isPrivate ? [] : [{ name, path }];
  });
}
