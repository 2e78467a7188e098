/**
 * Copies documents with their vectors from one place to another: reads one state of the source,
 * writes what the target lacks or has otherwise, reads everything back and compares. A copy that
 * was cut goes on when it is started again, because equal documents are not written twice.
 */
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import { InputError, PortError } from '../../core/errors.ts';
import type { Call } from '../../core/trace/call.ts';
import { cutBy } from '../../search/corpus/items.ts';
import type { Stored } from '../../search/engine.ts';
import {
  type Place,
  type PlaceEmbedder,
  type PlaceSnapshot,
  type PlaceSpace,
  pagesOf,
} from '../../search/place.ts';
import { checkEmbedders, templateOf } from '../disk/store-embedders.ts';
import { contentHash } from '../servers/prepared-document.ts';
import {
  agreement,
  checksumOf,
  type Difference,
  DocumentSample,
  differenceFrom,
  type Hashes,
} from './compare.ts';
import { CopiedVectors, noVectors, unaskedEmbedder } from './copied-vectors.ts';

export interface CopyOptions {
  readonly from: Place;
  /** Opens the target by the chunker of the source; it is made at its first write. */
  readonly to: (chunker: string) => Promise<Place>;
  /** Documents in one write. */
  readonly batch: number;
  /** Texts of the source that are searched for in both. */
  readonly sample: number;
  /** Removes documents of the target that the source lacks. */
  readonly sync: boolean;
  /** Copies the vectors too. */
  readonly vectors: boolean;
  readonly dryRun: boolean;
  /** Models by which a folder records the vectors of a server. */
  readonly models: readonly PlaceEmbedder[];
  /** Called after each write, and in a dry run after each page of the source. */
  readonly onCopied?: (done: number, total: number) => void;
  /** Called after each page of the target that was compared; the target may hold more. */
  readonly onCompared?: (done: number, total: number) => void;
  /** Called with what stays behind. */
  readonly onLeftOut?: (what: readonly string[]) => void;
}

export interface Copied {
  readonly from: string;
  readonly to: string;
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
  const { from, to, vectors: withVectors } = options;
  const { chunker, spaces: recorded, graph, claims } = await from.state(call);
  const spaces = withVectors ? recorded : [];
  const partial = spaces.find(({ isPartial }) => isPartial);
  if (partial) throw noVectors(partial.name);
  const leftOut = withVectors ? [] : recorded.map(({ name }) => `vectors of ${name}`);
  if (graph) leftOut.push('the graph');
  if (claims) leftOut.push('the claim base');
  if (leftOut.length > 0) options.onLeftOut?.(leftOut);
  await from.use({
    embedders: spaces.map(space => ({ ...space, embedder: unaskedEmbedder(space) })),
  });
  await using source = await from.snapshot();
  const read = { source, hashes: new Map(), sample: new DocumentSample(options.sample) };
  // Awaited: what is used here is closed at the return.
  if (options.dryRun) return await previewed(options, read, () => to(chunker), call);
  const vectors = new CopiedVectors(spaces, cutBy(chunkers.create(chunker)));
  const open = async (): Promise<Place> => opened(options, await to(chunker), vectors, call);
  const stored = await writeAll(options, read, { vectors, open }, call);
  return await compared(options, read, { vectors, open, stored }, call);
}

/** Opens a target by the vectors of the source. Throws for others, before anything is written. */
async function opened(
  { from, models }: CopyOptions,
  target: Place,
  vectors: CopiedVectors,
  call: Call,
): Promise<Place> {
  try {
    const { spaces } = vectors;
    if (spaces.length === 0) return target;
    const { spaces: there } = await target.state(call);
    if (!target.buildsIndexes) checkAlike([...there, ...spaces]);
    const embedders = spaces.map((space): PlaceEmbedder => {
      const isNamedAlone = target.buildsIndexes && !from.buildsIndexes;
      const record = isNamedAlone ? { ...space, ...modelOf(space, models) } : space;
      return { ...record, embedder: vectors.embedder(space, record.id) };
    });
    // A folder takes any model to search by.
    if (target.buildsIndexes) checkEmbedders(target.label, { spaces: there }, embedders, true);
    await target.use({ embedders });
    return target;
  } catch (error) {
    await target[Symbol.asyncDispose]();
    throw error;
  }
}

/** A folder records which model made its vectors, so that no search asks another one. */
function modelOf(
  { name }: PlaceSpace,
  models: readonly PlaceEmbedder[],
): Pick<PlaceSpace, 'id' | 'prefixes' | 'baseUrl'> {
  const model = models.find(known => known.name === name);
  if (model) {
    const { prefixes, baseUrl, embedder } = model;
    return { id: embedder.id, prefixes, baseUrl };
  }
  throw new InputError('missing-embedder', `The model of the vectors of ${name}`, {
    expected: `the embedder ${name}, by which the store knows the model again; it embeds nothing`,
    received: 'a server, which keeps the name alone',
    hint: 'Nothing was written. Name the embedder, or copy without vectors.',
  });
}

const shapeOf = (space: PlaceSpace): string =>
  `${space.units.toSorted().join(', ')} by ${templateOf(space)}`;

/** A server has one list of units and one template for all of its spaces. */
function checkAlike([first, ...others]: readonly PlaceSpace[]): void {
  const other = others.find(space => shapeOf(space) !== shapeOf(first!));
  if (!other) return;
  throw new InputError('other-units', `The vectors of ${other.name} and ${first!.name}`, {
    expected: 'the same units and one template of texts, as a server keeps them',
    received: `${shapeOf(other)} and ${shapeOf(first!)}`,
    hint: 'Nothing was written. Copy without vectors, and embed there.',
  });
}

interface ReadSource {
  readonly source: PlaceSnapshot;
  readonly hashes: Map<string, string>;
  readonly sample: DocumentSample;
}

interface Target {
  readonly vectors: CopiedVectors;
  readonly open: () => Promise<Place>;
}

async function writeAll(
  { batch, onCopied }: CopyOptions,
  { source, ...seen }: ReadSource,
  { vectors, open }: Target,
  call: Call,
): Promise<Stored> {
  await using target = await open();
  const counts = { ...(await target.put([], call)) };
  for await (const page of pagesOf(source, { limit: batch }, call)) {
    note(page, seen);
    await vectors.load(page, source.engine, call);
    const stored = await target.put(page, call);
    // If this process builds the indexes, all documents are embedded at the end.
    if (!target.buildsIndexes) vectors.forget();
    for (const what of ['added', 'changed', 'unchanged'] as const) counts[what] += stored[what];
    onCopied?.(seen.hashes.size, source.corpus.documents);
  }
  await target.complete(call);
  return counts;
}

/** Keeps the hashes of a page of the source. */
function note(page: readonly Document[], { hashes, sample }: Omit<ReadSource, 'source'>): void {
  for (const document of page) {
    hashes.set(document.id, contentHash(document));
    sample.add(document);
  }
}

/** Opens the target again: it is to hold what was copied, not to remember it. */
async function compared(
  options: CopyOptions,
  { source, hashes, sample }: ReadSource,
  { vectors, open, stored }: Target & { readonly stored: Stored },
  call: Call,
): Promise<Copied> {
  const { from, sync } = options;
  await using target = await open();
  const first = await readBack(options, hashes, target, call);
  const gone = sync ? first.extra : [];
  if (gone.length > 0) await target.remove(gone, call);
  const { missing, changed, extra } =
    gone.length === 0 ? first : await readBack(options, hashes, target, call);
  if (missing.length + changed.length + (sync ? extra.length : 0) > 0)
    throw differs(target.label, { missing, changed, extra });
  await using written = await target.snapshot();
  return {
    from: from.label,
    to: target.label,
    documents: hashes.size,
    ...stored,
    removed: gone.length,
    extra,
    vectors: vectors.spaces.map(({ name }) => name),
    checksum: checksumOf(hashes),
    agreement: await agreement(sample.texts, [source.engine, written.engine], call),
    searches: sample.texts.length,
  };
}

async function readBack(
  { batch: limit, onCompared }: CopyOptions,
  hashes: Hashes,
  target: Place,
  call: Call,
): Promise<Difference> {
  await using snapshot = await target.snapshot();
  const pages = pagesOf(snapshot, { limit }, call);
  return await differenceFrom(hashes, pages, read => onCompared?.(read, hashes.size));
}

async function previewed(
  options: CopyOptions,
  { source, ...seen }: ReadSource,
  open: () => Promise<Place>,
  call: Call,
): Promise<Copied> {
  const { from, batch, sync, onCopied } = options;
  const { hashes } = seen;
  for await (const page of pagesOf(source, { limit: batch }, call)) {
    note(page, seen);
    onCopied?.(hashes.size, source.corpus.documents);
  }
  await using target = await open();
  const { missing, changed, extra } = await readBack(options, hashes, target, call);
  return {
    from: from.label,
    to: target.label,
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
