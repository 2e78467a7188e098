/** Prints how many words of the files of each format are kept. */
import { extname } from 'node:path';
import type { LostWords } from './lost-words.ts';

interface Counted extends Pick<LostWords, 'words' | 'lost'> {
  readonly path: string;
}

/** Shares of words kept below which a file is counted. */
const LEAST = 0.98;

/** Returns the lines of a Markdown table, one row a file extension. */
export function keptTable(files: readonly Counted[]): string[] {
  const compared = files.filter(({ words }) => words > 0);
  const byExtension = Object.groupBy(compared, ({ path }) => extensionOf(path));
  return [
    '| files | compared | words kept, all files | median | worst | under 98 % |',
    '|---|---|---|---|---|---|',
    ...Object.entries(byExtension)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([extension, group]) => row(extension, group!)),
  ];
}

/** Sections of manual pages are one kind. */
function extensionOf(path: string): string {
  const extension = extname(path.replace(/\.gz$/, '')).slice(1).toLowerCase();
  return /^[1-9n][a-z]*$/.test(extension) ? 'manual pages' : extension;
}

function row(extension: string, files: readonly Counted[]): string {
  const words = files.reduce((sum, file) => sum + file.words, 0);
  const lost = files.reduce((sum, file) => sum + file.lost, 0);
  const kept = files.map(file => 1 - file.lost / file.words).sort((a, b) => a - b);
  const cells = [
    extension,
    files.length,
    percent(1 - lost / words),
    percent(kept[Math.floor(kept.length / 2)]!),
    percent(kept[0]!),
    kept.filter(share => share < LEAST).length,
  ];
  return `| ${cells.join(' | ')} |`;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
