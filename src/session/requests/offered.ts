/** Names what a server can be asked for, and what it does unless told otherwise. */
import { contexts } from '../../context/contexts.ts';
import { readers } from '../../readers/readers.ts';
import { DEFAULTS } from '../../run/ask.ts';
import { retrievers } from '../../search/retrievers.ts';
import { strategies } from '../../strategies/strategies.ts';

const names = ({ members }: { readonly members: readonly { readonly name: string }[] }): string[] =>
  members.map(({ name }) => name);
const { strategy, retriever, context, reader, answerAt } = DEFAULTS;

export interface Offered {
  readonly strategies: readonly string[];
  readonly retrievers: readonly string[];
  readonly readers: readonly string[];
  readonly contexts: readonly string[];
  readonly defaults: Pick<
    typeof DEFAULTS,
    'strategy' | 'retriever' | 'context' | 'reader' | 'answerAt'
  >;
}

export const OFFERED: Offered = {
  strategies: names(strategies),
  retrievers: names(retrievers),
  readers: names(readers),
  contexts: names(contexts),
  defaults: { strategy, retriever, context, reader, answerAt },
};
