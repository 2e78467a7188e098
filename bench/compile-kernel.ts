/** Compiles src/indexes/lexical/kernel.wat into kernel.wasm.ts beside it: `node tools/node24/run.mjs bench/compile-kernel.ts [--check]`. */
import { readFileSync, writeFileSync } from 'node:fs';
import createWabt from 'wabt';

const source = new URL('../src/indexes/lexical/kernel.wat', import.meta.url);
const target = new URL('../src/indexes/lexical/kernel.wasm.ts', import.meta.url);

const wabt = await createWabt();
const parsed = wabt.parseWat('kernel.wat', readFileSync(source, 'utf8'), { simd: true });
parsed.validate();
const bytes = Buffer.from(parsed.toBinary({}).buffer);
const text = `/** kernel.wat as compiled by bench/compile-kernel.ts with wabt; do not edit. ${bytes.length} bytes. */
export const KERNEL_BASE64 =
  '${bytes.toString('base64')}';
`;
if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  console.error('kernel.wasm.ts is not what kernel.wat compiles to; run bench/compile-kernel.ts');
  process.exit(1);
}
console.error(`kernel.wasm.ts: ${bytes.length} bytes`);
