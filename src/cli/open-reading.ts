/** Opens the files that an ingest reads, before a store is created or opened. */
import { isAbsolute, relative } from 'node:path';
import { InputError } from '../core/errors.ts';
import type { IngestedPaths } from '../session/document-store.ts';
import { FileReading } from '../session/file-reading.ts';
import type { CommandContext } from './command.ts';
import { FileSizes } from './file-sizes.ts';
import { LeanHeap } from './lean-heap.ts';
import type { Progress } from './progress.ts';
import { reportSkipped } from './skipped-text.ts';

/** Refuses a store inside a folder that is read: its files would be read as documents. */
export function checkApart(paths: readonly string[], store: string): void {
  const inside = paths.find(
    path => !relative(path, store).startsWith('..') && !isAbsolute(relative(path, store)),
  );
  if (inside !== undefined)
    throw new InputError(
      'store-inside',
      `The store "${store}" lies inside "${inside}", which this command reads`,
      {
        expected: 'a store outside of it',
        hint: 'Give the store another folder, or name the files to read.',
      },
    );
}

/** Returns the files that the words of an ingest name; undefined without any. */
export const sourceOf = ({ positionals, options }: CommandContext): IngestedPaths | undefined =>
  positionals.length === 0
    ? undefined
    : {
        paths: positionals,
        format: options.text('format'),
        strict: options.flag('strict'),
        sync: options.flag('sync'),
      };

/**
 * Reads up to the first document before a store is created or opened, so that a wrong path leaves
 * nothing behind.
 */
export async function openReading(
  { positionals, options, signal, output }: CommandContext,
  source: IngestedPaths,
  progress: Progress,
): Promise<FileReading> {
  let sizes: FileSizes | undefined;
  let count = 0;
  const heap = new LeanHeap();
  const reading = await FileReading.open(options.required('store'), source, {
    signal,
    onDocument(from, document) {
      heap.check();
      sizes?.read(from, document);
      if (sizes) progress.update({ count: ++count, done: sizes.done, total: sizes.total });
    },
  });
  const { skipped } = reading;
  if (!(await reading.begin()) && !(source.sync && reading.knowsFiles)) {
    reportSkipped(skipped, output);
    const received =
      skipped.length === 0
        ? 'nothing'
        : `${skipped.length} skipped: ${skipped[0]!.path}: ${skipped[0]!.reason}`;
    throw new InputError(
      'empty-corpus',
      `No document in ${positionals.map(path => `"${path}"`).join(', ')}`,
      { expected: 'at least one', received },
    );
  }
  // Files that are all unchanged need no second walk.
  if (reading.hasDocuments) sizes = await FileSizes.of(positionals);
  return reading;
}
