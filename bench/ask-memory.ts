/**
 * Memory of one process over 20,000 questions, asked of four stores whose documents change all the
 * time: heap and resident size after collections, and their slope after warm-up.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Document } from '../src/core/corpus/document.ts';
import { mulberry32 } from '../src/core/mulberry32.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { monotonicClock } from '../src/platform/clock.ts';
import { askEvents } from '../src/run/ask.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { machine, type Result, type Task } from './measure.ts';

const ASKS = 20_000;
const STORES = 4;
const DOCUMENTS = 40;
/** A store loses its oldest documents and gets as many new ones after so many questions. */
const CHANGE_EVERY = 5;
const CHANGED = 2;
const SAMPLE_EVERY = 500;
/** Samples before the slope: code is compiled, caches fill. */
const WARM_UP = 4_000;
const RUNS: readonly { readonly strategy: string; readonly retriever: string }[] = [
  { strategy: 'fact-lanes', retriever: 'lexical(unit=sentence)' },
  { strategy: 'efficient-rag', retriever: 'lexical' },
  { strategy: 'multi-meta-rag', retriever: 'lexical' },
  { strategy: 'fixed-top-k', retriever: 'hybrid(none, unit=document)' },
];

interface Sample {
  readonly asked: number;
  readonly heap: number;
  readonly resident: number;
}

/** Documents of ever new words, so that whatever keeps words of what it read grows. */
class Writer {
  private readonly random = mulberry32(16);
  private written = 0;

  document(): Document {
    const number = this.written++;
    const source = `The ${this.name()} Post`;
    const names = Array.from({ length: 4 }, () => this.name());
    const sentences = Array.from({ length: 12 }, (_, at) => {
      const [one, other] = [names[at % 4]!, names[(at + 1) % 4]!];
      return `${one} ${this.word()} the ${this.word()} of ${other} in ${this.name()} for ${this.word()}.`;
    });
    return {
      id: `document-${number}`,
      title: `${names[0]} and ${names[1]}`,
      text: sentences.join(' '),
      metadata: { source, published_at: `2024-01-${String((number % 28) + 1).padStart(2, '0')}` },
    };
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  private word(): string {
    const letters = Array.from({ length: 7 }, () => Math.floor(this.random() * 26) + 97);
    return String.fromCharCode(...letters);
  }

  private name(): string {
    const word = this.word();
    return word[0]!.toUpperCase() + word.slice(1);
  }
}

/** A store in memory that changes, and the documents that it holds. */
class ChangingStore {
  readonly engine: EmbeddedEngine;
  documents: readonly Document[];
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
    this.documents = Array.from({ length: DOCUMENTS }, () => writer.document());
    this.engine = new EmbeddedEngine({ documents: this.documents });
  }

  async change(): Promise<void> {
    const added = Array.from({ length: CHANGED }, () => this.writer.document());
    const gone = this.documents.slice(0, CHANGED).map(({ id }) => id);
    this.documents = [...this.documents.slice(CHANGED), ...added];
    await this.engine.put(added, freeCall());
    await this.engine.remove(gone, freeCall());
  }

  question(): string {
    const [one, other] = [this.writer.pick(this.documents), this.writer.pick(this.documents)];
    const { source } = one.metadata;
    return `Did ${one.title} appear in ${source}, and did ${other.title} do the same in January 2024?`;
  }
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Buffers are freed one collection after the objects that held them.
  return () => {
    collect();
    collect();
  };
}

async function samples(say: (line: string) => void): Promise<Sample[]> {
  const collect = collector();
  const writer = new Writer();
  const stores = Array.from({ length: STORES }, () => new ChangingStore(writer));
  const taken: Sample[] = [];
  for (let asked = 0; asked <= ASKS; asked++) {
    if (asked % SAMPLE_EVERY === 0) {
      collect();
      const { heapUsed, external, rss } = process.memoryUsage();
      taken.push({ asked, heap: (heapUsed + external) / 2 ** 20, resident: rss / 2 ** 20 });
      const { heap, resident } = taken.at(-1)!;
      if (asked % 2_000 === 0)
        say(
          `ask-memory: ${asked} asked, heap ${heap.toFixed(1)} MiB, rss ${resident.toFixed(0)} MiB`,
        );
    }
    const store = stores[asked % STORES]!;
    const run = RUNS[Math.floor(asked / STORES) % RUNS.length]!;
    for await (const _ of askEvents(
      store.question(),
      { engine: store.engine, ...run },
      monotonicClock,
    ));
    if (asked % CHANGE_EVERY === 0) await store.change();
  }
  return taken;
}

/** MiB per 1,000 questions, by least squares. */
function slope(taken: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (numbers: readonly number[]): number =>
    numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [x, y] = [taken.map(({ asked }) => asked / 1_000), taken.map(of)];
  const [middle, level] = [mean(x), mean(y)];
  const top = x.reduce((sum, at, i) => sum + (at - middle) * (y[i]! - level), 0);
  return top / x.reduce((sum, at) => sum + (at - middle) ** 2, 0);
}

export const askMemory: Task = async ({ say }) => {
  const taken = (await samples(say)).filter(({ asked }) => asked >= WARM_UP);
  const result = (what: string, of: (sample: Sample) => number): Result => {
    const values = taken.map(of);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return {
      task: `ask-memory: ${what} over ${STORES} changing stores`,
      n: ASKS,
      unit: 'MiB per 1,000 questions',
      ours: slope(taken, of),
      peers: [],
      note: `after ${WARM_UP} questions from ${low.toFixed(1)} to ${high.toFixed(1)} MiB, at the end ${values.at(-1)!.toFixed(1)}`,
      machine: machine(),
    };
  };
  return [result('heap used', ({ heap }) => heap), result('resident', ({ resident }) => resident)];
};
