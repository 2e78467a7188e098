/** A copy of the checkout, in which mutants are written: nobody else reads its files. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { applied, type Mutant } from './mutants.ts';

export class CheckoutCopy {
  readonly root: string;

  /** Copies all files that git does not ignore; `node_modules` is linked. */
  constructor(from: string) {
    // Coverage names files by their real paths.
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'multihop-mutate-')));
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: from,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    for (const path of new Set(listed.split('\0'))) {
      if (path === '' || !existsSync(join(from, path))) continue;
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      copyFileSync(join(from, path), join(this.root, path));
    }
    symlinkSync(join(from, 'node_modules'), join(this.root, 'node_modules'));
  }

  /** Runs `work` while the mutants, at most one a file, are in the files. */
  async mutated<T>(mutants: readonly Mutant[], work: () => Promise<T>): Promise<T> {
    const before = mutants.map(mutant => {
      const path = join(this.root, mutant.path);
      return { mutant, path, text: readFileSync(path, 'utf8') };
    });
    try {
      for (const { mutant, path, text } of before) writeFileSync(path, applied(text, mutant));
      return await work();
    } finally {
      for (const { path, text } of before) writeFileSync(path, text);
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
