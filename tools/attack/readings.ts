/** The ways to read a store, its traces and its caches that damages are tried by. */
import { join } from 'node:path';
import { InputError, PortError } from '../../src/core/errors.ts';
import { recordedTraces } from '../../src/experiments/trace-reader.ts';
import { type DocumentStore, openStore } from '../../src/index.ts';
import { CassetteFile } from '../../src/stores/disk/cassette-file.ts';
import { STORE_CODES } from '../../src/stores/disk/store-errors.ts';
import { VectorCacheFolder } from '../../src/stores/disk/vector-cache.ts';
import { type CommandResult, runCommand } from './command.ts';
import { KEYS, QUESTION, SPACE, storeOptions } from './sample.ts';

/** The result of a reading; `words`: its errors and warnings. */
export interface Told {
  readonly answer: string | undefined;
  readonly words: string;
  readonly hasCode: boolean;
}

export type Reading = (files: string) => Promise<Told>;

/** Reads by `openStore`. */
function byLibrary(read: (store: DocumentStore) => Promise<unknown>): Reading {
  return async files => {
    const said: string[] = [];
    const note = (text: unknown): number => said.push(JSON.stringify(text));
    try {
      await using store = await openStore(join(files, 'store'), {
        ...storeOptions(),
        create: false,
        notices: { warn: note, note },
      });
      return { answer: JSON.stringify(await read(store)), words: said.join('\n'), hasCode: true };
    } catch (error) {
      return failure(error, said);
    }
  };
}

function failure(error: unknown, said: readonly string[] = []): Told {
  const words = [...said, error instanceof Error ? (error.stack ?? '') : String(error)].join('\n');
  return { answer: undefined, words, hasCode: PortError.is(error) || InputError.is(error) };
}

const searched = (retriever: string): Reading =>
  byLibrary(store => store.search(QUESTION, { retriever, k: 20 }));

/** Fields that hold times, places and hashes of times. */
const VARYING = ['ms', 'line', 'store', 'file'];

/** Reads by a command, whose exit code says the same as its error. */
function byCommand(words: readonly string[], codes: readonly number[] = [4, 6]): Reading {
  return async files => {
    const store = words[0] === 'verify-trace' ? [] : ['--store', join(files, 'store')];
    const at = words.map(word => word.replace('FILES', files));
    return toldBy(await runCommand([...at, ...store]), codes);
  };
}

function toldBy({ code, out, err }: CommandResult, codes: readonly number[]): Told {
  const isBug = /This is a bug|"code":\s*"bug"|\n\s+at /.test(err);
  if (code !== 0) {
    // A partial result names its damage in itself.
    const stopped = /"stopped":\s*\{\s*"code":\s*"([\w-]+)"/.exec(out)?.[1];
    const isCode = stopped === undefined || STORE_CODES[stopped] === code;
    const hasCode = codes.includes(code) && isCode && !isBug;
    return { answer: undefined, words: `${out}${err}`, hasCode };
  }
  return {
    answer: out.startsWith('{') ? unvarying(out) : withoutTimes(out),
    words: err,
    hasCode: !isBug,
  };
}

const unvarying = (json: string): string =>
  JSON.stringify(JSON.parse(json), (key, value) => (VARYING.includes(key) ? undefined : value));

/** The last line of an answer holds its times. */
const withoutTimes = (text: string): string => text.replace(/[^\n]*\n$/, '');

const ask = ['ask', QUESTION, '--answer-at', '0'];

const OF_STORES: Readonly<Record<string, Reading>> = {
  'search documents': searched('lexical(unit=document)'),
  'search passages': searched('lexical(unit=passage)'),
  'search sentences': searched('lexical(unit=sentence)'),
  'search by s1': searched('lexical(scorer=s1)'),
  'search vectors': searched('dense(toy@1)'),
  'list documents': byLibrary(store => store.documents({ limit: 100 })),
  'ask by a graph': byLibrary(async store => {
    const { evidence, ranking, answer } = await store.ask(QUESTION, { strategy: 'hipporag2' });
    return [evidence, ranking, answer];
  }),
  'multihop ask': byCommand(ask),
  'multihop ask --json': byCommand([...ask, '--strategy', 'iterative(rounds=3)', '--json']),
  'multihop search': byCommand(['search', QUESTION, '--json']),
  'multihop documents': byCommand(['documents', '--json']),
  'multihop verify': byCommand(['verify', '--json'], [3, 4, 6]),
};

const OF_TRACES: Readonly<Record<string, Reading>> = {
  'multihop verify-trace': byCommand(['verify-trace', 'FILES/traces/run.jsonl', '--json'], [1, 2]),
  async replay(files) {
    try {
      const traces = await recordedTraces(join(files, 'traces', 'run.jsonl'));
      const read = await Promise.all(traces.map(trace => trace.read()));
      return { answer: JSON.stringify(read), words: '', hasCode: true };
    } catch (error) {
      return failure(error);
    }
  },
};

/** Caches may lose an entry, which is then computed again. */
const OF_CACHES: Readonly<Record<string, Reading>> = {
  async vectors(files) {
    const cache = new VectorCacheFolder(join(files, 'caches'));
    try {
      const vectors = await cache.get(SPACE, KEYS);
      const { damaged } = await cache.counts(SPACE);
      const answer = JSON.stringify(vectors.map(vector => vector && [...vector]));
      return { answer, words: `${damaged} damaged`, hasCode: true };
    } catch (error) {
      return failure(error);
    } finally {
      await cache.close();
    }
  },
  async cassette(files) {
    try {
      const cassette = await CassetteFile.toReplay(join(files, 'caches', 'cassette.jsonl'));
      const completions = await Promise.all(KEYS.map(key => cassette.get(key)));
      const answer = JSON.stringify(completions.map(one => one ?? null));
      await cassette.close();
      return { answer, words: `${cassette.damaged} damaged`, hasCode: true };
    } catch (error) {
      return failure(error);
    }
  },
};

/** Readings by the folder whose files they read. */
export const READINGS: Readonly<Record<string, Readonly<Record<string, Reading>>>> = {
  store: OF_STORES,
  traces: OF_TRACES,
  caches: OF_CACHES,
};
