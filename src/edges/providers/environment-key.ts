/**
 * Keys come from the environment, and only go where they belong. `MULTIHOP_API_KEY` goes to the
 * address that the user names, a provider's own variable to that provider's host. An address that
 * only a store's record names was chosen by whoever made the store: it gets a key when it is this
 * machine or the key's own provider, and otherwise nothing is asked while there is a key that would
 * be sent.
 */
import { InputError } from '../../errors.ts';
import { recordedAddress } from './recorded-address.ts';
import { Secret } from './secret.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A provider's own variable is sent to that provider's host alone. */
const OWN: Readonly<Record<string, string>> = {
  'api.openai.com': 'OPENAI_API_KEY',
  'api.cohere.com': 'COHERE_API_KEY',
  'api.jina.ai': 'JINA_API_KEY',
};

/**
 * For an address that the user names: `MULTIHOP_API_KEY`, else the variable of the host's provider;
 * before them a variable for this kind of model alone, for where one server embeds and another one
 * speaks. Undefined: no key is sent.
 */
export function environmentKey(
  baseUrl: string,
  env: Environment,
  first?: 'MULTIHOP_MODEL_API_KEY',
): Secret | undefined {
  return secretOf((first && env[first]) || env.MULTIHOP_API_KEY || ownKey(parsed(baseUrl), env));
}

/**
 * For an address that a store's record names. Throws `InputError('recorded-address')` where a key
 * is in the environment that `environmentKey` would send there, and the address is neither this
 * machine nor the key's own provider.
 */
export function recordedKey(baseUrl: string, env: Environment): Secret | undefined {
  const url = parsed(baseUrl);
  if (!url) return undefined;
  const own = secretOf(ownKey(url, env));
  const key = own ?? environmentKey(baseUrl, env);
  if (key === undefined || key === own || isLoopback(url)) return key;
  // Whoever made the store wrote it, and the user may paste it into a shell: no quote may end
  // there.
  const address = recordedAddress(baseUrl).replaceAll("'", '%27');
  throw new InputError(
    'recorded-address',
    `The store's record names "${address}", and no key is sent to an address that you did not name`,
    {
      hint: `If you trust it, repeat it as --base-url '${address}' to send the key there; or unset the key (MULTIHOP_API_KEY) to ask without one.`,
    },
  );
}

function ownKey(url: URL | undefined, env: Environment): string | undefined {
  if (url?.protocol !== 'https:' || !Object.hasOwn(OWN, url.hostname)) return undefined;
  return env[OWN[url.hostname]!];
}

/** `URL` has brought other spellings of an IPv4 address (127.1, 0x7f000001) into this form. */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** Of what is no address the endpoint says what is wrong. */
function parsed(baseUrl: string): URL | undefined {
  return URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
}

function secretOf(key: string | undefined): Secret | undefined {
  const text = key?.trim();
  return text ? new Secret(text) : undefined;
}
