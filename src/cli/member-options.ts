/** The options that choose the members of a run: its retriever, context and reader. */
import { DEFAULTS, usualReader } from '../run/ask.ts';
import type { Option } from './command.ts';

/** `more`: words about the strategy that only the command knows. */
export const memberOptions = (more: string): readonly Option[] => [
  {
    name: 'strategy',
    value: 'NAME',
    default: DEFAULTS.strategy,
    summary: `strategy, which decides what to search; ${more}`,
  },
  {
    name: 'retriever',
    value: 'NAME',
    default: DEFAULTS.retriever,
    summary: 'retriever of each search; see multihop list retrievers',
  },
  {
    name: 'context',
    value: 'NAME',
    default: DEFAULTS.context,
    summary: 'part of each document that the reader gets; see multihop list contexts',
  },
  {
    name: 'reader',
    value: 'NAME',
    default: `${DEFAULTS.reader}, or ${usualReader(true)} with a model`,
    summary: 'reader of the evidence; see multihop list readers',
  },
];
