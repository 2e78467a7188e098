/**
 * Tests that commands over a damaged store answer as over the sound one, or end with the exit code
 * and the error of the damage: never with another answer, never as a bug.
 */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { STORE_CODES } from '../src/edges/storage/store-errors.ts';
import { demoStore, freshFolder, type Result, run } from './running-command.ts';

const QUESTION =
  "Which company is to replace the engines of the ship from which this year's winner of the Fathom Prize listens to the sea?";
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  ask: ['ask', QUESTION, '--strategy', 'iterative(rounds=3)', '--answer-at', '0', '--json'],
  'ask as text': ['ask', QUESTION, '--answer-at', '0'],
  search: ['search', 'quiet motors of the Wandering Linnet', '--json'],
  documents: ['documents', '--json'],
};

let sound = '';
let expected: ReadonlyMap<string, string>;

/** Returns what a command printed, without its times, hashes and paths. */
function told({ out }: Result): string {
  if (!out.startsWith('{')) return out.replace(/[^\n]*\n$/, '');
  return JSON.stringify(JSON.parse(out), (key, value) =>
    ['ms', 'line', 'store'].includes(key) ? undefined : value,
  );
}

const withoutFiles = (list: string): string =>
  list.replaceAll(/,"(?:path|changed)":"[^"]*"/g, '').replace(/"files":\d+/, '');

before(async () => {
  sound = await demoStore();
  const results = new Map<string, string>();
  for (const [name, words] of Object.entries(COMMANDS)) {
    const result = await run([...words, '--store', sound]);
    assert.equal(result.code, 0, result.err);
    results.set(name, told(result));
  }
  expected = results;
});

/** Runs each command over a copy of the sound store in which one file was changed. */
async function afterChange(
  file: string,
  change: (path: string, bytes: Buffer) => void,
  place: string,
): Promise<number[]> {
  const store = join(freshFolder(), 'store');
  cpSync(sound, store, { recursive: true });
  change(join(store, file), readFileSync(join(sound, file)));
  const codes: number[] = [];
  for (const [name, words] of Object.entries(COMMANDS)) {
    const result = await run([...words, '--store', store]);
    codes.push(result.code!);
    checkResult(result, `${name}, ${place}`, expected.get(name)!);
  }
  return codes;
}

function checkResult(result: Result, place: string, whole: string): void {
  assert.doesNotMatch(result.err, /This is a bug|"code":"bug"|\n\s+at /, place);
  if (result.code === 0) {
    if (place.includes('sources-')) {
      // Paths are lost, no document: lists stay, and `documents` names the damage.
      assert.equal(withoutFiles(told(result)), withoutFiles(whole), place);
      if (place.startsWith('documents'))
        assert.match(result.err, /sources-[^ ]* is damaged|sources-damaged/, place);
    } else assert.equal(told(result), whole, place);
    return;
  }
  assert.ok([4, 6].includes(result.code!), `${place}: exit ${result.code}: ${result.err}`);
  // A partial result names its damage in itself, everything else on stderr.
  if (result.out.startsWith('{')) {
    const { stopped } = JSON.parse(result.out) as { stopped: { code: string } };
    assert.equal(STORE_CODES[stopped.code], result.code, place);
  }
  assert.match(result.err, /damaged|cannot be read|was written by|does not belong|No store/, place);
}

const flipped =
  (at: number) =>
  (path: string, bytes: Buffer): void => {
    bytes[at]! ^= 4;
    writeFileSync(path, bytes);
  };

describe('commands over a damaged store', () => {
  test('each document damaged in turn: exit 4 where it is read, else the same answer', async () => {
    const file = readdirSync(sound).find(name => name.startsWith('documents-'))!;
    const bytes = readFileSync(join(sound, file));
    const asked = Object.keys(COMMANDS).indexOf('ask');
    const codes: number[] = [];
    for (let at = 0; at < bytes.length; at = bytes.indexOf(0x0a, at) + 1)
      codes.push((await afterChange(file, flipped(at + 90), `document at ${at}`))[asked]!);
    assert.ok(codes.includes(4), 'some document is read by the question');
    assert.ok(codes.includes(0), 'some document is not');
  });

  test('every other file: flipped, cut, emptied and missing', async () => {
    const files = readdirSync(sound).filter(name => /^(?:index|store|sources)/.test(name));
    assert.ok(files.length >= 7, files.join());
    for (const file of files) {
      const { length } = readFileSync(join(sound, file));
      for (const share of [0, 0.01, 0.4, 0.999])
        await afterChange(file, flipped(Math.floor(share * length)), `${file} at ${share}`);
      const cut = (to: number) => (path: string, bytes: Buffer) =>
        writeFileSync(path, bytes.subarray(0, to));
      await afterChange(file, cut(length - 8), `${file} cut`);
      await afterChange(file, cut(0), `${file} emptied`);
      await afterChange(file, path => rmSync(path), `${file} missing`);
    }
  });
});
