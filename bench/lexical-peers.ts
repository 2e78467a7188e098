/**
 * The peers of lexical search behind one shape. A peer that cannot be loaded is absent, not an
 * error.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from 'minisearch';
import { LexicalIndex, type LexicalItem } from '../src/search/indexes/lexical/lexical-index.ts';
import { scorers } from '../src/search/indexes/lexical/scorers.ts';
import { PLAIN_WORDS, tokens } from './corpora.ts';

const require = createRequire(import.meta.url);

export interface Built {
  /** Positions of the best k items. */
  readonly search: (query: string, k: number) => number[] | Promise<number[]>;
  readonly close?: () => void;
  /** The library's own object, for storing. */
  readonly native?: unknown;
}

export interface LexicalPeer {
  readonly name: string;
  readonly version: string;
  readonly build: (items: readonly LexicalItem[]) => Built | Promise<Built>;
}

export const textOf = ({ title, text }: LexicalItem): string => `${title} ${text}`;

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8'))
    .version;

export const miniSearchOptions: Options = {
  fields: ['text'],
  idField: 'id',
  tokenize: tokens,
  processTerm: (term: string) => term,
  searchOptions: { bm25: { k: 1.5, b: 0.75, d: 0 } },
};

async function miniSearch(): Promise<LexicalPeer> {
  const { default: MiniSearch } = await import('minisearch');
  return {
    name: 'minisearch',
    version: versionOf('minisearch'),
    build: items => {
      const index = new MiniSearch(miniSearchOptions);
      index.addAll(items.map((item, i) => ({ id: i, text: textOf(item) })));
      return {
        native: index,
        search: (query, k) =>
          index
            .search(query)
            .slice(0, k)
            .map(hit => hit.id as number),
      };
    },
  };
}

async function wink(): Promise<LexicalPeer> {
  const create = require('wink-bm25-text-search');
  return {
    name: 'wink-bm25-text-search',
    version: versionOf('wink-bm25-text-search'),
    build: items => {
      const engine = create();
      engine.defineConfig({ fldWeights: { text: 1 }, bm25Params: { k1: 1.5, b: 0.75, k: 1 } });
      engine.definePrepTasks([tokens]);
      for (const [i, item] of items.entries()) engine.addDoc({ text: textOf(item) }, i);
      engine.consolidate();
      return {
        native: engine,
        search: (query, k) =>
          engine.search(query, k).map((hit: [string, number]) => Number(hit[0])),
      };
    },
  };
}

async function lanceDb(): Promise<LexicalPeer> {
  process.env['LANCE_LOG'] ??= 'error';
  process.env['RUST_LOG'] ??= 'error';
  const { connect, Index } = await import('@lancedb/lancedb');
  return {
    name: '@lancedb/lancedb',
    version: versionOf('@lancedb/lancedb'),
    build: async items => {
      const folder = mkdtempSync(join(tmpdir(), 'multihop-bench-'));
      const connection = await connect(folder);
      const table = await connection.createTable(
        'items',
        items.map((item, i) => ({ id: i, text: textOf(item) })),
      );
      const config = Index.fts(PLAIN_WORDS);
      await table.createIndex('text', { config, waitTimeoutSeconds: 600 });
      return {
        search: async (query, k) =>
          (
            await table.query().fullTextSearch(query).select(['id', '_score']).limit(k).toArray()
          ).map(row => Number(row.id)),
        close: () => {
          table.close();
          rmSync(folder, { recursive: true, force: true });
        },
      };
    },
  };
}

const scorer = scorers.create('bm25');
export const ours: LexicalPeer = {
  name: 'multihop',
  version: '',
  build: items => {
    const index = LexicalIndex.build(items, 'plain');
    return {
      native: index,
      search: (text, k) => index.search([{ text }], k, scorer)[0]!.map(({ item }) => item),
    };
  },
};

/** The peers that can be loaded, and the names of those that cannot. */
export async function loadPeers(
  names: readonly ('minisearch' | 'wink' | 'lancedb')[],
): Promise<{ peers: LexicalPeer[]; absent: string[] }> {
  const loaders = { minisearch: miniSearch, wink, lancedb: lanceDb };
  const peers: LexicalPeer[] = [];
  const absent: string[] = [];
  for (const name of names) {
    try {
      peers.push(await loaders[name]());
    } catch (error) {
      absent.push(`${name} (${(error as Error).message.split('\n')[0]})`);
    }
  }
  return { peers, absent };
}
