/**
 * Tests that commands over a damaged store answer as over the sound one, or end with the exit code
 * and the error of the damage: never with another answer, never as a bug.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { damageOnce, openSample, readingsOf, type Sample } from '../tools/attack/damages.ts';
import { add, type Figures, faultsOf, noFigures } from '../tools/attack/figures.ts';
import { freshFolder } from './fresh-folder.ts';

let sample: Sample;
before(async () => {
  sample = await openSample(join(freshFolder(), 'sample'));
});

/** Runs each command over the sample in which one file was changed. */
async function afterChange(path: string, kind: string, bytes?: Buffer): Promise<Figures> {
  const figures = noFigures();
  const damage = { kind, files: new Map([[path, bytes]]) };
  for (const name of readingsOf(path).filter(name => name.startsWith('multihop')))
    add(figures, await damageOnce(sample, damage, name, kind));
  assert.equal(faultsOf(figures), 0, figures.found.join('\n'));
  return figures;
}

function flipped(bytes: Buffer, at: number): Buffer {
  const next = Buffer.from(bytes);
  next[at]! ^= 4;
  return next;
}

const filesOf = (pattern: RegExp): [string, Buffer][] =>
  [...sample.sound].filter(([path]) => pattern.test(path));

describe('commands over a damaged store', () => {
  test('each document damaged in turn: an error where it is read, else the same answer', async () => {
    const figures = noFigures();
    for (const [path, bytes] of filesOf(/documents-/))
      for (let at = 0; at < bytes.length; at = bytes.indexOf(0x0a, at) + 1)
        add(figures, await afterChange(path, `document at ${at}`, flipped(bytes, at + 30)));
    assert.ok(figures.reported > 0, 'some document is read by a command');
    assert.ok(figures.right > 0, 'some document is not');
  });

  test('every other file: flipped, cut, emptied and missing', async () => {
    const files = filesOf(/(?:index|store|sources|run|derived)[^/]*$/);
    assert.ok(files.length >= 14, files.map(([path]) => path).join());
    for (const [path, bytes] of files) {
      for (const share of [0, 0.4])
        await afterChange(path, `at ${share}`, flipped(bytes, Math.floor(share * bytes.length)));
      await afterChange(path, 'cut', bytes.subarray(0, bytes.length - 8));
      await afterChange(path, 'emptied', Buffer.alloc(0));
      await afterChange(path, 'missing');
    }
  });
});
