/**
 * Has texts sent to no address that only a file names without the user's consent: a configuration
 * or the record of a store may come with a folder that somebody else wrote. Addresses that
 * `MODEL_SERVERS` knows and addresses of the environment are no addresses of a file.
 */
import { join } from 'node:path';
import { InputError } from '../core/errors.ts';
import { originOf } from '../providers/environment-key.ts';
import { recordedAddress } from '../providers/recorded-address.ts';
import { isServerAddress, otherNodes } from '../stores/servers/engine-address.ts';
import type { Command, CommandContext } from './command.ts';
import { type Configured, isPath } from './configuration.ts';
import type { Consent } from './consent.ts';
import type { Option, OptionValues } from './option.ts';

interface Address {
  readonly option: string;
  readonly address: string;
  readonly origins: readonly string[];
}

/**
 * Throws `InputError('configured-address')` for values of a configuration that are in use, that are
 * addresses, and that the user does not allow.
 */
export async function checkAddresses(
  { path, values }: Configured,
  declared: readonly Option[],
  options: OptionValues,
  consent: Consent,
): Promise<void> {
  const addressed = declared
    .filter(({ name }) => values.has(name) && options.isDefault(name))
    .flatMap(option => values.get(option.name)!.flatMap(text => addressOf(option, text)));
  const sets = addressed.map(({ option, address }) => `${option} to ${address}`).join(' and ');
  const origins = addressed.flatMap(field => field.origins);
  const refused = await consent.refused(path, origins, `${path} sets ${sets}`);
  const first = addressed.find(field => field.origins.some(origin => refused.includes(origin)));
  if (!first) return;
  const { option, address } = first;
  throw new InputError(
    'configured-address',
    `The configuration names "${address}" as ${option} in ${JSON.stringify(path)}, and only addresses that you allow are called`,
    {
      hint: `If you trust it, pass --${option} '${address}', or list ${refused.join(' ')} in MULTIHOP_ALLOWED_ORIGINS, or run the command at a terminal, which asks and remembers.`,
    },
  );
}

function addressOf(option: Option, text: string): Address[] {
  const origins = originsOf(option, text);
  if (origins.length === 0) return [];
  // The user may paste the address into a shell: it must not end the quotes.
  return [{ option: option.name, address: recordedAddress(text).replaceAll("'", '%27'), origins }];
}

/**
 * Returns the origins that a value leads to: any value but a path that names a host, and any URL of
 * an option for one. Values that no URL is are refused where they are used.
 */
export function originsOf(option: Option, text: string): string[] {
  if (isPath(option, text) || !URL.canParse(text)) return [];
  const url = new URL(text);
  if (url.host === '' && option.value !== 'URL' && option.value !== 'PLACE') return [];
  const scheme = url.protocol.slice(0, -1);
  const query = Object.fromEntries(url.searchParams);
  const nodes = scheme.startsWith('opensearch') ? otherNodes({ scheme, query }) : [];
  return [originOf(url), ...nodes.map(node => `${scheme}://${hostOf(node)}`)];
}

/** Returns host and port as the client of the engine reads them, which has the ports of HTTP. */
function hostOf(node: string): string {
  if (!URL.canParse(node)) return node;
  const { hostname, port, protocol } = new URL(node);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/**
 * Runs a command with the addresses that the user allows the record of its store to name, and
 * returns its exit code. A command is refused an address before it has done anything, so that it
 * runs again after a yes.
 */
export async function runWithConsent(
  { run }: Command,
  context: CommandContext,
  consent: Consent,
): Promise<number> {
  const store = context.options.text('store');
  if (store === undefined || isServerAddress(store)) return run(context);
  const record = join(store, 'store.json');
  const attempt = (): Promise<number> =>
    run({
      ...context,
      env: consent.environment(record),
      startedAt: context.startedAt + consent.waitedMs,
    });
  try {
    return await attempt();
  } catch (error) {
    const remedy = InputError.is(error) ? error.remedy : undefined;
    if (remedy?.id !== 'trust-address' || remedy.name === undefined) throw error;
    const what = `${record} names ${remedy.name} as the address of its embedder`;
    const origin = originOf(new URL(remedy.name));
    if ((await consent.refused(record, [origin], what)).length > 0) throw error;
    return attempt();
  }
}
