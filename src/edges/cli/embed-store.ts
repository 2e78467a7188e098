/** Embeds and fits what a store lacks after a write, and prints progress and speed. */
import type { Unit } from '../../ranking/ranking.ts';
import { freeCall } from '../../trace/call.ts';
import { monotonicClock } from '../clock.ts';
import type { Models } from '../serving/models.ts';
import { mergedFitted } from '../storage/fitted-spaces.ts';
import type { FittedRecord } from '../storage/manifest.ts';
import type { Store } from '../storage/store.ts';
import type { CommandContext } from './command.ts';
import type { Output } from './output.ts';
import { duration, Progress, rateText } from './progress.ts';

interface Part {
  readonly space: string;
  readonly unit: Unit;
  readonly total: number;
  readonly progress: Progress;
  readonly began: number;
  /** Milliseconds until the last step. */
  took: number;
  /** Number of texts with vectors. */
  done: number;
  /** Number of those that the model embedded. */
  worked: number;
  /** Number of those that the store has not counted yet. */
  ahead: number;
}

/**
 * Shows the model's speed and the time left: texts from the cache count as done, and as no work.
 */
export class EmbeddingProgress {
  private readonly output: Output;
  private readonly parts: Part[] = [];

  constructor(output: Output) {
    this.output = output;
  }

  /** Counts texts that a model embedded just now. */
  readonly worked = (texts: number): void => {
    const part = this.parts.at(-1);
    if (!part) return;
    part.worked += texts;
    part.ahead += texts;
    draw(part);
  };

  /** Receives the progress of `Store.embed`. */
  readonly step = (done: number, total: number, space: string, unit: Unit): void => {
    if (done === 0) {
      this.end();
      const progress = new Progress(this.output, `${unit}s`);
      this.parts.push({
        space,
        unit,
        total,
        progress,
        began: monotonicClock(),
        took: 0,
        done,
        worked: 0,
        ahead: 0,
      });
    }
    const part = this.parts.at(-1)!;
    part.done = done;
    part.ahead = 0;
    part.took = monotonicClock() - part.began;
    draw(part);
  };

  end(): void {
    this.parts.at(-1)?.progress.end();
  }

  /** Prints a line for each unit, and returns the number of texts with vectors by embedder. */
  tell(): Record<string, number> {
    const embedded: Record<string, number> = {};
    for (const { space, unit, done, worked, took } of this.parts) {
      embedded[space] = (embedded[space] ?? 0) + done;
      const known =
        done > worked
          ? `${worked === 0 ? '' : '; '}${(done - worked).toLocaleString('en')} ${unit}s were known to ${space}`
          : '';
      const rate = (worked * 1000) / Math.max(1, took);
      const speed = `${worked.toLocaleString('en')} ${unit}s embedded by ${space} in ${duration(took)} (${rateText(rate)})`;
      this.output.note(worked === 0 ? known : speed + known);
    }
    return embedded;
  }
}

const draw = ({ progress, done, worked, ahead, total }: Part): void =>
  progress.update({ count: done + ahead, done: done + ahead, total, worked });

/**
 * Returns the number of texts with vectors by embedder, and closes the models. On an error or
 * Ctrl-C computed vectors stay in the cache.
 */
export async function embedStore(
  store: Store,
  models: Models,
  progress: EmbeddingProgress,
  { output, signal }: CommandContext,
): Promise<Record<string, number>> {
  try {
    await store.embed(freeCall(signal), progress.step);
  } catch (error) {
    progress.end();
    output.note(
      'The documents are stored and computed vectors are cached; run the same command again to continue.',
    );
    throw error;
  } finally {
    progress.end();
    await models.close();
  }
  const embedded = progress.tell();
  if (models.truncated > 0)
    output.warn(`${models.truncated} texts were longer than the model’s input, and were cut`);
  return embedded;
}

/**
 * Returns the number of items that each space was fitted on, for the given spaces and those that
 * the store records.
 */
export async function fitStore(
  store: Store,
  asked: readonly FittedRecord[],
  { output, signal }: CommandContext,
): Promise<Record<string, number>> {
  const fitted: Record<string, number> = {};
  const spaces = mergedFitted(store.manifest.fitted ?? [], asked).map(({ space }) => space);
  if (spaces.length > 0) output.detail(`Fitting ${spaces.join(', ')}`);
  let began = monotonicClock();
  await store.fit(asked, freeCall(signal), (unit, space, items) => {
    const now = monotonicClock();
    fitted[space] = (fitted[space] ?? 0) + items;
    output.note(
      `${space} fitted on ${items.toLocaleString('en')} ${unit}s in ${duration(now - began)}`,
    );
    began = now;
  });
  return fitted;
}

/** Returns the command that gives a space vectors of a unit. */
export const embedCommand = (folder: string, space: string, unit: Unit): string =>
  `multihop ingest --store ${folder} --embedder ${nameInShell(space)} --unit ${unit}`;

const nameInShell = (name: string): string => (/^[\w.:/@-]+$/.test(name) ? name : `"${name}"`);
