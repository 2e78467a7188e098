/** Tests of `multihop copy` between two kinds of places, whichever they are. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Store } from '../src/stores/disk/index.ts';
import { corpusDigest } from '../src/stores/disk/segment.ts';
import { FIXTURE_DOCUMENTS } from '../src/testing/fixture-corpus.ts';
import { embeddings, ModelServer } from './providers-server.ts';
import { freshFolder, type Result, run } from './running-command.ts';

export const good = async (...words: readonly string[]): Promise<Result> => {
  const result = await run(words);
  assert.equal(result.code, 0, result.err);
  return result;
};

/** The output of `copy --json`. */
export interface Printed {
  readonly documents: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly extra: number;
  readonly vectors: readonly string[];
  readonly leftOut: readonly string[];
  readonly checksum: string;
  readonly agreement?: number;
}

export async function copied(
  from: string,
  to: string,
  ...words: readonly string[]
): Promise<Printed> {
  const { out } = await good('copy', '--from', from, '--to', to, '--json', ...words);
  return JSON.parse(out);
}

/** The fixture in a file, as many copies of it as are wanted, and its documents' number. */
export function fixtureFile(copies = 1): { readonly path: string; readonly documents: number } {
  const path = join(freshFolder(), 'corpus.jsonl');
  const all = Array.from({ length: copies }, (_, copy) =>
    FIXTURE_DOCUMENTS.map(document => ({ ...document, id: `${document.id}-${copy}` })),
  ).flat();
  writeFileSync(path, all.map(document => `${JSON.stringify(document)}\n`).join(''));
  return { path, documents: all.length };
}

export async function digestOf(folder: string): Promise<string> {
  await using store = await Store.open(folder);
  await using snapshot = await store.snapshot();
  return corpusDigest(snapshot.documents, store.manifest.chunker);
}

export const newStore = (): string => join(freshFolder(), 'a.store');

/** An embedder behind HTTP that counts the texts that it reads. */
export class CountingModel {
  private readonly server: ModelServer;

  private constructor(server: ModelServer) {
    this.server = server;
  }

  static async start(): Promise<CountingModel> {
    return new CountingModel(await ModelServer.start(embeddings));
  }

  get options(): string[] {
    return ['--embedder', 'openai-compatible:toy', '--base-url', this.server.url];
  }

  get texts(): number {
    return this.server.requests.flatMap(({ body }) => body.input ?? []).length;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

/** The hits of a search by vectors. */
export async function denseHits(place: readonly string[], model: CountingModel): Promise<unknown> {
  const words = [
    'search',
    'lighthouse sold',
    '--retriever',
    'dense(openai-compatible:toy, unit=passage)',
  ];
  const { out } = await good(...words, ...place, ...model.options.slice(2), '--json');
  return (JSON.parse(out) as { hits: { id: string; score: number }[] }).hits.map(
    ({ id, score }) => [id, Number(score.toFixed(5))],
  );
}
