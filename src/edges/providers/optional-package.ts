/**
 * Packages that nobody has to install: loaded when something needs them, and named, with what to
 * run, where they are missing.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PortError } from '../../errors.ts';
import { quoted } from './secret.ts';

export type LoadLibrary = () => Promise<unknown>;

export interface OptionalPackage {
  readonly name: string;
  /** What needs it, as the beginning of a sentence: "Local models". */
  readonly user: string;
  /** Said after `npm install NAME`. */
  readonly more?: string;
}

/** Throws `PortError`: missing-package, saying what to install, or broken-package. */
export async function loadPackage(
  port: string,
  wanted: OptionalPackage,
  load?: LoadLibrary,
): Promise<unknown> {
  const { name, user, more = '' } = wanted;
  try {
    return await (load ?? (() => importPackage(name)))();
  } catch (error) {
    throw isMissing(error, name)
      ? new PortError(port, 'missing-package', `${user} need the package ${name}`, {
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
 * The package as multihop itself finds it; failing that, as the working folder does, so that a
 * command from npx or of a checkout finds a project's own.
 */
async function importPackage(name: string): Promise<unknown> {
  try {
    // The name stands in a variable so that neither types nor bundler look for a package that need
    // not be there.
    return await import(name);
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    let path: string;
    try {
      path = createRequire(join(process.cwd(), 'package.json')).resolve(name);
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
