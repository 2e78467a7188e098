/**
 * CPU time and memory of whole `multihop` processes over the documents of `bench/documents`: an
 * ingest, and the first question to its store. Beside each a plain script that does the least of
 * the kind with MiniSearch (`plain-index.mjs`).
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command, type Used, used } from './child-usage.ts';
import { type Corpus, documentsOf, keptCorpus } from './documents/corpus.ts';
import { documentQuestions, halfOf } from './documents/questions.ts';
import { machine, median, type Result, type Setting, type Task } from './measure.ts';

const PLAIN = fileURLToPath(new URL('plain-index.mjs', import.meta.url));

interface Contender {
  readonly name: string;
  readonly run: () => Used;
}

/** Runs work with a folder of its own, and with the corpus if it is there. */
async function withCorpus(
  { cache, say }: Setting,
  work: (corpus: Corpus, folder: string) => Promise<Result[]>,
): Promise<Result[]> {
  const corpus = keptCorpus(resolve(cache ?? process.env['MULTIHOP_CACHE'] ?? '.cache'));
  if (!existsSync(command)) say('dist/ is missing; build it first with: npm run build');
  else if (!corpus) say('the documents are missing; fetch them first with: npm run documents');
  else {
    const folder = mkdtempSync(join(tmpdir(), 'multihop-whole-'));
    try {
      return await work(corpus, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  return [];
}

/** Runs both in turn, ours first, and returns a row of their times and one of their memory. */
function compare(
  { task, n, note }: Pick<Result, 'task' | 'n'> & { readonly note: string },
  [ours, plain]: readonly [Contender, Contender],
  runs: number,
): Result[] {
  const taken: { readonly own: Used; readonly other: Used }[] = [];
  for (let round = 0; round < runs; round++) taken.push({ own: ours.run(), other: plain.run() });
  return (['cpu', 'memory'] as const).map(what => {
    const own = taken.map(one => one.own[what]);
    const value = median(taken.map(({ other }) => other[what]));
    return {
      task,
      n,
      unit: what === 'cpu' ? 'CPU ms' : 'MB resident',
      ours: median(own),
      peers: [{ name: plain.name, version: '', value, ratio: value / median(own) }],
      note: `${note}; at most ${Math.round(Math.max(...own))}`,
      machine: machine(),
    };
  });
}

const plain = (...words: string[]): Used => used([PLAIN, ...words]);

export const ingestDocuments: Task = setting =>
  withCorpus(setting, (corpus, folder) => {
    const [store, index] = [join(folder, 'store'), join(folder, 'index.json')];
    const ours = {
      name: 'multihop',
      run: () => {
        rmSync(store, { recursive: true, force: true });
        return used([command, 'ingest', corpus.folder, '--store', store, '-q']);
      },
    };
    const other = { name: 'MiniSearch', run: () => plain('build', corpus.folder, index) };
    const results = compare(
      { task: 'ingest-documents', n: documentsOf(corpus).length, note: 'a whole multihop ingest' },
      [ours, other],
      Math.min(setting.runs, 3),
    );
    return Promise.resolve(results);
  });

/** An ingest by two cores beside the same by one, in turn, with the digests of their stores. */
export const ingestCores: Task = setting =>
  withCorpus(setting, (corpus, folder) => {
    const ingested = (isOneCore: boolean): Used & { readonly names: string } => {
      const store = join(folder, isOneCore ? 'one' : 'two');
      rmSync(store, { recursive: true, force: true });
      const usage = used([command, 'ingest', corpus.folder, '--store', store, '-q'], isOneCore);
      const names = readdirSync(store).filter(name => /\.(?:bin|jsonl)$/.test(name));
      return { ...usage, names: names.join() };
    };
    const pairs = Array.from({ length: Math.min(setting.runs, 3) }, () => ({
      two: ingested(false),
      one: ingested(true),
    }));
    const [two, one] = (['two', 'one'] as const).map(each =>
      median(pairs.map(pair => pair[each].wall / 1000)),
    ) as [number, number];
    const ratios = pairs.map(pair => pair.one.wall / pair.two.wall);
    // The names hold checksums.
    const isSame = pairs.every(pair => pair.one.names === pair.two.names);
    const memory = Math.max(...pairs.map(pair => pair.two.memory));
    return Promise.resolve([
      {
        task: 'ingest-cores',
        n: documentsOf(corpus).length,
        unit: 's of an ingest by two cores',
        ours: two,
        peers: [{ name: 'multihop on one core', version: '', value: one, ratio: median(ratios) }],
        note: `${isSame ? 'equal' : 'OTHER'} stores; at most ${Math.round(memory)} MB resident without the processes that read`,
        machine: machine(),
      },
    ]);
  });

export const askDocuments: Task = setting =>
  withCorpus(setting, (corpus, folder) => {
    const [store, index] = [join(folder, 'store'), join(folder, 'index.json')];
    used([command, 'ingest', corpus.folder, '--store', store, '-q']);
    plain('build', corpus.folder, index);
    const questions = documentQuestions().filter(({ id }) => halfOf(id) === 'tune');
    let [asked, searched] = [0, 0];
    const next = (at: number): string => questions[at % questions.length]!.question;
    const ours = {
      name: 'multihop',
      run: () => used([command, 'ask', next(asked++), '--store', store, '--answer-at', '0']),
    };
    const other = { name: 'MiniSearch', run: () => plain('search', index, next(searched++)) };
    const results = compare(
      { task: 'ask-documents', n: documentsOf(corpus).length, note: 'a whole multihop ask' },
      [ours, other],
      Math.max(setting.runs, 15),
    );
    return Promise.resolve(results);
  });
