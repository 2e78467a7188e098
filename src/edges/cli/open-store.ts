/** Opens the store that `--store` names, with its warnings on stderr. */
import { Store } from '../storage/store.ts';
import type { CommandContext } from './command.ts';

export async function openStore({ options, output }: CommandContext, more: { create?: boolean; chunker?: string } = {}): Promise<Store> {
  const store = await Store.open(options.required('store'), { ...more, onWarning: ({ message }) => output.warn(message) });
  return store;
}
