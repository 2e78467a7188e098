/** Keeps values in files of a folder by name. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export class JsonFolder<T> {
  private readonly path: string;

  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true });
  }

  /** Returns the value of that name, or makes it, and keeps it if `keeps` says so. */
  async kept(
    name: string,
    make: () => Promise<T>,
    keeps: (value: T) => boolean = () => true,
  ): Promise<T> {
    const file = join(this.path, `${name}.json`);
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as T;
    const value = await make();
    if (!keeps(value)) return value;
    writeFileSync(`${file}.new`, JSON.stringify(value));
    renameSync(`${file}.new`, file);
    return value;
  }
}
