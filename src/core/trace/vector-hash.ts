/**
 * Computes the content hash by which traces name vectors: SHA-256 (FIPS 180-4) of float32 numbers,
 * little-endian.
 */

/**
 * Returns the first 32 bits of the fractional parts of roots of the first primes, the constants of
 * FIPS 180-4.
 */
function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++)
    if (primes.every(prime => number % prime !== 0)) primes.push(number);
  return Uint32Array.from(primes, prime => Math.floor((root(prime) % 1) * 2 ** 32));
}

const START = fractions(8, Math.sqrt);
const ROUNDS = fractions(64, Math.cbrt);
const BLOCK = 64;

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Returns `sha256:` and 64 hexadecimal digits. */
export function vectorHash(vector: Float32Array): string {
  const length = vector.length * 4;
  const bytes = new DataView(new ArrayBuffer(Math.ceil((length + 9) / BLOCK) * BLOCK));
  for (const [i, value] of vector.entries()) bytes.setFloat32(4 * i, value, true);
  bytes.setUint8(length, 0x80);
  bytes.setBigUint64(bytes.byteLength - 8, BigInt(length) * 8n);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let at = 0; at < bytes.byteLength; at += BLOCK) {
    for (let i = 0; i < 16; i++) words[i] = bytes.getUint32(at + 4 * i);
    addBlock(state, words);
  }
  return `sha256:${[...state].map(word => word.toString(16).padStart(8, '0')).join('')}`;
}

/** Compresses one block (FIPS 180-4, section 6.2.2), with the standard's letters. */
function addBlock(state: Uint32Array, words: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const [w15, w2] = [words[i - 15]!, words[i - 2]!];
    const s0 = turned(w15, 7) ^ turned(w15, 18) ^ (w15 >>> 3);
    const s1 = turned(w2, 17) ^ turned(w2, 19) ^ (w2 >>> 10);
    words[i] = words[i - 16]! + s0 + words[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const t1 =
      (h +
        (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
        ((e & f) ^ (~e & g)) +
        ROUNDS[i]! +
        words[i]!) |
      0;
    const t2 = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i]! += value;
}
