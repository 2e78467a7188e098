/**
 * Finds learned weights that are npm packages of their own: beside the project in the working
 * directory, beside this package, or in `packages/` of a checkout.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { InputError, type Remedy } from '../core/errors.ts';
import { thisPackage } from './package-root.ts';

export interface WeightsPackage {
  /** The npm name, for example `@multihop/tree-hop-bge-small`. */
  readonly name: string;
  /** The file of weights in it. */
  readonly file: string;
  /** The member that needs the weights, as the error names it. */
  readonly of: string;
  /** An alternative to installing, and its remedy. */
  readonly otherwise: string;
  readonly remedy: Remedy;
}

/** Returns the path. Throws `InputError('missing-weights')`, which names the command to run. */
export function weightsPath({ name, file, of, otherwise, remedy }: WeightsPackage): string {
  const checkout = join(thisPackage().folder, 'packages', name.slice(name.indexOf('/') + 1), file);
  const path =
    resolvedFrom(join(process.cwd(), 'package.json'), `${name}/${file}`) ??
    resolvedFrom(import.meta.url, `${name}/${file}`) ??
    (existsSync(checkout) ? checkout : undefined);
  if (path !== undefined) return path;
  throw new InputError('missing-weights', `The weights of ${of} are not installed`, {
    expected: `the package ${name}`,
    hint: `Run: npm install ${name}. ${otherwise}`,
    remedy: { ...remedy, name },
  });
}

function resolvedFrom(from: string, specifier: string): string | undefined {
  try {
    return createRequire(from).resolve(specifier);
  } catch {
    return undefined;
  }
}
