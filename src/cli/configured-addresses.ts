/**
 * Lets a configuration have no address called without the user's consent: the file may come with a
 * folder that somebody else wrote, and texts of documents and questions are sent to addresses.
 * Defaults of the program (Ollama on this machine, the hosts of Cohere and Jina) and addresses of
 * the environment are no addresses of a configuration.
 */
import { InputError } from '../core/errors.ts';
import { originOf } from '../providers/environment-key.ts';
import { recordedAddress } from '../providers/recorded-address.ts';
import { otherNodes } from '../stores/servers/engine-address.ts';
import type { AddressConsent } from './address-consent.ts';
import { type Configured, isPath } from './configuration.ts';
import type { Option, OptionValues } from './option.ts';

interface ConfiguredAddress {
  readonly option: string;
  readonly address: string;
  readonly origins: readonly string[];
}

/**
 * Throws `InputError('configured-address')` for a value of the file that is in use, that is an
 * address, and that the user has not allowed.
 */
export async function checkConfiguredAddresses(
  { path, values }: Configured,
  declared: readonly Option[],
  options: OptionValues,
  consent: AddressConsent,
): Promise<void> {
  const named = declared
    .filter(({ name }) => values.has(name) && options.isDefault(name))
    .flatMap(option => values.get(option.name)!.flatMap(text => addressOf(option, text)));
  const refused = named.filter(({ origins }) => consent.missing(path, origins).length > 0);
  const [first] = refused;
  if (!first) return;
  const origins = consent.missing(
    path,
    refused.flatMap(one => one.origins),
  );
  const sets = refused.map(({ option, address }) => `${option} to ${address}`).join(' and ');
  const what = `${path} sets ${sets}, where texts would be sent.`;
  if (!(await consent.ask(path, origins, what))) throw notAllowed(path, first, origins);
}

/**
 * Returns the address that a value is: any value but a path that names a host, and any URL of an
 * option for one. Values that no URL is are refused where they are used.
 */
export function addressOf(option: Option, text: string): ConfiguredAddress[] {
  if (isPath(option, text) || !URL.canParse(text)) return [];
  const url = new URL(text);
  if (url.host === '' && option.value !== 'URL' && option.value !== 'PLACE') return [];
  const scheme = url.protocol.slice(0, -1);
  const query = Object.fromEntries(url.searchParams);
  const nodes = scheme.startsWith('opensearch') ? otherNodes({ scheme, query }) : [];
  // The user may paste the address into a shell: it must not end the quotes.
  const address = recordedAddress(text).replaceAll("'", '%27');
  const origins = [originOf(url), ...nodes.map(node => `${scheme}://${hostOf(node)}`)];
  return [{ option: option.name, address, origins }];
}

/** Returns host and port as the client of the engine reads them, which has the ports of HTTP. */
function hostOf(node: string): string {
  if (!URL.canParse(node)) return node;
  const { hostname, port, protocol } = new URL(node);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

const notAllowed = (
  path: string,
  { option, address }: ConfiguredAddress,
  origins: readonly string[],
): InputError =>
  new InputError(
    'configured-address',
    `The configuration names "${address}" as ${option} in ${JSON.stringify(path)}, and only addresses that you allow are called`,
    {
      hint: `If you trust it, give it: --${option} '${address}', or list ${origins.join(' ')} in MULTIHOP_ALLOWED_ORIGINS, or run the command at a terminal, which asks and remembers.`,
    },
  );
