/** Opens the files that an ingest reads, before a store is created or opened. */
import { isAbsolute, relative } from 'node:path';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { InputError } from '../core/errors.ts';
import type { IngestedPaths } from '../session/document-store.ts';
import { FileReading } from '../session/file-reading.ts';
import type { CommandContext } from './command.ts';
import { FileSizes } from './file-sizes.ts';
import type { Progress } from './progress.ts';
import { ignoredText, reportSkipped } from './skipped-text.ts';

/**
 * Refuses a store inside a folder that is read: its files would be read as documents, unless they
 * are below a hidden folder, such as `.multihop`, or outside of what is read (`..`).
 */
export function checkApart(paths: readonly string[], store: string): void {
  const inside = paths.find(path => {
    const below = relative(path, store);
    return !/(?:^|[\\/])\./.test(below) && !isAbsolute(below);
  });
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
        all: options.flag('all'),
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
    const left =
      reading.ignored > 0 ? `${ignoredText(reading.ignored)}: --all reads them` : 'nothing';
    const received =
      skipped.length === 0
        ? left
        : `${skipped.length} skipped: ${skipped[0]!.path}: ${skipped[0]!.reason}`;
    throw new InputError(
      'empty-corpus',
      `No document in ${positionals.map(path => `"${path}"`).join(', ')}`,
      { expected: 'at least one', received },
    );
  }
  // Files that are all unchanged need no second walk.
  if (reading.hasDocuments) sizes = await FileSizes.of(positionals, source);
  return reading;
}

/** The young generation stops to grow at this size, in bytes. */
const YOUNG_BYTES = 16 << 20;
/** Growth of what is in use after which the old generation is collected again. */
const GROWTH = '--heap-growing-percent=50';
/** A factor of 1 ends all growth. */
const NO_GROWTH = '--semi-space-growth-factor=1';

class LeanHeap {
  private bounded = false;

  constructor() {
    setFlag(GROWTH);
  }

  /** Called often while the command runs: the young generation grows by doubling. */
  check(): void {
    if (this.bounded) return;
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (young === undefined || young.space_size < YOUNG_BYTES) return;
    this.bounded = true;
    setFlag(NO_GROWTH);
  }
}

/** V8 reads both at each collection. Other engines than V8 refuse, and decide for themselves. */
function setFlag(flag: string): void {
  try {
    setFlagsFromString(flag);
  } catch {
    // Only memory depends on it.
  }
}
