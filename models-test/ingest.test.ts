/**
 * Checks ingest with a local model: passages per second, a kill in the middle, resuming from the
 * cache, and searches over the stored vectors.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DEMO_CORPUS, freshFolder, type Result, start } from '../test/running-command.ts';

const MODELS = process.env.MULTIHOP_MODELS ?? '';
const MODEL = 'all-MiniLM-L6-v2';
const skip =
  MODELS === ''
    ? 'MULTIHOP_MODELS is not set'
    : existsSync(join(MODELS, MODEL))
      ? false
      : `MULTIHOP_MODELS holds no ${MODEL}`;
const around = { env: { MULTIHOP_MODELS: MODELS }, cwd: import.meta.dirname };

const ingest = (store: string) =>
  start(['ingest', DEMO_CORPUS, '--store', store, '--embedder', MODEL, '-v'], around);
const good = async (...words: string[]): Promise<Result> => {
  const result = await start(words, around).result;
  assert.equal(result.code, 0, result.err);
  return result;
};
/** Bytes of the cache. */
const cached = (store: string): number => {
  const folder = join(store, 'cache');
  return existsSync(folder)
    ? readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    : 0;
};

describe('ingest with a local model', { skip, timeout: 300_000 }, () => {
  test('resumes after a kill, and its search matches by meaning', async () => {
    const store = join(freshFolder(), 'demo.store');
    const killed = ingest(store);
    // Sixteen vectors of 384 numbers.
    while (cached(store) < 16 * 384 * 4 && killed.child.exitCode === null) await wait(20);
    killed.child.kill('SIGKILL');
    assert.equal((await killed.result).code, null);
    const { code, err } = await ingest(store).result;
    assert.equal(code, 0, err);
    const [, worked, known] =
      /(\d+) passages embedded by all-MiniLM-L6-v2 in .* \([\d,.]+\/s\); (\d+) passages were known/.exec(
        err,
      ) ?? [];
    assert.ok(Number(known) >= 16 && Number(worked) + Number(known) === 44, err);
    const words = [
      'search',
      'tickets become more expensive',
      '--store',
      store,
      '--retriever',
      `dense(${MODEL})`,
      '--json',
      '-k',
      '3',
    ];
    const { out, err: said } = await good(...words);
    const { unit, hits } = JSON.parse(out) as { unit: string; hits: { documentId: string }[] };
    assert.deepEqual([unit, said], ['passage', '']);
    assert.ok(
      hits.some(({ documentId }) => documentId === 'ferry-fares-rise'),
      out,
    );
    assert.match((await good('verify', '--store', store)).out, /sound/);
  });
});
