/** Checks names of GGUF models, their files and what is said without the library. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { InputError, PortError } from '../../core/errors.ts';
import { knownModels, resolveModel } from '../resolve-model.ts';
import { ggufNameOf, hubUri } from './gguf-name.ts';
import { ggufFingerprint, ggufName, partsOf } from './gguf-path.ts';
import { samplingOf } from './sampling.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'multihop-gguf-names-'));
after(() => rmSync(FOLDER, { recursive: true }));
const file = (name: string, bytes: Uint8Array | string): string => {
  const path = join(FOLDER, name);
  writeFileSync(path, bytes);
  return path;
};
const whole = (at: number, size = 20 * 2 ** 20): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.write('GGUF');
  bytes[at] = bytes[at]! ^ 1;
  return bytes;
};
const missing = (): Promise<never> =>
  Promise.reject(
    Object.assign(new Error("Cannot find package 'node-llama-cpp'"), {
      code: 'ERR_MODULE_NOT_FOUND',
    }),
  );

describe('names of GGUF models', () => {
  const settings: readonly [string, object][] = [
    ['a.gguf', {}],
    ['dir/with space/a.gguf?threads=2', { threads: 2 }],
    ['a.gguf?context=4096&cache=q8_0', { contextTokens: 4096, cacheType: 'q8_0' }],
    ['a?b.gguf?sequences=1', { sequences: 1 }],
  ];
  for (const [name, expected] of settings)
    test(`gguf:${name}`, () => assert.deepEqual(ggufNameOf(name).settings, expected));

  for (const name of ['', '?threads=2', 'a?threads=0', 'a?cache=q9', 'a?speed=2', 'a?threads=two'])
    test(`gguf:${name} is refused`, () =>
      assert.throws(
        () => ggufNameOf(name),
        ({ code }: InputError) => code === 'bad-model',
      ));

  test('options are those of sampling, and others are refused before the file is read', async () => {
    const options = { temperature: 0.7, top_k: 20, min_p: 0, seed: 3, top_p: null };
    assert.deepEqual(samplingOf(options), { temperature: 0.7, topK: 20, minP: 0, seed: 3 });
    assert.deepEqual(samplingOf(), {});
    for (const modelOptions of [{ reasoning_effort: 'low' }, { top_k: 'many' }, { top_p: -1 }])
      await assert.rejects(
        resolveModel('model', 'gguf:nowhere.gguf', { env: {}, modelOptions }),
        ({ code }: InputError) => code === 'bad-model-option',
      );
  });

  test('hf:ORG/NAME:FILE names a file or its quantisation', () => {
    assert.equal(hubUri('Qwen/Qwen3-4B-GGUF:Q4_K_M'), 'hf:Qwen/Qwen3-4B-GGUF:Q4_K_M');
    assert.equal(hubUri('org/name:sub/file.gguf'), 'hf:org/name/sub/file.gguf');
    for (const bad of ['org/name', 'name:file.gguf', 'org/name:../file.gguf', 'a b/c:d'])
      assert.throws(
        () => hubUri(bad),
        ({ code }: InputError) => code === 'bad-model',
      );
  });

  test('the forms are known for language models, embedders and rerankers', () => {
    for (const kind of ['model', 'embedder', 'reranker'] as const)
      assert.ok(knownModels(kind, {}).includes('gguf:PATH'), kind);
    assert.ok(!knownModels('entity-recogniser', {}).includes('gguf:PATH'));
  });

  test('without the library an error says what to install, and how to leave out what is large', async () => {
    const path = file('plain.gguf', whole(100, 1000));
    const named = resolveModel('model', `gguf:${path}`, { env: {}, load: missing });
    await assert.rejects(named, (error: PortError) => {
      assert.equal(error.code, 'missing-package');
      assert.match(error.message, /npm install node-llama-cpp/);
      if (process.platform === 'linux' && process.arch === 'x64')
        assert.match(
          error.message,
          /CUDA and Vulkan: npm install --omit=optional node-llama-cpp @node-llama-cpp\/linux-x64/,
        );
      return true;
    });
  });

  test('a model of the hub that is not on this machine is not downloaded without a word', async () => {
    const asked: unknown[] = [];
    const load = async (): Promise<unknown> => ({
      resolveModelFile: (uri: string, options: object) => {
        asked.push([uri, options]);
        return Promise.reject(new Error('no such file'));
      },
    });
    const env = { MULTIHOP_MODELS: '/models' };
    const named = resolveModel('model', 'hf:org/name:Q4_K_M?threads=1', { env, load });
    await assert.rejects(named, (error: InputError) => {
      assert.equal(error.code, 'not-downloaded');
      assert.match(error.message, /multihop models "hf:org\/name:Q4_K_M" --download/);
      return true;
    });
    const options = { directory: '/models', download: false, cli: false };
    assert.deepEqual(asked, [['hf:org/name:Q4_K_M', options]]);
  });

  test('a file that is missing, or no GGUF, is refused before the library loads', async () => {
    const load = (): Promise<never> => assert.fail('loaded');
    const open = (name: string): Promise<unknown> =>
      resolveModel('model', `gguf:${name}`, { env: { MULTIHOP_MODELS: FOLDER }, load });
    file('pointer.gguf', 'version https://git-lfs.github.com/spec/v1\n');
    file('empty.gguf', '');
    await assert.rejects(open('nowhere.gguf'), /no-model-file|No model in "nowhere.gguf"/);
    await assert.rejects(open('pointer.gguf'), /received a Git LFS pointer.*git lfs pull/);
    await assert.rejects(open('empty.gguf'), /is no GGUF file.*received nothing/);
  });
});

describe('files of GGUF models', () => {
  test('the fingerprint sees the head, the end and other sizes, and no path', async () => {
    const prints = await Promise.all(
      [whole(0), whole(50), whole(20 * 2 ** 20 - 1), whole(50, 20 * 2 ** 20 + 1)].map(
        (bytes, at) => {
          bytes.write('GGUF');
          return ggufFingerprint(file(`p${at}.gguf`, bytes));
        },
      ),
    );
    assert.equal(new Set(prints).size, 4);
    const again = whole(50);
    assert.equal(await ggufFingerprint(file('other.gguf', again)), prints[1]);
  });

  test('a model in several parts is one: all parts count, and a missing one is named', async () => {
    const first = file('big-00001-of-00002.gguf', whole(10, 100));
    assert.equal(ggufName(first), 'big');
    assert.equal(partsOf(first).length, 2);
    await assert.rejects(ggufFingerprint(first), /lacks the part "big-00002-of-00002.gguf"/);
    file('big-00002-of-00002.gguf', whole(11, 100));
    const print = await ggufFingerprint(first);
    file('big-00002-of-00002.gguf', whole(12, 100));
    assert.notEqual(await ggufFingerprint(first), print);
  });
});
