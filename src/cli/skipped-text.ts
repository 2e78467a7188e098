/** Tells what an ingest skipped, and why, and which documents it replaced. */
import type { SkippedEvent } from '../documents/format.ts';
import type { Output } from './output.ts';
import { printable } from './wrap.ts';

const SHOWN = 20;

/** Names the first skipped places, or all with --verbose; counts the reasons of many. */
export function reportSkipped(
  skipped: readonly Omit<SkippedEvent, 'type'>[],
  output: Output,
): void {
  for (const { path, line, reason } of skipped.slice(0, output.verbose ? skipped.length : SHOWN))
    output.note(
      `${output.noteStyle.yellow('skipped')} ${printable(path)}${line === undefined ? '' : `:${line}`}: ${printable(reason)}`,
    );
  if (skipped.length <= SHOWN || output.verbose) return;
  output.note(`... and ${skipped.length - SHOWN} more (--verbose names them all). Of all skipped:`);
  for (const [reason, count] of countedReasons(skipped))
    output.note(`${String(count).padStart(6)}  ${printable(reason)}`);
}

/** Tells how many repeated blocks were left out. */
export function reportLeftOut(
  { blocks, pages }: { readonly blocks: number; readonly pages: number },
  output: Output,
): void {
  if (blocks > 0)
    output.note(
      `left out ${blocks} blocks that ${pages} pages repeat of the pages beside them, such as navigation and footers`,
    );
}

/** Counts the files that keep less than half of their words or have a note of their loader. */
export function reportNoted(
  { files, belowHalf }: { readonly files: number; readonly belowHalf: number },
  store: string,
  output: Output,
): void {
  if (files === 0) return;
  const half = belowHalf > 0 ? `, ${belowHalf} with less than half of the visible words` : '';
  output.note(
    `${files} file${files === 1 ? ' was' : 's were'} read with notes${half}: multihop documents --store ${printable(store)} shows them`,
  );
}

export const ignoredText = (count: number): string =>
  `${count} file${count === 1 ? '' : 's'} that .gitignore or node_modules leaves out`;

export const vanishedText = (ignored = 0): string =>
  ignored > 0 ? 'vanished or are left out' : 'vanished';

/** Tells how many files a project leaves out, and which documents were removed for it. */
export function reportIgnored(count: number, removed: readonly string[], output: Output): void {
  if (count > 0) output.note(`not read: ${ignoredText(count)} (--all reads them)`);
  const shown = output.verbose ? removed : removed.slice(0, SHOWN);
  for (const id of shown) output.note(`removed ${printable(id)}: its file is left out now`);
  if (shown.length < removed.length)
    output.note(`... and ${removed.length - shown.length} more (--verbose names them all)`);
}

/** Names the folders that are known under another name. */
export function reportRenamed(
  renamed: readonly { readonly before: string; readonly now: string }[],
  output: Output,
): void {
  for (const { before, now } of renamed)
    output.note(
      `${printable(now)} is ${printable(before)} under another name: its documents keep their ids`,
    );
}

/** Tells of documents whose id begins with their file. */
export function reportPrefixed(
  { count, stated, id }: { readonly count: number; readonly stated?: string; readonly id?: string },
  output: Output,
): void {
  if (count > 0)
    output.note(
      `${count} document${count === 1 ? ' states an id' : 's state ids'} that another file has too: ids of these begin with their file, ${printable(stated!)} is ${printable(id!)}`,
    );
}

/** Warns of documents that took the ids of documents of other files. */
export function reportReplaced(
  replaced: readonly { readonly id: string; readonly before: string; readonly path: string }[],
  output: Output,
): void {
  const [first] = replaced;
  if (first === undefined) return;
  const count = `${replaced.length} document${replaced.length === 1 ? '' : 's'}`;
  output.warn(
    `${count} replaced those of other files with the same ids: ${JSON.stringify(first.id)} of ${printable(first.before)} is now that of ${printable(first.path)}. To keep both, give them ids of their own`,
  );
}

/** Counts reasons, the most frequent first; what a reason quotes differs from file to file. */
function countedReasons(
  skipped: readonly Omit<SkippedEvent, 'type'>[],
): [reason: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { reason } of skipped) {
    const kind = reason.replace(/ ?"[^"]*"/g, '').split(/: |\. /)[0]!;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}
