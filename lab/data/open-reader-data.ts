/**
 * Train questions as the open reader reads them: each asked once over its own paragraphs, or over
 * its gold paragraphs and the nearest others if its context is unknown.
 */

import { drain } from '../../src/core/steps.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import { ParagraphPool } from '../../src/documents/data-sets/paragraph-questions.ts';
import { lookupIn } from '../../src/models/resources.ts';
import { monotonicClock } from '../../src/platform/clock.ts';
import { INSUFFICIENT, type Reader } from '../../src/readers/reader.ts';
import { shownSentences } from '../../src/readers/shown-sentences.ts';
import { askEvents } from '../../src/run/ask.ts';
import { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import { retrievers } from '../../src/search/retrievers.ts';
import type { Snapshot } from '../../src/search/snapshot.ts';
import type { OpenSample } from '../learning/open-reader/open-training.ts';
import type { TrainingQuestion } from '../learning/training-question.ts';

/** Members of the run whose evidence is learnt from. */
export interface OpenRun {
  readonly strategy: string;
  readonly retriever: string;
  readonly context: string;
}

/** Paragraphs of a question, as in the distractor settings. */
const PARAGRAPHS = 10;

/** Words of a headline that stands in for a title. */
const HEADLINE_WORDS = 9;

/**
 * Yields the samples of the questions that have answers, in order. With `headlines` each document's
 * title is the first words of its text, since titles of most documents are no names.
 */
export async function* openSamples(
  questions: readonly TrainingQuestion[],
  run: OpenRun,
  signal: AbortSignal,
  headlines = false,
): AsyncGenerator<OpenSample, void, void> {
  const pool = new ParagraphPool();
  for (const { paragraphs } of questions) for (const each of paragraphs) pool.add(each);
  const documents = pool
    .documents()
    .map(each => (headlines ? { ...each, title: headlineOf(each.text) } : each));
  const titles = new Map(documents.map(({ id, title }) => [id, title]));
  const engine = new EmbeddedEngine({ documents }).current;
  for (const question of questions) {
    const ids = question.paragraphs.map(each => pool.id(each));
    const within = question.ownContext ? ids : await withNearest(ids, question.text, engine);
    const sample = await sampleOf(question, { within, titles, engine, run, signal });
    yield headlines ? { ...sample, headlines } : sample;
  }
}

const headlineOf = (text: string): string =>
  text.trim().split(/\s+/u).slice(0, HEADLINE_WORDS).join(' ');

/** Returns the own paragraphs and the nearest others by words. */
async function withNearest(
  ids: readonly string[],
  text: string,
  engine: Snapshot,
): Promise<string[]> {
  const retriever = retrievers.create('lexical(unit=document)').bind(engine, lookupIn({}));
  const [hits] = await retriever.retrieve([{ text }], PARAGRAPHS, freeCall());
  return [...new Set([...ids, ...hits!.map(({ documentId }) => documentId)])].slice(0, PARAGRAPHS);
}

interface Asking {
  readonly within: readonly string[];
  readonly titles: ReadonlyMap<string, string>;
  readonly engine: Snapshot;
  readonly run: OpenRun;
  readonly signal: AbortSignal;
}

async function sampleOf(
  { dataset, text, answers = [] }: TrainingQuestion,
  { within, titles, engine, run, signal }: Asking,
): Promise<OpenSample> {
  let read: Pick<OpenSample, 'titles' | 'sentences'> = { titles: [], sentences: [] };
  const reader: Reader = {
    name: 'open-reader',
    async read(_question, context, _evidence, kit, call) {
      read = {
        titles: context.parts.map(({ documentId }) => titles.get(documentId) ?? ''),
        sentences: (await shownSentences(context, kit.engine, call)).map(
          ({ part, text: sentence }) => ({
            part,
            text: sentence,
          }),
        ),
      };
      return { kind: 'abstained', reason: INSUFFICIENT };
    },
  };
  const filter = { op: 'in', field: 'id', values: within } as const;
  await drain(askEvents(text, { engine, ...run, reader, filter, signal }, monotonicClock));
  return { set: dataset, question: text, answers, ...read };
}
