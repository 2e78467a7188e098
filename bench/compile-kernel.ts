/**
 * Compiles the .wat files of src into .wasm.ts beside them: `node tools/node24/run.mjs
 * bench/compile-kernel.ts [--check]`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import createWabt from 'wabt';
import { TWINS } from './kernel-twins.ts';

const wabt = await createWabt();
const PATHS = [
  'core/relaxed-dot',
  'search/indexes/graph/sums',
  'search/indexes/lexical/kernel',
  'search/indexes/lexical/reader',
  'search/indexes/vector/kernel',
  'search/indexes/vector/centred',
  'models/ranker/kernel',
  'models/ranker/linear',
  'models/tree-hop/kernel',
];
const FEATURES = { simd: true, bulk_memory: true, mutable_globals: true, relaxed_simd: true };

for (const path of [...PATHS, ...Object.keys(TWINS)]) {
  const { of, text: written } = TWINS[path] ?? { of: path, text: (source: string) => source };
  const name = of.slice(of.lastIndexOf('/') + 1);
  const source = new URL(`../src/${of}.wat`, import.meta.url);
  const target = new URL(`../src/${path}.wasm.ts`, import.meta.url);
  const parsed = wabt.parseWat(`${name}.wat`, written(readFileSync(source, 'utf8')), FEATURES);
  parsed.validate();
  const bytes = Buffer.from(parsed.toBinary({}).buffer);
  const text = `/** ${name}.wat as compiled by bench/compile-kernel.ts with wabt; do not edit. ${bytes.length} bytes. */
export const ${path
    .slice(path.lastIndexOf('/') + 1)
    .toUpperCase()
    .replaceAll('-', '_')}_BASE64 =
  '${bytes.toString('base64')}';
`;
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text) {
    console.error(
      `${path}.wasm.ts is not what ${path}.wat compiles to; run bench/compile-kernel.ts`,
    );
    process.exitCode = 1;
  }
  console.error(`${path}.wasm.ts: ${bytes.length} bytes`);
}
