/**
 * Lets the examples import `multihop` from the source of this checkout, without a build:
 * `npm run -s example -- PROGRAM`. Where the package is installed, nothing of this is needed.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const ROOT = new URL('..', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  exports: Record<string, { default?: string } | undefined>;
};

registerHooks({
  resolve(specifier, context, next) {
    if (!/^multihop(?:\/|$)/.test(specifier)) return next(specifier, context);
    const entry = exports[specifier.replace('multihop', '.')]?.default;
    if (entry === undefined) return next(specifier, context);
    const source = entry.replace('./dist/', 'src/').replace(/\.js$/, '.ts');
    return next(new URL(source, ROOT).href, context);
  },
});
