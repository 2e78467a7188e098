/** Asks the questions of an evaluation and writes their traces. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Filter } from '../core/corpus/filter.ts';
import type { Family } from '../core/naming/family.ts';
import type { Heads } from '../core/trace/audit-chain.ts';
import type { Manifest, Trace, TraceEvent } from '../core/trace/trace.ts';
import { repeating } from '../evaluation/answer-controls/repeated-hops.ts';
import type { Example } from '../evaluation/example.ts';
import type { Row } from '../evaluation/run.ts';
import type { Resources } from '../models/resources.ts';
import type { Reader } from '../readers/reader.ts';
import type { Engine, SearchEngine } from '../search/engine.ts';
import { resourcesByPort } from '../session/opened-resources.ts';
import { timedAsk, watchRun } from '../session/timed-run.ts';
import type { TraceSigner } from '../session/trace-signing.ts';
import { strategies } from '../strategies/strategies.ts';
import type { OpenHop, Strategy } from '../strategies/strategy.ts';
import { type ManifestOptions, manifestOf, traceManifest } from './evaluation-manifest.ts';
import { rowFileName } from './rows.ts';
import { TraceFile } from './trace-file.ts';

/** Members that replace those of a row. */
export interface Under {
  /** Hops of an earlier run, in the place of searches. */
  readonly hops?: readonly OpenHop[];
  readonly reader?: Reader;
}

/** Returns the engine of a question; without one, an engine that has all documents. */
export type EngineOf = (example?: Example) => Promise<SearchEngine | Engine>;

export interface AskerOptions extends ManifestOptions {
  readonly strategies?: Family<Strategy>;
  /** Folder of traces, one file a row; none are written when missing. */
  readonly out?: string;
  /** If true, these hold every hit and rejection as plain JSON. */
  readonly fullTrace?: boolean;
  /** Signs every file. */
  readonly signer?: TraceSigner | undefined;
  readonly signal: AbortSignal;
}

/** A row's strategy, out of the family of the run. */
export const strategyOf = (row: Row, options: Pick<AskerOptions, 'strategies'> = {}): Strategy =>
  (options.strategies ?? strategies).create(row.strategy);

/** The file of a row; `written` resolves once the run that was begun last is in it. */
interface RowFile {
  readonly name: string;
  readonly file: TraceFile;
  written: Promise<void>;
}

/** Asks, and writes the traces of rows that search; rows of controls repeat evidence of those. */
export class Asker {
  private readonly files = new Map<string, RowFile>();
  private closed: Record<string, { file: string; heads: Heads }> | undefined;
  private readonly engineOf: EngineOf;
  private readonly options: AskerOptions;
  private readonly manifest: Manifest;
  private readonly resources: Resources;

  constructor(engineOf: EngineOf, options: AskerOptions) {
    this.engineOf = engineOf;
    this.options = options;
    this.manifest = traceManifest(manifestOf(options));
    this.resources = resourcesByPort(options.resources ?? []);
  }

  async ask(row: Row, example: Example, under: Under = {}): Promise<Trace> {
    const { retriever, context, budget } = row;
    const strategy = strategyOf(row, this.options);
    const within: Filter | undefined =
      this.options.passages === 'own' || !example.within
        ? undefined
        : { op: 'in', field: 'id', values: example.within };
    const file = row.control ? undefined : this.fileOf(row);
    const events = timedAsk(example.question.text, {
      // Repeated hops may hold documents of other questions.
      engine: await this.engineOf(under.hops ? undefined : example),
      strategy: under.hops ? repeating(strategy, under.hops) : strategy,
      retriever,
      context,
      budget,
      reader: under.reader ?? row.reader,
      id: example.id,
      manifest: this.manifest,
      resources: this.resources,
      // An evaluation scores every answer.
      answerAt: 0,
      // A model that fails is no answer of the rules.
      fallback: false,
      filter: within,
      signal: this.options.signal,
    });
    return file ? this.recorded(events, file) : watchRun(events);
  }

  /** Writes the events of a run behind those of the run that was begun before it. */
  private async recorded(
    events: AsyncGenerator<TraceEvent, Trace, void>,
    entry: RowFile,
  ): Promise<Trace> {
    const before = entry.written;
    const { promise, resolve } = Promise.withResolvers<void>();
    entry.written = promise;
    const noted: TraceEvent[] = [];
    try {
      return await watchRun(events, event => void noted.push(event));
    } finally {
      await before;
      if (!this.closed) for (const event of noted) entry.file.add(event);
      resolve();
    }
  }

  /** Seals all files, once. */
  close(): Record<string, { file: string; heads: Heads }> {
    this.closed ??= Object.fromEntries(
      [...this.files].map(([id, { name, file }]) => [id, { file: name, heads: file.close() }]),
    );
    return this.closed;
  }

  private fileOf(row: Row): RowFile | undefined {
    const { out, fullTrace, signer } = this.options;
    if (out === undefined) return undefined;
    let entry = this.files.get(row.id);
    if (!entry) {
      const name = `traces/${rowFileName(this.files.size + 1, row.id)}.jsonl`;
      mkdirSync(join(out, 'traces'), { recursive: true });
      const file = new TraceFile(join(out, name), fullTrace, signer);
      entry = { name, file, written: Promise.resolve() };
      this.files.set(row.id, entry);
    }
    return entry;
  }
}
