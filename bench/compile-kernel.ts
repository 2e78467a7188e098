/** Compiles the .wat files of src into .wasm.ts beside them: `node tools/node24/run.mjs bench/compile-kernel.ts [--check]`. */
import { readFileSync, writeFileSync } from 'node:fs';
import createWabt from 'wabt';

const wabt = await createWabt();
const PATHS = [
  'indexes/lexical/kernel',
  'indexes/lexical/reader',
  'indexes/vector/kernel',
  'indexes/vector/centred',
  'models/tree-hop/kernel',
];
const FEATURES = { simd: true, bulk_memory: true, mutable_globals: true, relaxed_simd: true };

/** A dot product that is added to, as products of two each, which are added by a product with ones: `$ones` is one in each. */
const DOT = /\(i32x4\.relaxed_dot_i8x16_i7x16_add_s (\(local\.get \$\w+\)) (\(local\.get \$\w+\)) (\(local\.get \$\w+\))\)/g;
const PAIRS = '(i32x4.add (i32x4.dot_i16x8_s (i16x8.relaxed_dot_i8x16_i7x16_s $1 $2) (local.get $ones)) $3)';
/** Twins of a .wat, by what is written otherwise. */
const TWINS: Readonly<Record<string, readonly [of: string, text: (source: string) => string]>> = {
  'indexes/vector/centred-pairs': ['indexes/vector/centred', source => source.replaceAll(DOT, PAIRS)],
};

for (const path of [...PATHS, ...Object.keys(TWINS)]) {
  const [of, written] = TWINS[path] ?? [path, (source: string) => source];
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
    console.error(`${path}.wasm.ts is not what ${path}.wat compiles to; run bench/compile-kernel.ts`);
    process.exitCode = 1;
  }
  console.error(`${path}.wasm.ts: ${bytes.length} bytes`);
}
