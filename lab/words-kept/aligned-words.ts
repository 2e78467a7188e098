/** Aligns two texts word by word with the program `diff`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the places of the words that an alignment of both texts leaves without a partner. */
export function placesOnlyIn(words: readonly string[], others: readonly string[]): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'words-'));
  try {
    const files = [words, others].map((list, at) => {
      const file = join(folder, String(at));
      writeFileSync(file, list.map(word => `${word}\n`).join(''));
      return file;
    });
    const formats = ['--old-line-format=%dn ', '--new-line-format=', '--unchanged-line-format='];
    const { stdout, error } = spawnSync('diff', [...formats, ...files], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    if (error) throw error;
    return stdout
      .split(' ')
      .filter(Boolean)
      .map(line => Number(line) - 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
