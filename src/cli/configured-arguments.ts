/** Parses the words of a command, and gives options that they lack from the configuration. */
import { shownPlace } from '../stores/servers/engine-address.ts';
import type { Command } from './command.ts';
import { configured } from './configuration.ts';
import { checkedOutputs } from './configured-outputs.ts';
import type { Consent } from './consent.ts';
import { DEFAULT_STORE, storeFor } from './default-store.ts';
import { checkAddresses } from './named-addresses.ts';
import type { Output } from './output.ts';
import { type Arguments, parseArguments } from './parse-arguments.ts';
import type { Environment } from './style.ts';
import { homeOf } from './user-folder.ts';

export interface Parsing {
  /** The working folder. */
  readonly folder: string;
  readonly env: Environment;
  readonly output: Output;
  readonly consent: Consent;
}

/**
 * Parses the words after a command; configuration and default store give what they leave out.
 * Throws `InputError`: `bad-configuration`, `configured-address`, `configured-output`, and as
 * `parseArguments`.
 */
export async function parseConfigured(
  words: readonly string[],
  name: string,
  command: Command,
  parsing: Parsing,
): Promise<Arguments> {
  // Help explains options also where the configuration is wrong.
  if (words.some(word => /^(?:--help|-[a-z]*h[a-z]*)$/.test(word)))
    return parseArguments(words, command);
  const { folder, env, output, consent } = parsing;
  const onForeign = (path: string): void =>
    output.note(`Not read, since another user owns it: ${path}`);
  const file = await configured({ folder, home: homeOf(env), onForeign }, name, command.options);
  const defaults = new Map(file?.values);
  if (!defaults.has('store') && command.options.some(option => option.default === DEFAULT_STORE))
    defaults.set('store', [storeFor(folder)]);
  let read = parseArguments(words, command, defaults);
  if (file) {
    output.note(`settings from ${file.path}`);
    await checkAddresses(file, command.options, read.options, consent);
    const outputs = checkedOutputs(file, command.options, read.options);
    read = parseArguments(words, command, new Map([...defaults, ...outputs]));
  }
  const [standing] = defaults.get('store') ?? [];
  if (!output.json && standing !== undefined && read.options.text('store') === standing)
    output.note(`Store: ${shownPlace(standing)}`);
  return read;
}
