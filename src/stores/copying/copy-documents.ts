/**
 * Copies documents with their vectors from one place to another: reads one state of the source,
 * writes what the target lacks or has otherwise, reads everything back and compares. A copy that
 * was cut goes on when it is started again, because equal documents are not written twice.
 */
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import { InputError, PortError } from '../../core/errors.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Stored } from '../../search/engine.ts';
import { cutBy } from '../../search/items.ts';
import type { StoreEmbedder } from '../disk/store-embedders.ts';
import { contentHash } from '../servers/prepared-document.ts';
import {
  agreement,
  checksumOf,
  type Difference,
  DocumentSample,
  differenceFrom,
  type Hashes,
} from './compare.ts';
import { CopiedVectors, noVectors } from './copied-vectors.ts';
import type { CopyPlace, CopySource, CopyTarget } from './copy-side.ts';

export interface CopyOptions {
  readonly from: CopyPlace;
  readonly to: CopyPlace;
  /** Documents in one write. */
  readonly batch: number;
  /** Texts of the source that are searched for in both. */
  readonly sample: number;
  /** Removes documents of the target that the source lacks. */
  readonly sync: boolean;
  /** Copies the vectors too. */
  readonly vectors: boolean;
  readonly dryRun: boolean;
  /** Models by which a store records the vectors of a server. */
  readonly models: readonly StoreEmbedder[];
  /** Called after each write, and in a dry run after each page of the source. */
  readonly onCopied?: (done: number, total: number) => void;
  /** Called after each page of the target that was compared; the target may hold more. */
  readonly onCompared?: (done: number, total: number) => void;
  /** Called with what stays behind. */
  readonly onLeftOut?: (what: readonly string[]) => void;
}

export interface Copied {
  readonly from: string;
  readonly to: string | undefined;
  readonly documents: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Ids of documents that the target has beside those of the source. */
  readonly extra: readonly string[];
  /** Spaces whose vectors were copied. */
  readonly vectors: readonly string[];
  /** SHA-256 of the contents; equal in both, extra documents aside. */
  readonly checksum: string;
  /** Mean agreement of the first ten hits of the searches; missing after a dry run. */
  readonly agreement?: number;
  readonly searches: number;
}

/** Throws `PortError('copy-differs')` if the target does not hold what was copied. */
export async function copyDocuments(options: CopyOptions, call: Call): Promise<Copied> {
  await using source = (await options.from.read('required'))!;
  const spaces = options.vectors ? source.spaces : [];
  if (spaces.length > 0 && !source.isEmbedded) throw noVectors(spaces[0]!.name);
  const leftOut = [
    ...(options.vectors ? [] : source.spaces.map(({ name }) => `vectors of ${name}`)),
    ...source.derived,
  ];
  if (leftOut.length > 0) options.onLeftOut?.(leftOut);
  const read: ReadSource = {
    source,
    hashes: new Map(),
    sample: new DocumentSample(options.sample),
  };
  // Awaited: what is used here is closed at the return.
  if (options.dryRun) return await previewed(options, read, call);
  const vectors = new CopiedVectors(spaces, cutBy(chunkers.create(source.chunker)));
  const { chunker } = source;
  await using target = await options.to.write({ chunker, vectors, models: options.models });
  const counts = await writeAll(options, read, { target, vectors }, call);
  return await compared(
    options,
    read,
    { target, counts, spaces: spaces.map(({ name }) => name) },
    call,
  );
}

interface ReadSource {
  readonly source: CopySource;
  readonly hashes: Map<string, string>;
  readonly sample: DocumentSample;
}

/** Returns the pages of the source, whose hashes are kept. */
async function* pagesOf(
  { source, hashes, sample }: ReadSource,
  size: number,
  call: Call,
): AsyncGenerator<readonly Document[], void, void> {
  for await (const page of source.pages(size, call)) {
    for (const document of page) {
      hashes.set(document.id, contentHash(document));
      sample.add(document);
    }
    yield page;
  }
}

async function writeAll(
  { batch, onCopied }: CopyOptions,
  read: ReadSource,
  { target, vectors }: { readonly target: CopyTarget; readonly vectors: CopiedVectors },
  call: Call,
): Promise<Stored> {
  const { snapshot, documents } = read.source;
  const counts = { added: 0, changed: 0, unchanged: 0, removed: 0 };
  for await (const page of pagesOf(read, batch, call)) {
    await vectors.load(page, snapshot, call);
    const stored = await target.put(page, call);
    if (!target.embedsLast) vectors.forget();
    for (const what of ['added', 'changed', 'unchanged'] as const) counts[what] += stored[what];
    onCopied?.(read.hashes.size, documents);
  }
  await target.finish(call);
  return counts;
}

interface Written {
  readonly target: CopyTarget;
  readonly counts: Stored;
  readonly spaces: readonly string[];
}

async function compared(
  options: CopyOptions,
  { source, hashes, sample }: ReadSource,
  { target, counts, spaces }: Written,
  call: Call,
): Promise<Copied> {
  const { to, sync } = options;
  const first = await differenceOf(options, hashes, call);
  const gone = sync ? first.extra : [];
  if (gone.length > 0) await target.remove(gone, call);
  await using written = (await to.read('required'))!;
  const { missing, changed, extra } =
    gone.length === 0 ? first : await readBack(options, hashes, written, call);
  if (missing.length + changed.length + (sync ? extra.length : 0) > 0)
    throw differs(written.label, { missing, changed, extra });
  return {
    from: source.label,
    to: written.label,
    documents: hashes.size,
    ...counts,
    removed: gone.length,
    extra,
    vectors: spaces,
    checksum: checksumOf(hashes),
    agreement: await agreement(sample.texts, [source.snapshot, written.snapshot], call),
    searches: sample.texts.length,
  };
}

async function differenceOf(options: CopyOptions, hashes: Hashes, call: Call): Promise<Difference> {
  await using target = await options.to.read('optional');
  return await readBack(options, hashes, target, call);
}

const readBack = (
  { batch, onCompared }: CopyOptions,
  hashes: Hashes,
  target: CopySource | undefined,
  call: Call,
): Promise<Difference> =>
  differenceFrom(hashes, target, batch, call, read => onCompared?.(read, hashes.size));

async function previewed(options: CopyOptions, read: ReadSource, call: Call): Promise<Copied> {
  const { to, batch, sync } = options;
  const { hashes, source } = read;
  for await (const _ of pagesOf(read, batch, call))
    options.onCopied?.(hashes.size, source.documents);
  await using target = await to.read('optional');
  if (target && target.chunker !== source.chunker)
    throw new InputError('other-chunker', `The target ${target.label} uses another chunker`, {
      expected: source.chunker,
      received: target.chunker,
      hint: 'Copy to another place.',
    });
  const { missing, changed, extra } = await readBack(options, hashes, target, call);
  return {
    from: source.label,
    to: target?.label,
    documents: hashes.size,
    added: missing.length,
    changed: changed.length,
    removed: sync ? extra.length : 0,
    unchanged: hashes.size - missing.length - changed.length,
    extra,
    vectors: [],
    checksum: checksumOf(hashes),
    searches: 0,
  };
}

/** Ids that an error names. */
const NAMED = 3;

function differs(label: string, { missing, changed, extra }: Difference): PortError {
  const part = (what: string, ids: readonly string[]): string[] =>
    ids.length === 0
      ? []
      : [
          `${ids.length} ${what} (${ids
            .slice(0, NAMED)
            .map(id => JSON.stringify(id))
            .join(', ')})`,
        ];
  return new PortError('engine', 'copy-differs', `${label} does not hold what was copied to it`, {
    expected: 'the same documents',
    received: [
      ...part('missing', missing),
      ...part('changed', changed),
      ...part('beside them', extra),
    ].join(', '),
    hint: 'If another process writes there, run the copy again when it has ended.',
  });
}
