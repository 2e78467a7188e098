/** Warns of a language model that no member of a run asks. */
import { needOf } from '../core/port.ts';
import { languageModel } from '../models/ports.ts';
import type { Reader } from '../readers/reader.ts';
import type { Strategy } from '../strategies/strategy.ts';
import type { Output } from './output.ts';

export interface AskingMembers {
  readonly strategy: Strategy;
  readonly reader: Reader;
}

/**
 * Says what would ask the model, if nothing does. `rewrites`: follow-ups ask it, and nothing else.
 */
export function warnOfUnaskedModel(
  model: string | undefined,
  members: readonly AskingMembers[],
  output: Output,
  { rewrites = false }: { readonly rewrites?: boolean } = {},
): void {
  const asks = ({ strategy, reader }: AskingMembers): boolean =>
    [strategy, reader].some(member => needOf(member, languageModel));
  if (model === undefined || members.some(asks)) return;
  const names = new Set(members.flatMap(({ strategy, reader }) => [strategy.name, reader.name]));
  output.warn(
    `The model ${model} ${rewrites ? 'writes follow-ups alone' : 'is not asked'}: ${[...names].join(', ')} use none. Add --reader cascade.`,
  );
}
