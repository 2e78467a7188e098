/**
 * Prints the progress of vectors, indexes and graphs that a store makes after a write.
 */
import type { Unit } from '../core/ranking/ranking.ts';
import { monotonicClock } from '../platform/clock.ts';
import type { ClaimsSpending } from '../session/claims.ts';
import type {
  EmbeddedEvent,
  GraphEvent,
  PhaseEvent,
  StoreIngestEvent,
} from '../session/document-store.ts';
import type { Models } from '../session/models.ts';
import type { GraphSpending } from '../session/recognisers.ts';
import { behindClaims } from '../stores/disk/kept-claims.ts';
import { behindGraph } from '../stores/disk/kept-graph.ts';
import type { Manifest } from '../stores/disk/manifest.ts';
import type { Output } from './output.ts';
import { duration, Progress, rateText } from './progress.ts';
import { usageWords } from './run-text.ts';

interface Part {
  readonly progress: Progress;
  readonly began: number;
  /** Milliseconds until the last step of the store. */
  took: number;
  /** Number of texts that were computed at the last step of the store. */
  counted: number;
  last: EmbeddedEvent;
}

/**
 * Shows the model's speed and the time left: texts from the cache count as done, and as no work.
 */
class EmbeddingProgress {
  private readonly output: Output;
  private readonly parts: Part[] = [];

  constructor(output: Output) {
    this.output = output;
  }

  step(event: EmbeddedEvent): void {
    let part = this.parts.at(-1);
    if (part?.last.space !== event.space || part.last.unit !== event.unit) {
      this.end();
      const progress = new Progress(this.output, `${event.unit}s`);
      part = { progress, began: monotonicClock(), took: 0, counted: 0, last: event };
      this.parts.push(part);
    }
    const computing = event.computed > part.last.computed;
    if (!computing) {
      part.counted = event.computed;
      part.took = monotonicClock() - part.began;
    }
    part.last = event;
    // The store counts a batch only after all of it has vectors.
    const done = event.done + event.computed - part.counted;
    part.progress.update({ count: done, done, total: event.total, worked: event.computed });
  }

  end(): void {
    this.parts.at(-1)?.progress.end();
  }

  /** Prints a line for each unit. */
  report(): void {
    for (const { last, took } of this.parts) {
      const { space, unit, done, computed } = last;
      const known =
        done > computed
          ? `${computed === 0 ? '' : '; '}${(done - computed).toLocaleString('en')} ${unit}s were known to ${space}`
          : '';
      const rate = (computed * 1000) / Math.max(1, took);
      const speed = `${computed.toLocaleString('en')} ${unit}s embedded by ${space} in ${duration(took)} (${rateText(rate)})`;
      this.output.note(computed === 0 ? known : speed + known);
    }
  }
}

/** Prints the events of an ingest beside those of its documents. */
export class VectorProgress {
  private readonly output: Output;
  private readonly embedding: EmbeddingProgress;
  private readonly models: Pick<Models, 'truncated'> | undefined;
  private phase: PhaseEvent['phase'] | undefined;
  private began = 0;
  private making: Progress | undefined;

  constructor(output: Output, models?: Pick<Models, 'truncated'>) {
    this.output = output;
    this.models = models;
    this.embedding = new EmbeddingProgress(output);
  }

  /** Prints the events of `events` and returns its result. */
  async watch<Result>(events: AsyncGenerator<StoreIngestEvent, Result, void>): Promise<Result> {
    try {
      let step = await events.next();
      for (; !step.done; step = await events.next()) this.show(step.value);
      this.endPhase();
      return step.value;
    } catch (error) {
      this.embedding.end();
      this.making?.end();
      if (this.phase === 'embedding')
        this.output.note(
          'The documents are stored and computed vectors are cached; run the same command again to continue.',
        );
      throw error;
    }
  }

  private show(event: StoreIngestEvent): void {
    if (event.type === 'phase') this.begin(event);
    else if (event.type === 'embedded') this.embedding.step(event);
    else if (event.type === 'graph') this.graph(event);
  }

  private begin({ phase }: PhaseEvent): void {
    this.endPhase();
    this.phase = phase;
    this.began = monotonicClock();
    if (phase === 'indexing') this.output.detail('Writing the indexes');
  }

  private endPhase(): void {
    const { phase, models } = this;
    this.phase = undefined;
    if (phase !== 'embedding') return;
    this.embedding.end();
    this.embedding.report();
    if (models && models.truncated > 0)
      this.output.warn(
        `${models.truncated} texts were longer than the model’s input, and were cut`,
      );
  }

  private graph({ index, done, total }: GraphEvent): void {
    if (done === 0) this.began = monotonicClock();
    this.making ??= new Progress(this.output, `documents in ${index}`);
    this.making.update({ count: done, done, total });
    if (done < total) return;
    this.making.end();
    this.making = undefined;
    this.output.note(
      `${total.toLocaleString('en')} documents added to ${index} in ${duration(monotonicClock() - this.began)}`,
    );
  }
}

/** Returns the command that gives a space vectors of a unit. */
export const embedCommand = (folder: string, space: string, unit: Unit): string =>
  `multihop ingest --store ${folder} --embedder ${nameInShell(space)} --unit ${unit}`;

/** Returns the command by which a store keeps its graph, or brings it up to date. */
export const graphCommand = (folder: string, recogniser: string, space?: string): string =>
  `multihop ingest --store ${folder}${space === undefined ? '' : ` --embedder ${nameInShell(space)}`} --graph ${nameInShell(recogniser)}`;

/** Tells what a language model did for the graph, and what it replied in vain. */
function noteSpent(spent: GraphSpending, output: Output): void {
  const { ner, triple, sent, input, output: written, usd, dropped, cut, unread } = spent;
  if (ner === 0) return;
  const used = { modelCalls: sent, modelTokens: input + written };
  const words = usageWords({ ...used, usd }).join(', ');
  output.note(
    `${ner} ner and ${triple} triple prompts: ${words}; the cache answered ${ner + triple - sent}`,
  );
  if (dropped + cut + unread > 0)
    output.note(
      `Of the replies ${unread} were no JSON, ${cut} were cut off, and ${dropped} triples had not three parts`,
    );
}

/** Tells what a language model did for the claim base. */
function noteClaims(
  { claim, sent, input, output: written, usd }: ClaimsSpending,
  output: Output,
): void {
  if (claim === 0) return;
  const words = usageWords({ modelCalls: sent, modelTokens: input + written, usd }).join(', ');
  output.note(`${claim} claim prompts: ${words}; the cache answered ${claim - sent}`);
}

interface Spendings {
  readonly graphModel?: GraphSpending | undefined;
  readonly claimsModel?: ClaimsSpending | undefined;
}

/** Tells what language models read. */
export function noteReading({ graphModel, claimsModel }: Spendings, output: Output): void {
  if (graphModel) noteSpent(graphModel, output);
  if (claimsModel) noteClaims(claimsModel, output);
}

/** Tells what the graph and the claim base of a store lack, and the commands that add it. */
export function noteBehind(folder: string, manifest: Manifest, output: Output): void {
  const { recogniser, spaces } = behindGraph(manifest);
  const add = (what: string, space?: string): void =>
    output.note(
      `The graph lacks ${what}; ${graphCommand(folder, manifest.graph!.recogniser, space)} adds them`,
    );
  if (recogniser !== undefined) add(`entities that ${recogniser} finds`);
  for (const space of spaces) add(`the nearest sentences of ${space}`, space);
  const claims = behindClaims(manifest);
  if (claims)
    output.note(
      `The claim base lacks documents; multihop ingest --store ${folder} --claims ${nameInShell(claims.name)} adds them`,
    );
}

const nameInShell = (name: string): string => (/^[\w.:/@-]+$/.test(name) ? name : `"${name}"`);
