/**
 * Checks cassettes on a real disk: durable line by line, tolerant of kills and damage, and never
 * yielding a text that no model generated.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { InputError, PortError } from '../src/core/errors.ts';
import type { Completion } from '../src/models/language-model.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { CassetteFile } from '../src/stores/disk/cassette-file.ts';
import {
  completionLine,
  headerLine,
  readCompletionLine,
  readHeaderLine,
} from '../src/stores/disk/cassette-lines.ts';
import { freshFolder } from './running-command.ts';

const completionOf = (text: string, finish: Completion['finish'] = 'stop'): Completion => ({
  text,
  usage: { input: text.length, output: 3 },
  finish,
});
const key = (index: number): string => sha256(`prompt ${index}`);
const model = { id: 'openai-compatible:toy', price: { input: 0.15, output: 0.6, asOf: '2026-07' } };

const hard = (index: number): Completion => completionOf(`text ${index}\n"quoted" \ud800 😀`);

/** Creates a cassette with `count` completions. */
async function recorded(count: number): Promise<string> {
  const path = join(freshFolder(), 'deep', 'said.jsonl');
  const cassette = await CassetteFile.toRecord(path, model);
  for (let index = 0; index < count; index++) await cassette.put(key(index), hard(index));
  await cassette.close();
  return path;
}

const inputError = (code: string) => (error: unknown) =>
  InputError.is(error) && error.code === code;
const portError = (code: string) => (error: unknown) =>
  PortError.is(error) && error.port === 'cassette' && error.code === code;

describe('a cassette', () => {
  test('returns what was stored, with model and price, and the first of several completions', async () => {
    const path = await recorded(3);
    const cassette = await CassetteFile.toReplay(path);
    assert.deepEqual([cassette.model, cassette.size, cassette.damaged], [model, 3, 0]);
    for (let index = 0; index < 3; index++)
      assert.deepEqual(await cassette.get(key(index)), hard(index));
    assert.equal(await cassette.get(key(3)), undefined);
    const more = await CassetteFile.toRecord(path, { id: model.id });
    assert.equal(
      (await more.put(key(0), completionOf('another'))).text,
      'text 0\n"quoted" \ud800 😀',
    );
    const both = await Promise.all([
      more.put(key(7), completionOf('one')),
      more.put(key(7), completionOf('two')),
    ]);
    assert.deepEqual(
      both.map(({ text }) => text),
      ['one', 'one'],
    );
    await more.close();
    assert.equal(readFileSync(path, 'utf8').trimEnd().split('\n').length, 5);
  });

  test('each line is on disk before its completion is used', async () => {
    const path = join(freshFolder(), 'said.jsonl');
    const cassette = await CassetteFile.toRecord(path, model);
    for (let index = 0; index < 3; index++) {
      await cassette.put(key(index), completionOf(`text ${index}`));
      assert.equal((await CassetteFile.toReplay(path)).size, index + 1);
    }
    await cassette.close();
  });

  test('replaying never writes', async () => {
    const path = await recorded(1);
    chmodSync(path, 0o444);
    await assert.rejects(
      (await CassetteFile.toReplay(path)).put(key(1), completionOf('x')),
      portError('cassette-not-writable'),
    );
  });

  test('a cassette of another model, a missing one and another file are refused and left unchanged', async () => {
    const path = await recorded(1);
    await assert.rejects(CassetteFile.toRecord(path, { id: 'other' }), inputError('other-model'));
    await assert.rejects(
      CassetteFile.toReplay(join(freshFolder(), 'none')),
      inputError('no-cassette'),
    );
    const opens = [CassetteFile.toReplay, (at: string) => CassetteFile.toRecord(at, model)];
    const refused = (error: unknown): boolean =>
      InputError.is(error) && /not-a-cassette|no-cassette/.test(error.code);
    for (const text of [
      ...['notes\n', '{"a": 1}\n', '[]', '\n', 'x', '{"format":"multihop vectors 1"}\n'],
      '{"format":"multihop cassette 2","model":"m"}\n',
    ]) {
      const file = join(freshFolder(), 'file');
      writeFileSync(file, text);
      for (const open of opens) await assert.rejects(open(file), refused, text);
      assert.equal(readFileSync(file, 'utf8'), text);
    }
    const folder = freshFolder();
    for (const open of opens) await assert.rejects(open(folder), PortError.is);
    const blocked = join(freshFolder(), 'file');
    writeFileSync(blocked, '');
    await assert.rejects(CassetteFile.toRecord(join(blocked, 'below'), model), PortError.is);
    assert.equal(existsSync(join(blocked, 'below')), false);
  });
});

describe('after a kill', () => {
  test('cut at every byte: complete lines before the cut survive, and recording continues to the same completions', async () => {
    const path = await recorded(2);
    const bytes = readFileSync(path);
    const lineEnds = [...bytes.keys()].filter(at => bytes[at] === 10);
    for (let length = 0; length < bytes.length; length++) {
      const cut = join(freshFolder(), 'cut.jsonl');
      writeFileSync(cut, bytes.subarray(0, length));
      // A line is complete with its line end only.
      const whole = lineEnds.filter(at => at < length).length;
      if (whole > 0) {
        const replay = await CassetteFile.toReplay(cut);
        assert.deepEqual(
          [replay.size, replay.damaged],
          [whole - 1, lineEnds.includes(length - 1) ? 0 : 1],
          `${length}`,
        );
      }
      const cassette = await CassetteFile.toRecord(cut, model);
      for (let index = 0; index < 2; index++) await cassette.put(key(index), hard(index));
      await cassette.close();
      const again = await CassetteFile.toReplay(cut);
      assert.deepEqual([again.size, again.model.id], [2, model.id], `${length}`);
      for (let index = 0; index < 2; index++)
        assert.deepEqual(await again.get(key(index)), hard(index));
    }
  });

  test('kill -9 while recording: every used completion survives', { timeout: 60_000 }, async () => {
    const writer = `
      import { CassetteFile } from ${JSON.stringify(new URL('../src/stores/disk/cassette-file.ts', import.meta.url).href)};
      import { sha256 } from ${JSON.stringify(new URL('../src/platform/sha256.ts', import.meta.url).href)};
      const cassette = await CassetteFile.toRecord(process.argv[1], { id: 'm' });
      for (let index = cassette.size; ; index++) {
        await cassette.put(sha256('prompt ' + index), { text: 'text ' + index, usage: { input: 1, output: 1 }, finish: 'stop' });
        process.stdout.write(index + '\\n');
      }`;
    const path = join(freshFolder(), 'killed.jsonl');
    let last = -1;
    for (let round = 0; round < 5; round++) {
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', writer, path],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      let out = '';
      child.stdout.on('data', (piece: Buffer) => {
        out += piece;
        if (out.split('\n').length > 3 + 4 * round) child.kill('SIGKILL');
      });
      await new Promise(resolve => child.on('close', resolve));
      const lines = out.split('\n');
      lines.pop();
      last = Math.max(last, ...lines.map(Number));
      const cassette = await CassetteFile.toReplay(path);
      for (let index = 0; index <= last; index++)
        assert.equal((await cassette.get(key(index)))?.text, `text ${index}`);
    }
    assert.ok(last >= 15);
  });

  test('a full disk in the middle of a line is a typed failure, and the next line starts afresh', async () => {
    const path = await recorded(1);
    const { size } = await import('node:fs/promises').then(fs => fs.stat(path));
    const cassette = await CassetteFile.toRecord(path, model);
    const file = (
      cassette as unknown as {
        file: { write(bytes: Buffer, at: number): Promise<{ bytesWritten: number }> };
      }
    ).file;
    const write = file.write.bind(file);
    let full = true;
    file.write = async (bytes, at) => {
      if (!full) return write(bytes, at);
      if (at > 0)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
          code: 'ENOSPC',
        });
      return write(bytes.subarray(0, 20), 0);
    };
    await assert.rejects(
      cassette.put(key(1), completionOf('lost')),
      portError('cassette-not-writable'),
    );
    assert.equal(await cassette.get(key(1)), undefined, 'what is not recorded is not used');
    full = false;
    await cassette.put(key(2), completionOf('after'));
    await cassette.put(key(1), completionOf('again'));
    await cassette.close();
    const read = await CassetteFile.toReplay(path);
    assert.deepEqual(
      [read.size, read.damaged, (await read.get(key(1)))?.text, (await read.get(key(2)))?.text],
      [3, 1, 'again', 'after'],
    );
    assert.ok(readFileSync(path).length > size);
  });
});

describe('damage', () => {
  test('any byte changed: the completion is the recorded one, or missing', async () => {
    const path = await recorded(3);
    const bytes = readFileSync(path);
    const results = await Promise.all(
      [0, 1, 2].map(async index => (await CassetteFile.toReplay(path)).get(key(index))),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const damaged = Buffer.from(bytes);
          damaged[at]! ^= change;
          const file = `${path}.damaged`;
          writeFileSync(file, damaged);
          const cassette = await CassetteFile.toReplay(file).catch((error: unknown) =>
            assert.ok(InputError.is(error)),
          );
          if (!cassette) return;
          for (let index = 0; index < 3; index++) {
            const restored: Completion | undefined = await cassette.get(key(index));
            if (restored) assert.deepEqual(restored, results[index]);
          }
        },
      ),
      { numRuns: 600 },
    );
  });

  test('any file is read as valid lines or refused', async () => {
    const folder = freshFolder();
    const good = completionLine(key(0), completionOf('good'), sha256);
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }).filter(text => !text.includes('\n')),
      fc.constantFrom(
        good,
        good.slice(0, -1),
        good.replace('good', 'evil'),
        headerLine(model),
        '',
        '{}',
        '[]',
        'null',
        '1e999',
        '{"key":1}',
        '{"__proto__":{"key":"x"}}',
      ),
      fc.json({ maxDepth: 3 }),
    );
    const file = join(folder, 'any.jsonl');
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.boolean(), async (lines, ended) => {
        writeFileSync(file, `${headerLine(model)}\n${lines.join('\n')}${ended ? '\n' : ''}`);
        const cassette = await CassetteFile.toReplay(file);
        const complete = ended ? lines : lines.slice(0, -1);
        assert.equal(cassette.size, complete.includes(good) ? 1 : 0);
        assert.equal(
          (await cassette.get(key(0)))?.text,
          complete.includes(good) ? 'good' : undefined,
        );
        assert.deepEqual(cassette.model, model);
      }),
      { numRuns: 400 },
    );
  });

  test('a line survives a round trip for any completion, with equal bytes for equal completions', () => {
    const completion = fc.record(
      {
        text: fc.string({ unit: 'binary', maxLength: 200 }),
        usage: fc.record({ input: fc.nat(), output: fc.nat() }, { noNullPrototype: true }),
        finish: fc.constantFrom('stop', 'length', 'filtered', 'other'),
      },
      { noNullPrototype: true },
    ) as fc.Arbitrary<Completion>;
    fc.assert(
      fc.property(completion, fc.boolean(), (given, estimated) => {
        const one = estimated ? { ...given, usage: { ...given.usage, estimated: true } } : given;
        const line = completionLine(key(1), one, sha256);
        assert.ok(!line.includes('\n'));
        assert.deepEqual(readCompletionLine(line, sha256), { key: key(1), completion: one });
        assert.equal(
          completionLine(key(1), readCompletionLine(line, sha256)!.completion, sha256),
          line,
        );
        for (const at of [1, Math.floor(line.length / 2), line.length - 1])
          assert.equal(readCompletionLine(line.slice(0, at), sha256), undefined);
      }),
    );
    assert.deepEqual(readHeaderLine(headerLine(model)), model);
    assert.deepEqual(readHeaderLine(headerLine({ id: 'm' })), { id: 'm' });
    for (const price of [
      '{"input":-1,"output":1}',
      '{"input":1}',
      '"x"',
      'null',
      '{"input":1e999,"output":1}',
    ]) {
      const line = `{"format":"multihop cassette 1","model":"m","price":${price}}`;
      assert.deepEqual(readHeaderLine(line), { id: 'm' });
    }
  });
});
