/** Reads the address of a server and its credentials, which no message shows. */

import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { Secret } from '../../platform/secret.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface EngineAddress {
  readonly scheme: string;
  readonly host: string;
  /** Missing if the URL has none. */
  readonly port?: number;
  /** Name of the index or of the database: the path without its slash. */
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly password?: Secret;
  /** The address without credentials and query, in quotes, for messages. */
  readonly label: string;
}

/**
 * Tells the address of a server from the path of a folder: more than one letter before a colon is a
 * scheme; one is a drive.
 */
export const isServerAddress = (place: string): boolean => /^[a-z]{2,}:/i.test(place);

/** Returns the text of a place for messages, without credentials and query. */
export const shownPlace = (place: string): string =>
  isServerAddress(place) && URL.canParse(place) ? printed(new URL(place)) : place;

/** Returns the further nodes of `?nodes=HOST:PORT,...`, as addresses of HTTP. */
export function otherNodes({ scheme, query }: Pick<EngineAddress, 'scheme' | 'query'>): string[] {
  const names = (query['nodes'] ?? '').split(',').filter(node => node !== '');
  return names.map(node => `${scheme === 'opensearchs' ? 'https' : 'http'}://${node}`);
}

/**
 * Reads `SCHEME://USER:PASSWORD@HOST:PORT/NAME?KEY=VALUE`. `MULTIHOP_ENGINE_USER` and
 * `MULTIHOP_ENGINE_PASSWORD` stand in for the user part. Throws `InputError('bad-engine')`.
 */
export function engineAddress(text: string, env: Environment = process.env): EngineAddress {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  const name = decoded(url?.pathname.replace(/^\//, '') ?? '');
  if (!url || url.hostname === '' || name === undefined || name === '' || name.includes('/'))
    throw badEngine(url ? printed(url) : 'no URL');
  const user = decoded(url.username) || env['MULTIHOP_ENGINE_USER'];
  const password = decoded(url.password) || env['MULTIHOP_ENGINE_PASSWORD'];
  return defined({
    scheme: url.protocol.slice(0, -1),
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? undefined : Number(url.port),
    name,
    query: Object.fromEntries(url.searchParams),
    user,
    password: password ? new Secret(password) : undefined,
    label: `"${printed(url)}"`,
  });
}

const printed = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`;

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

export function badEngine(received: string): InputError {
  return new InputError('bad-engine', 'The address of the engine', {
    expected: 'opensearch://HOST:PORT/NAME, opensearchs://... or postgres://HOST:PORT/DATABASE',
    received,
  });
}

/** Removes the credentials of an address from a message of its server or library. */
export const withoutCredentials = ({ password }: EngineAddress, text: string): string =>
  password ? password.redact(text) : text;
