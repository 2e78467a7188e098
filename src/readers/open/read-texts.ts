/** Reads an open question over passages of invented sentences, for tests of its parts. */
import { Asked } from '../../language/asked.ts';
import { readOpen } from './passages.ts';
import type { OpenReading } from './reading.ts';

export type Texts = readonly (readonly [title: string, ...sentences: string[]])[];

export const readTexts = (question: string, passages: Texts): OpenReading =>
  readOpen(
    new Asked(question),
    passages.map(([title]) => title),
    passages.flatMap(([, ...texts], part) => texts.map(text => ({ part, text }))),
  );
