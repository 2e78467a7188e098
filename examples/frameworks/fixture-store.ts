/** The store and the processes of the tests of these examples. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openStore } from 'multihop';
import { FIXTURE_DOCUMENTS } from 'multihop/testing';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Its second fact shares no word with the question. */
export const QUESTION = 'Under whom did the founder of the works of the lighthouse buyer study?';
export const LENS_GRINDER = 'Its founder studied under the lens grinder Osk Maren.';
export const BUYER =
  'Its buyer is the glass maker Ines Quill, who founded the Quill Works in Tarn.';

/** Returns why a test is skipped; false where its package is installed. */
export const lacks = (name: string): string | false =>
  !existsSync(join(HERE, 'node_modules', name)) &&
  `needs ${name} (npm --prefix examples/frameworks ci)`;

/** Makes a store of the fixture documents in a new folder; returns its path. */
export async function fixtureStore(): Promise<{ readonly path: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-examples-'));
  const path = join(folder, 'fixture.store');
  await using store = await openStore(path);
  await store.ingest(FIXTURE_DOCUMENTS);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a program of this folder as its page says; returns what it prints. Throws if it fails. */
export async function runExample(
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  // The runner of the tests would take the report of a child for its own.
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const flags = ['--disable-warning=ExperimentalWarning', '--import', '../multihop-from-source.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...words], {
    ...{ cwd: HERE, env: { ...own, ...env } },
  });
  return stdout;
}
