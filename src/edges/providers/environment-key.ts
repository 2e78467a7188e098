/**
 * Reads keys from the environment and decides where they may be sent. `MULTIHOP_API_KEY` is sent to
 * an address that the user gives, a provider's own variable to that provider's host. An address
 * that only a store's record names was chosen by the store's author: it receives a key only if it
 * is this machine or the key's own provider; otherwise the call is refused while a key is set that
 * would be sent.
 */
import { InputError } from '../../errors.ts';
import { recordedAddress } from './recorded-address.ts';
import { Secret } from './secret.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable of each provider, sent to that provider's host only. */
const OWN: Readonly<Record<string, string>> = {
  'api.openai.com': 'OPENAI_API_KEY',
  'api.cohere.com': 'COHERE_API_KEY',
  'api.jina.ai': 'JINA_API_KEY',
};

/**
 * Returns the key for an address that the user gave: `first` if set, else `MULTIHOP_API_KEY`, else
 * the variable of the host's provider. `first` serves setups where one server embeds and another
 * generates. Returns undefined if no key is to be sent.
 */
export function environmentKey(
  baseUrl: string,
  env: Environment,
  first?: 'MULTIHOP_MODEL_API_KEY',
): Secret | undefined {
  return secretOf((first && env[first]) || env.MULTIHOP_API_KEY || ownKey(parsed(baseUrl), env));
}

/**
 * Returns the key for an address that a store's record names. Throws
 * `InputError('recorded-address')` if `environmentKey` would send a key there and the address is
 * neither this machine nor the key's own provider.
 */
export function recordedKey(baseUrl: string, env: Environment): Secret | undefined {
  const url = parsed(baseUrl);
  if (!url) return undefined;
  const own = secretOf(ownKey(url, env));
  const key = own ?? environmentKey(baseUrl, env);
  if (key === undefined || key === own || isLoopback(url)) return key;
  // The store's author chose the address, and the user may paste it into a shell: it must not end
  // the quotes.
  const address = recordedAddress(baseUrl).replaceAll("'", '%27');
  throw new InputError(
    'recorded-address',
    `The store's record names "${address}", and keys are sent only to addresses that you give`,
    {
      hint: `If you trust it, repeat it as baseUrl: '${address}' to send the key there; or unset the key (MULTIHOP_API_KEY) to call it without one.`,
      remedy: { id: 'trust-address', name: address },
    },
  );
}

function ownKey(url: URL | undefined, env: Environment): string | undefined {
  if (url?.protocol !== 'https:' || !Object.hasOwn(OWN, url.hostname)) return undefined;
  return env[OWN[url.hostname]!];
}

/**
 * Checks for a loopback host; `URL` has normalised other spellings of IPv4 addresses (127.1,
 * 0x7f000001).
 */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** Returns the parsed URL; undefined if it is invalid, which the endpoint reports. */
function parsed(baseUrl: string): URL | undefined {
  return URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
}

function secretOf(key: string | undefined): Secret | undefined {
  const text = key?.trim();
  return text ? new Secret(text) : undefined;
}
