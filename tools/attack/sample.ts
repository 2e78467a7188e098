/** Makes a small store with every kind of file, a trace, a cache of vectors and a cassette. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenStoreOptions, openStore } from '../../src/index.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { CassetteFile } from '../../src/stores/disk/cassette-file.ts';
import { VectorCacheFolder } from '../../src/stores/disk/vector-cache.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import { runCommand } from './command.ts';

export const QUESTION = 'Which ferry did captain Ilse Brandt of Aldmoor see?';
export const SPACE = 'toy@1\ndocument';
export const KEYS: readonly string[] = ['a', 'b', 'c', 'd'].map(text => sha256(text));
export const MODEL = { id: 'toy', price: { input: 1.25, output: 10 } };

export const storeOptions = (): OpenStoreOptions => ({
  embedders: [hashedEmbedder('toy@1', 8)],
  graph: 'names',
});

/** Returns the folder of the files to damage: `store`, `traces` and `caches`. */
export async function makeSample(folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  const [notes, files] = [join(folder, 'notes'), join(folder, 'files')];
  for (const name of [notes, join(files, 'traces'), join(files, 'caches')])
    mkdirSync(name, { recursive: true });
  for (let at = 0; at < 8; at++) writeFileSync(join(notes, `n${at}.md`), noteOf(at));
  const store = await openStore(join(files, 'store'), storeOptions());
  await store.ingest({ paths: [notes], sync: true });
  await store.ingest([{ id: 'x', title: '', text: 'Ilse Brandt saw a ferry sink.', day: 3 }]);
  await store.close();
  const trace = ['--trace', join(files, 'traces', 'run.jsonl')];
  const asked = await runCommand(['ask', QUESTION, '--store', join(files, 'store'), ...trace]);
  if (asked.code !== 0) throw new Error(asked.err);
  await fillCaches(join(files, 'caches'));
  return files;
}

function noteOf(at: number): string {
  const next = `[the next](n${(at + 1) % 8}.md)`;
  return `# Note ${at}\n\nThe ferry ${at} left Aldmoor. Captain Ilse Brandt saw ${next}.\n\n## Later\n\nIt rained ${at} days in Aldmoor.\n`;
}

async function fillCaches(folder: string): Promise<void> {
  const cache = new VectorCacheFolder(folder);
  const vector = (at: number): Float32Array => new Float32Array([at, 1 / (at + 1), -at, 0.5]);
  await cache.put(
    SPACE,
    KEYS.map((key, at) => [key, vector(at)] as const),
  );
  await cache.close();
  const cassette = await CassetteFile.toRecord(join(folder, 'cassette.jsonl'), MODEL);
  for (const [at, key] of KEYS.entries())
    await cassette.put(key, {
      text: `Answer ${at}`,
      finish: 'stop' as const,
      usage: { input: at, output: 1 },
    });
  await cassette.close();
}
