/** A chain of four documents from a question to the last, and two that share words with it. */
import type { Document } from '../src/core/corpus/document.ts';
import { defined } from '../src/core/defined.ts';
import type { Trace } from '../src/core/trace/trace.ts';
import type { EntityRecogniser } from '../src/models/entity-recogniser.ts';
import type { AskOptions } from '../src/run/ask.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { traceOf } from '../src/testing/strategy-run.ts';

export const PAINTER: string = 'Where was the painter of Vell born?';
const documents: readonly Document[] = Object.entries({
  Vell: 'Vell was painted by Oda Marsh in spring.',
  'Oda Marsh': 'Oda Marsh was born in Port Grell.',
  'Port Grell': 'Port Grell lies on the Orr.',
  Orr: 'Orr freezes.',
  Harbours: 'The singer of songs was born in a harbour town.',
  Boats: 'A painter was born every day.',
}).map(([title, text]) => ({
  id: title,
  title,
  text,
  metadata: { kind: title === 'Orr' ? 'river' : 'other' },
}));

export function askPainter(
  strategy: string,
  { recogniser, ...more }: Partial<AskOptions> & { readonly recogniser?: EntityRecogniser } = {},
  question: string = PAINTER,
): Promise<Trace> {
  const engine = new EmbeddedEngine(defined({ documents, recogniser }));
  return traceOf(question, { engine, strategy, retriever: 'lexical', ...more });
}
