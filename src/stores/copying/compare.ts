/** Compares what a place holds with what was copied to it: every document, and some searches. */
import type { Document } from '../../core/corpus/document.ts';
import { mulberry32 } from '../../core/mulberry32.ts';
import type { Call } from '../../core/trace/call.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { SearchEngine } from '../../search/engine.ts';
import { contentHash } from '../servers/prepared-document.ts';

/** Hashes of contents by document id. */
export type Hashes = ReadonlyMap<string, string>;

export interface Difference {
  /** Ids that the target lacks. */
  readonly missing: readonly string[];
  /** Ids whose content is another in the target. */
  readonly changed: readonly string[];
  /** Ids that the source lacks. */
  readonly extra: readonly string[];
}

/** Names the content of a corpus, whatever the order of its documents. */
export const checksumOf = (hashes: Hashes): string =>
  sha256([...hashes.values()].sort().join('\n'));

/** Reads every document of the target back; `onRead` is called with the number read so far. */
export async function differenceFrom(
  hashes: Hashes,
  target: AsyncIterable<readonly Document[]>,
  onRead: (documents: number) => void,
): Promise<Difference> {
  const [changed, extra]: [string[], string[]] = [[], []];
  const seen = new Set<string>();
  for await (const page of target) {
    for (const document of page) {
      const expected = hashes.get(document.id);
      seen.add(document.id);
      if (expected === undefined) extra.push(document.id);
      else if (expected !== contentHash(document)) changed.push(document.id);
    }
    onRead(seen.size);
  }
  return { missing: [...hashes.keys()].filter(id => !seen.has(id)), changed, extra };
}

const SEED = 20261127;
/** Characters of a text that are searched for. */
const SPOKEN = 200;

/** Keeps a sample of documents that does not depend on how many come: reservoir sampling. */
export class DocumentSample {
  readonly texts: string[] = [];
  private readonly size: number;
  private readonly random = mulberry32(SEED);
  private seen = 0;

  constructor(size: number) {
    this.size = size;
  }

  add({ title, text }: Document): void {
    const place = this.seen < this.size ? this.seen : Math.floor(this.random() * (this.seen + 1));
    this.seen += 1;
    if (place < this.size) this.texts[place] = `${title} ${text}`.slice(0, SPOKEN);
  }
}

/** Hits of a search that are compared. */
const K = 10;

/** Returns the mean share of the first ten passages that both find, by terms. */
export async function agreement(
  texts: readonly string[],
  engines: readonly [SearchEngine, SearchEngine],
  call: Call,
): Promise<number> {
  const queries = texts.map(text => ({ text }));
  const request = { unit: 'passage', k: K, queries } as const;
  const [source, target] = await Promise.all(engines.map(engine => engine.search(request, call)));
  let sum = 0;
  for (const [at, ranking] of source!.entries()) {
    const found = new Set(target![at]!.map(({ id }) => id));
    const shared = ranking.filter(({ id }) => found.has(id)).length;
    sum += ranking.length === 0 ? 1 : shared / ranking.length;
  }
  return texts.length === 0 ? 1 : sum / texts.length;
}
