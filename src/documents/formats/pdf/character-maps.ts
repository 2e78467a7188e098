/**
 * Character maps of Chinese, Japanese and Korean fonts that a PDF names and does not hold. Their
 * text can be read only with the maps, which stand in the optional package `pdfjs-dist`.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { packageAddress } from '../../whole-file.ts';

const PACKAGE = 'pdfjs-dist';

/** Says of a PDF that its reader could not read all text. */
export const UNMAPPED_TEXT: string = `text of fonts without character maps is missing: npm install ${PACKAGE}`;

/** Names the file of one kind that the library needs. */
interface Wanted {
  readonly kind: string;
  readonly filename: string;
}

/** Returns the address of a map; undefined if its package is not installed. */
const installedMap = (filename: string): string | undefined =>
  packageAddress(`${PACKAGE}/cmaps/${filename}`);

/** Returns the class by which the library reads files of its own; tells of maps that it lacks. */
export function characterMaps(
  onMissing: () => void,
  addressOf: (filename: string) => string | undefined = installedMap,
): new () => { fetch(wanted: Wanted): Promise<Uint8Array> } {
  return class {
    async fetch({ kind, filename }: Wanted): Promise<Uint8Array> {
      // The others draw pages.
      if (kind !== 'cMapUrl') throw new Error(`${filename} is not read`);
      try {
        return new Uint8Array(await readFile(fileURLToPath(addressOf(filename)!)));
      } catch (cause) {
        onMissing();
        throw new Error(`there is no character map ${filename}`, { cause });
      }
    }
  };
}
