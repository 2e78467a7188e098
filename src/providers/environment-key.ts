/**
 * Reads keys from the environment and decides where they may be sent. `MULTIHOP_API_KEY` is sent to
 * addresses that the user gives, or to the origin in `MULTIHOP_API_KEY_ORIGIN` alone; a provider's
 * own variable to that provider's host. An address that only a record names, of a store or of a
 * configuration, was chosen by whoever wrote it: `MULTIHOP_ALLOWED_ORIGINS` consents to it.
 */
import { InputError } from '../core/errors.ts';
import { Secret } from '../platform/secret.ts';
import { MODEL_SERVERS } from './model-servers.ts';
import { recordedAddress } from './recorded-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the key for an address that the user gave: the first of `first` that is set, else
 * `MULTIHOP_API_KEY`, else a variable of the host's provider. `first` serves setups where one
 * server embeds and another generates. Returns undefined if no key is to be sent. Throws
 * `InputError('bad-origins')` for a variable of origins that has none.
 */
export function environmentKey(
  baseUrl: string,
  env: Environment,
  first: string | readonly string[] = [],
): Secret | undefined {
  const url = parsed(baseUrl);
  const set = env.MULTIHOP_API_KEY_ORIGIN?.trim() ? originsIn(env, 'MULTIHOP_API_KEY_ORIGIN') : [];
  const general = set.length === 0 || (url && set.includes(originOf(url)));
  const chosen = [first].flat().map(name => env[name]?.trim());
  return secretOf(
    chosen.find(key => key) || (general && env.MULTIHOP_API_KEY) || ownKey(url, env) || undefined,
  );
}

/**
 * Returns the key for an address that a store's record names. Throws
 * `InputError('recorded-address')` unless the user allows its origin, whatever key there is: the
 * texts of queries would reach whoever wrote the record.
 */
export function recordedKey(baseUrl: string, env: Environment): Secret | undefined {
  if (!parsed(baseUrl) || isAllowedOrigin(baseUrl, env)) return environmentKey(baseUrl, env);
  // The user may paste the address into a shell: it must not end the quotes.
  const address = recordedAddress(baseUrl).replaceAll("'", '%27');
  throw new InputError(
    'recorded-address',
    `The store's record names "${address}", and only addresses that you give are called`,
    {
      hint: `If you trust it, repeat it as baseUrl: '${address}', or list its origin in MULTIHOP_ALLOWED_ORIGINS.`,
      remedy: { id: 'trust-address', name: address },
    },
  );
}

const isAllowedOrigin = (address: string, env: Environment): boolean =>
  allowedOrigins(env).includes(originOf(new URL(address)));

/** Returns the origins that the user lets records name. Throws `InputError('bad-origins')`. */
export const allowedOrigins = (env: Environment): readonly string[] =>
  originsIn(env, 'MULTIHOP_ALLOWED_ORIGINS');

/** Reads origins between blanks or commas. */
function originsIn(env: Environment, name: string): string[] {
  const texts = (env[name] ?? '').split(/[\s,]+/).filter(text => text !== '');
  return texts.map(text => {
    const url = parsed(text);
    if (url && url.host !== '') return originOf(url);
    throw new InputError('bad-origins', `Invalid ${name}`, {
      expected: 'origins such as http://localhost:11434, between blanks',
      received: `"${text.slice(0, 80)}"`,
    });
  });
}

/** Servers of engines have schemes whose origin `URL` calls "null". */
export const originOf = ({ protocol, host }: URL): string => `${protocol}//${host}`;

function ownKey(url: URL | undefined, env: Environment): string | undefined {
  if (url?.protocol !== 'https:') return undefined;
  const server = MODEL_SERVERS.find(({ key }) => key?.host === url.hostname);
  return server?.key?.variables.map(name => env[name]?.trim()).find(key => key);
}

/** Returns the parsed URL; undefined if it is invalid, which the endpoint reports. */
function parsed(baseUrl: string): URL | undefined {
  return URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
}

function secretOf(key: string | undefined): Secret | undefined {
  const text = key?.trim();
  return text ? new Secret(text) : undefined;
}
