/** The option that names an engine on a server instead of a store, and what it leaves out. */
import { InputError } from '../core/errors.ts';
import type { CommandContext } from './command.ts';
import type { Option } from './option.ts';

export const ENGINE_OPTION: Option = {
  name: 'engine',
  value: 'URL',
  summary:
    'an engine on a server instead of the store: postgres://USER@HOST:PORT/DATABASE or opensearch://HOST:PORT/NAME',
};

/** For the help of commands that take `--engine`. */
export const ENGINE_NOTE =
  '--engine postgres://USER@HOST:PORT/DATABASE?schema=NAME takes the place of the store; a password comes from MULTIHOP_ENGINE_PASSWORD. It needs the package pg, and pgvector for --embedder. So does --engine opensearch://HOST:PORT/NAME?shards=1&replicas=0&nodes=HOST:PORT,..., with the package @opensearch-project/opensearch, and k-NN for --embedder; opensearchs: goes by TLS.';

/**
 * Returns the address of the engine. Throws `InputError` for flags, and for options with a value,
 * that only stores take.
 */
export function engineOf(
  { options }: Pick<CommandContext, 'options'>,
  storesOnly: readonly string[] = [],
  valuesOfStores: readonly string[] = [],
): string | undefined {
  const url = options.text('engine');
  if (url === undefined) return undefined;
  const other =
    storesOnly.find(name => options.flag(name)) ??
    valuesOfStores.find(name => options.text(name) !== undefined);
  if (other === undefined) return url;
  throw new InputError('bad-option', `The option --${other}`, {
    expected: 'a store: engines on servers know no files and keep no graph',
    received: '--engine',
  });
}
