/**
 * Checks the vector cache: same results, nothing computed twice, and kills, truncation or damage
 * cost only the records affected.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { mulberry32 } from '../src/core/mulberry32.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { cachedEmbedder } from '../src/models/cached-embedder.ts';
import { cachedReranker } from '../src/models/cached-reranker.ts';
import type { Embedder } from '../src/models/embedder.ts';
import type { Reranker } from '../src/models/reranker.ts';
import type { VectorCache } from '../src/models/vector-cache.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { optionalCache } from '../src/session/optional-cache.ts';
import { cacheFileName, VectorCacheFolder } from '../src/stores/disk/vector-cache.ts';
import { embedderLaws } from '../src/testing/embedder-laws.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { freshFolder } from './fresh-folder.ts';

const WRITER = fileURLToPath(new URL('providers-cache-writer.ts', import.meta.url));
const SPACE = 'model@1\npassage';
const call = freeCall();

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});

const open: VectorCacheFolder[] = [];
afterEach(async () => {
  for (const cache of open.splice(0)) await cache.close();
});
function cacheIn(path = folder): VectorCacheFolder {
  const cache = new VectorCacheFolder(path);
  open.push(cache);
  return cache;
}
const embedderOver = (inner: Embedder, cache: VectorCache = cacheIn()): Embedder =>
  cachedEmbedder(inner, cache, { hash: sha256, batch: 3 });
const rerankerOver = (inner: Reranker, cache: VectorCache = cacheIn()): Reranker =>
  cachedReranker(inner, cache, { hash: sha256, batch: 2 });
const file = (space = SPACE): string => join(folder, cacheFileName(space));
const keyOf = (at: number): string => sha256(`key ${at}`);
const vectorOf = (at: number): Float32Array => Float32Array.of(at, -at, at / 3);
const entriesOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => [keyOf(from + at), vectorOf(from + at)] as const);

/** Returns which of the first `count` are present; every present one must be correct. */
async function there(cache: VectorCache, count: number): Promise<number[]> {
  const found = await cache.get(
    SPACE,
    Array.from({ length: count }, (_, at) => keyOf(at)),
  );
  for (const [at, vector] of found.entries())
    if (vector) assert.deepEqual(vector, vectorOf(at), `the vector of ${at}`);
  return found.flatMap((vector, at) => (vector ? [at] : []));
}
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

test('laws of embedders, through the cache: empty, and full', async t => {
  // The hooks above run for each law.
  const path = freshFolder();
  for (const state of ['empty', 'full']) {
    const inner = hashedEmbedder();
    const cached = embedderOver(inner, cacheIn(path));
    for (const { name, run } of embedderLaws(cached, { tolerance: 0 }))
      await t.test(`${state}: ${name}`, run);
    if (state === 'full') assert.equal(inner.calls.length, 0);
  }
});

describe('through the cache', () => {
  test('a text is embedded once for each role and each model, in any process', async () => {
    const model = hashedEmbedder('one');
    const other = hashedEmbedder('two');
    for (let time = 0; time < 2; time++) {
      const cache = cacheIn();
      for (const inner of [model, other]) {
        const cached = embedderOver(inner, cache);
        assert.deepEqual(
          await cached.embed(['a', 'b', 'a'], 'passage', call),
          await hashedEmbedder().embed(['a', 'b', 'a'], 'passage', call),
        );
        await cached.embed(['b'], 'query', call);
      }
    }
    const wanted = [
      { texts: ['a', 'b'], as: 'passage' },
      { texts: ['b'], as: 'query' },
    ];
    assert.deepEqual(model.calls, wanted);
    assert.deepEqual(other.calls, wanted);
  });

  test('missing texts are embedded in batches, each stored before the next', async () => {
    const inner = hashedEmbedder('m');
    let left = 2;
    const dying = {
      ...inner,
      embed: (...args: Parameters<typeof inner.embed>) =>
        left-- > 0 ? inner.embed(...args) : Promise.reject(new Error('died')),
    };
    const texts = range(0, 10).map(at => `t${at}`);
    await assert.rejects(embedderOver(dying).embed(texts, 'passage', call), { message: 'died' });
    const again = hashedEmbedder('m');
    await embedderOver(again).embed(texts, 'passage', call);
    assert.deepEqual(
      again.calls.flatMap(({ texts }) => texts),
      texts.slice(6),
    );
  });

  test("a caller's change of a vector affects no other caller", async () => {
    const cached = embedderOver(hashedEmbedder('m'));
    const [first, second] = await cached.embed(['a', 'a'], 'query', call);
    first!.fill(9);
    assert.notEqual(second![0], 9);
    assert.notEqual((await cached.embed(['a'], 'query', call))[0]![0], 9);
  });

  test('a cached vector of other dimensions is ignored', async () => {
    const cache: VectorCache = {
      get: async (_, keys) => keys.map(() => Float32Array.of(1)),
      put: async () => {},
    };
    const inner = hashedEmbedder('m', 8);
    assert.equal((await embedderOver(inner, cache).embed(['a'], 'query', call))[0]!.length, 8);
    assert.equal(inner.calls.length, 1);
  });

  test('invalid vectors are an error and are not stored: the next call asks the model again', async () => {
    const good = hashedEmbedder('m', 2);
    for (const [code, wrong] of [
      ['not-finite', (texts: readonly string[]) => texts.map(() => Float32Array.of(Number.NaN, 1))],
      [
        'wrong-count',
        (texts: readonly string[]) => texts.slice(1).map(() => Float32Array.of(1, 0)),
      ],
      ['wrong-dimensions', (texts: readonly string[]) => texts.map(() => Float32Array.of(1))],
      ['not-normalised', (texts: readonly string[]) => texts.map(() => Float32Array.of(3, 4))],
    ] as const) {
      const cache = cacheIn();
      const failing = embedderOver({ ...good, embed: async texts => wrong(texts) }, cache);
      await assert.rejects(failing.embed([code, 'b'], 'passage', call), {
        name: 'PortError',
        code,
      });
      assert.deepEqual(
        await embedderOver(good, cache).embed([code], 'passage', call),
        await good.embed([code], 'passage', call),
      );
    }
    for (const [code, scores] of [
      ['not-finite', Float32Array.of(1, Number.NaN)],
      ['wrong-count', Float32Array.of(1)],
    ] as const) {
      const cache = cacheIn();
      const failing = rerankerOver({ id: 'r', score: async () => scores }, cache);
      await assert.rejects(failing.score(code, ['a', 'b'], call), { name: 'PortError', code });
      const sound = rerankerOver({ id: 'r', score: async () => Float32Array.of(5, 6) }, cache);
      assert.deepEqual(await sound.score(code, ['a', 'b'], call), Float32Array.of(5, 6));
    }
  });

  test('a pair is scored once; another question is another pair', async () => {
    const asked: string[] = [];
    const inner: Reranker = {
      id: 'r',
      async score(query, texts) {
        asked.push(...texts.map(text => `${query}|${text}`));
        return Float32Array.from(texts, text => text.length + query.length / 10);
      },
    };
    for (let time = 0; time < 2; time++) {
      const cached = rerankerOver(inner);
      assert.deepEqual(
        await cached.score('q', ['aaa', 'b', 'aaa', 'cc'], call),
        Float32Array.of(3.1, 1.1, 3.1, 2.1),
      );
      assert.deepEqual(await cached.score('qq', ['b'], call), Float32Array.of(1.2));
      // Differs from ('q', 'b'), although both concatenate to the same text.
      assert.deepEqual(await cached.score('', ['qb'], call), Float32Array.of(2));
    }
    assert.deepEqual(asked, ['q|aaa', 'q|b', 'q|cc', 'qq|b', '|qb']);
  });
});

describe('the file', () => {
  test('keeps stored vectors for later and for other readers, separated by space', async () => {
    const [writer, reader] = [cacheIn(), cacheIn()];
    assert.deepEqual(await there(reader, 5), []);
    await writer.put(SPACE, entriesOf(0, 3));
    assert.deepEqual(await there(reader, 5), [0, 1, 2]);
    await reader.put(SPACE, entriesOf(2, 5));
    assert.deepEqual(await there(writer, 5), range(0, 5));
    assert.deepEqual(await writer.get('other', [keyOf(0)]), [undefined]);
    assert.deepEqual(await writer.counts(SPACE), { vectors: 5, damaged: 0 });
    // 2 was already present.
    assert.equal(
      statSync(file()).size,
      `${JSON.stringify({ format: 'multihop vectors 1', space: SPACE })}\n`.length + 5 * (44 + 12),
    );
  });

  test('cut anywhere: complete records survive, and writing continues', async () => {
    await cacheIn().put(SPACE, entriesOf(0, 4));
    const whole = readFileSync(file());
    const head = whole.length - 4 * 56;
    for (let length = 0; length <= whole.length; length++) {
      writeFileSync(file(), whole.subarray(0, length));
      const kept = Math.max(0, Math.floor((length - head) / 56));
      const cache = cacheIn();
      assert.deepEqual(await there(cache, 6), range(0, kept), `cut to ${length}`);
      await cache.put(SPACE, entriesOf(4, 6));
      for (const each of [cache, cacheIn()])
        assert.deepEqual(await there(each, 6), [...range(0, kept), 4, 5], `cut to ${length}`);
      await cache.close();
    }
  });

  test('a bit flipped in the name of the space: another space, of which no vector is given', async () => {
    await cacheIn().put(SPACE, entriesOf(0, 4));
    const text = readFileSync(file(), 'latin1');
    writeFileSync(file(), text.replace('model@1', 'lodel@1'), 'latin1');
    await assert.rejects(cacheIn().get(SPACE, [keyOf(0)]), { code: 'other-cache-space' });
  });

  test('two swapped files: neither gives the vectors of the other', async () => {
    const other = 'other@2\npassage';
    const cache = new VectorCacheFolder(folder);
    await cache.put(SPACE, [[keyOf(0), Float32Array.of(1, 2)]]);
    await cache.put(other, [[keyOf(0), Float32Array.of(3, 4)]]);
    await cache.close();
    const kept = readFileSync(file());
    writeFileSync(file(), readFileSync(file(other)));
    writeFileSync(file(other), kept);
    for (const space of [SPACE, other])
      await assert.rejects(cacheIn().get(space, [keyOf(0)]), {
        code: 'other-cache-space',
        message: /expected .*received .*Rename it to/s,
      });
    const problems: string[] = [];
    const tolerant = optionalCache(cacheIn(), problem => problems.push(problem));
    assert.deepEqual(await tolerant.get(SPACE, [keyOf(0)]), [undefined]);
    await tolerant.put(SPACE, [[keyOf(1), Float32Array.of(5, 6)]]);
    assert.equal(problems.length, 1);
    assert.equal(readFileSync(file(other)).equals(kept), true);
  });

  test('a bit flipped anywhere loses that record only, and never yields a wrong vector', async () => {
    await cacheIn().put(SPACE, entriesOf(0, 4));
    const whole = readFileSync(file());
    const head = whole.length - 4 * 56;
    const name = whole.indexOf(JSON.stringify(SPACE)) + 1;
    const inName = (at: number): boolean => at >= name && at < name + SPACE.length + 1;
    // Flips one bit of each byte, a different one in turn.
    for (let at = 0; at < whole.length; at++) {
      if (inName(at)) continue;
      const bit = at * 8 + (at % 8);
      const bytes = Buffer.from(whole);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(file(), bytes);
      const hit = Math.floor(((bit >> 3) - head) / 56);
      const cache = new VectorCacheFolder(folder);
      assert.deepEqual(
        await there(cache, 4),
        range(0, 4).filter(at => at !== hit),
        `bit ${bit}`,
      );
      await cache.close();
    }
  });

  test('damage while it is open is detected when a vector is read', async () => {
    const cache = cacheIn();
    await cache.put(SPACE, entriesOf(0, 3));
    const bytes = readFileSync(file());
    bytes[bytes.length - 60]! ^= 1;
    writeFileSync(file(), bytes);
    assert.deepEqual(await there(cache, 3), [0, 2]);
    assert.deepEqual(await cache.counts(SPACE), { vectors: 2, damaged: 1 });
    await cache.put(SPACE, entriesOf(0, 3));
    assert.deepEqual(await there(cache, 3), [0, 1, 2]);
  });

  test('garbage between records, even with record marks, hides no later record', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.uint8Array({ maxLength: 99 }),
            fc.constant(Buffer.from('mhv1')),
            fc.constant(null),
          ),
          { maxLength: 12 },
        ),
        async parts => {
          rmSync(folder, { recursive: true });
          const cache = cacheIn();
          let count = 0;
          await cache.put(SPACE, []);
          for (const part of parts) {
            if (part === null) await cache.put(SPACE, entriesOf(count, ++count));
            else appendFileSync(file(), part);
          }
          await cache.put(SPACE, entriesOf(count, ++count));
          assert.deepEqual(await there(cache, count), range(0, count));
          assert.deepEqual(await there(cacheIn(), count), range(0, count));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('more records than one read returns', async () => {
    const cache = cacheIn();
    const random = mulberry32(3);
    const big = Array.from(
      { length: 1500 },
      (_, at) => [keyOf(at), Float32Array.from({ length: 1000 }, random)] as const,
    );
    await cache.put(SPACE, big);
    const found = await cacheIn().get(
      SPACE,
      big.map(([key]) => key),
    );
    for (const [at, [, vector]] of big.entries()) assert.deepEqual(found[at], vector);
  });

  test('a record whose mark is split between two reads is found', async () => {
    for (const split of [1, 2, 3]) {
      rmSync(file(), { force: true });
      const cache = new VectorCacheFolder(folder);
      await cache.put(SPACE, []);
      // The file is read in pieces of 4 MiB.
      appendFileSync(file(), Buffer.alloc(4 * 2 ** 20 - split - statSync(file()).size));
      await cache.put(SPACE, entriesOf(0, 2));
      await cache.close();
      assert.deepEqual(await there(cacheIn(), 2), [0, 1], `split after ${split}`);
    }
  });

  test('a file that shrinks or disappears while it is open causes no crash', async () => {
    const cache = cacheIn();
    await cache.put(SPACE, entriesOf(0, 3));
    truncateSync(file(), 0);
    assert.deepEqual(await there(cache, 3), []);
    await cache.put(SPACE, entriesOf(0, 2));
    assert.deepEqual(await there(cache, 3), [0, 1]);
  });

  test('a folder that cannot be created is a typed error', async () => {
    writeFileSync(join(folder, 'file'), '');
    await assert.rejects(cacheIn(join(folder, 'file', 'cache')).put(SPACE, entriesOf(0, 1)), {
      multihop: 'port',
      port: 'store',
    });
  });
});

describe('processes', () => {
  const start = (count: number, batch: number, ms: number) => {
    const child = spawn(process.execPath, [WRITER, `${count}`, folder, `${batch}`, `${ms}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    const ended = new Promise<void>(resolve => child.on('close', () => resolve()));
    child.stdout.on('data', piece => (out += piece));
    return { child, ended, lines: () => out.split('\n').filter(line => line !== '') };
  };

  test('an ingest that is killed repeatedly resumes: only the batch under way is embedded twice', {
    timeout: 60_000,
  }, async () => {
    const [count, batch] = [300, 5];
    let embedded = 0;
    let kills = 0;
    for (; kills < 4; kills++) {
      const run = start(count, batch, 2);
      while (run.lines().length < 40) await new Promise(resolve => setTimeout(resolve, 5));
      run.child.kill('SIGKILL');
      await run.ended;
      embedded += run.lines().length;
    }
    const stored = (await cacheIn().counts('slow\npassage')).vectors;
    assert.ok(stored > 100 && stored < count, `${stored} stored after four kills`);
    const last = start(count, batch, 0);
    await last.ended;
    assert.equal(last.lines().at(-1), 'done');
    assert.equal(
      last.lines().length - 1,
      count - stored,
      'embedded after the last kill: exactly the missing texts',
    );
    assert.ok(
      embedded + count - stored <= count + kills * batch,
      `${embedded + count - stored} embedded in all`,
    );
    const full = spawnSync(process.execPath, [WRITER, `${count}`, folder, `${batch}`, '0'], {
      encoding: 'utf8',
    });
    assert.equal(full.stdout, 'done\n');
  });

  test('two concurrent writers lose nothing', { timeout: 60_000 }, async () => {
    const runs = [start(150, 3, 1), start(150, 3, 1)];
    await Promise.all(runs.map(({ ended }) => ended));
    for (const run of runs) assert.equal(run.lines().at(-1), 'done');
    assert.deepEqual(readdirSync(folder).length, 1);
    const found = await cacheIn().counts('slow\npassage');
    assert.equal(found.vectors, 150);
    const full = spawnSync(process.execPath, [WRITER, '150', folder, '3', '0'], {
      encoding: 'utf8',
    });
    assert.equal(full.stdout, 'done\n');
  });
});
