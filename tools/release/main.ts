/**
 * `npm run -s release [-- DIR]`: builds and packs every package twice, each time in a copy at
 * another path, in another time zone and locale; fails if a byte differs. Writes the tarballs,
 * `sbom.cdx.json` and `SHA256SUMS` to DIR, `.cache/release` by default.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Packed, packCopy, type Surroundings, type Tarball } from './pack.ts';
import { shippedBom } from './sbom.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const FIRST: Surroundings = { TZ: 'UTC', LANG: 'C' };
const SECOND: Surroundings = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8' };

/** Throws if two builds of one package differ. */
export function checkSame(first: readonly Tarball[], second: readonly Tarball[]): void {
  for (const [at, { name, sha256 }] of first.entries())
    if (second[at]?.sha256 !== sha256)
      throw new Error(
        `two builds of ${name} differ: expected ${sha256}, received ${second[at]?.sha256}. ` +
          'Unpack both and compare them: a path, a time or an order of files has come in.',
      );
}

/** Writes a release; returns the lines of `SHA256SUMS`, as `sha256sum --check` reads them. */
function release(target: string): string[] {
  const work = mkdtempSync(join(tmpdir(), 'multihop-release-'));
  try {
    const first = packCopy(ROOT, join(work, 'a'), FIRST);
    const second = packCopy(ROOT, join(work, 'another', 'folder'), SECOND);
    checkSame(first.tarballs, second.tarballs);
    const bill = billOf(first);
    if (bill !== billOf(second)) throw new Error('sbom.cdx.json of two equal builds differs');
    return writeRelease(first.tarballs, bill, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Returns the text of `sbom.cdx.json`. */
function billOf({ tarballs, licences, bom }: Packed): string {
  const [{ name, sha256 }] = tarballs as readonly [Tarball];
  return `${JSON.stringify(shippedBom(bom, { name, sha256, licences }), undefined, 2)}\n`;
}

function writeRelease(tarballs: readonly Tarball[], bill: string, target: string): string[] {
  mkdirSync(target, { recursive: true });
  for (const { file } of tarballs) copyFileSync(file, join(target, basename(file)));
  writeFileSync(join(target, 'sbom.cdx.json'), bill);
  const sums = tarballs.map(({ sha256: sum, file }) => `${sum}  ${basename(file)}`);
  writeFileSync(join(target, 'SHA256SUMS'), `${sums.join('\n')}\n`);
  return sums;
}

if (import.meta.main) {
  const target = resolve(process.argv[2] ?? join(ROOT, '.cache/release'));
  for (const line of release(target)) console.log(line);
  console.log(`Two builds are the same, byte for byte: ${target}`);
}
