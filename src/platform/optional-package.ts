/** Loads optional packages on demand; a missing one is an error that says what to install. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PortError } from '../core/errors.ts';
import { quoted } from './secret.ts';

export type LoadLibrary = () => Promise<unknown>;

export interface OptionalPackage {
  readonly name: string;
  /** Subject of the error, such as "Local models". */
  readonly user: string;
  /** Text that follows `npm install NAME`. */
  readonly more?: string;
  /** The part that is imported, such as `NAME/part`; the package itself if undefined. */
  readonly entry?: string;
}

/**
 * Loads the package. Throws `PortError('missing-package' | 'broken-package')` that says what to
 * install.
 */
export async function loadPackage(
  port: string,
  wanted: OptionalPackage,
  load?: LoadLibrary,
): Promise<unknown> {
  const { name, user, more = '', entry = name } = wanted;
  try {
    return await (load ?? (() => importPackage(name, entry)))();
  } catch (error) {
    throw isMissing(error, name)
      ? new PortError(port, 'missing-package', `${user} require the package ${name}`, {
          cause: error,
          hint: `Run: npm install ${name}${more}`,
        })
      : new PortError(port, 'broken-package', `The package ${name} cannot be loaded`, {
          cause: error,
          received: quoted(error instanceof Error ? error.message : String(error)),
          hint: `Install it again: npm install ${name}`,
        });
  }
}

/**
 * Imports the package as multihop resolves it, else as the working folder does, so that a command
 * from npx or a checkout finds a project's own.
 */
async function importPackage(name: string, entry: string): Promise<unknown> {
  try {
    // A variable hides the name from types and bundler, because the package may be missing.
    return await import(entry);
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    let path: string;
    try {
      path = createRequire(join(process.cwd(), 'package.json')).resolve(entry);
    } catch {
      throw error;
    }
    return import(pathToFileURL(path).href);
  }
}

function isMissing(error: unknown, name: string): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return (
    /ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND/.test((error as NodeJS.ErrnoException).code ?? '') &&
    message.includes(name)
  );
}
