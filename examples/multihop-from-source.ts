/**
 * Lets the examples import `multihop` from the source of this checkout, without a build:
 * `npm run -s example -- PROGRAM`. Where the package is installed, nothing of this is needed.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const ROOT = new URL('..', import.meta.url);
const AGENTS = new URL('src/agents/', ROOT).href;
const PROGRAM = pathToFileURL(process.argv[1] ?? '').href;
const { exports } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  exports: Record<string, { default?: string } | undefined>;
};

registerHooks({
  resolve(specifier, context, next) {
    // Peers of the source are packages of the program, as beside an installed package.
    if (!/^multihop(?:\/|$)/.test(specifier)) {
      const { parentURL = '' } = context;
      const isPeer = parentURL.startsWith(AGENTS) && !/^(?:\.|node:)/.test(specifier);
      return next(specifier, isPeer ? { ...context, parentURL: PROGRAM } : context);
    }
    const entry = exports[specifier.replace('multihop', '.')]?.default;
    if (entry === undefined) return next(specifier, context);
    const source = entry.replace('./dist/', 'src/').replace(/\.js$/, '.ts');
    return next(new URL(source, ROOT).href, context);
  },
});
