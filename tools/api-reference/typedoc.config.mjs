// Options of the API reference. The entries are those of package.json, so that none is forgotten.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { exports } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));

export default {
  name: 'multihop',
  entryPoints: Object.values(exports)
    .map(({ default: path }) => path)
    .filter(Boolean)
    .map(path => ROOT + path.replace('./dist/', 'src/').replace(/\.js$/, '.ts')),
  tsconfig: fileURLToPath(new URL('tsconfig.json', import.meta.url)),
  basePath: ROOT,
  out: `${ROOT}docs-api`,
  readme: `${ROOT}docs/library.md`,
  plugin: ['typedoc-plugin-missing-exports'],
  excludeExternals: true,
  externalSymbolLinkMappings: { typescript: { '*': '#' }, '@types/node': { '*': '#' } },
  excludeInternal: true,
  excludePrivate: true,
  disableSources: true,
  treatWarningsAsErrors: true,
  // The compiler of TypeDoc infers less than that of the project, which checks the types.
  skipErrorChecking: true,
};
