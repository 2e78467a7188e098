/** Addresses of resources: `multihop://document/ID` and `multihop://trace/ID`. */
import { InputError } from '../core/errors.ts';

export interface ResourceAddress {
  readonly kind: 'document' | 'trace';
  readonly id: string;
  /** UTF-16 units of its text. */
  readonly offset?: number;
  readonly limit?: number;
}

export const uriOf = (kind: ResourceAddress['kind'], id: string): string =>
  `multihop://${kind}/${encodeURIComponent(id.toWellFormed())}`;

const ADDRESS = /^multihop:\/\/(document|trace)\/([^/?#]+)(?:\?([^#]*))?$/;

/** Throws `InputError('bad-request')`. */
export function resourceAt(uri: string): ResourceAddress {
  const [, kind, encoded, query = ''] = ADDRESS.exec(uri) ?? [];
  const id = encoded === undefined ? undefined : decoded(encoded);
  if (kind === undefined || id === undefined) throw badAddress(uri);
  const numbers: Record<string, number> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const least = name === 'offset' ? 0 : 1;
    const isKnown = name === 'offset' || name === 'limit';
    if (!isKnown || !/^\d{1,15}$/.test(value) || Number(value) < least) throw badAddress(uri);
    numbers[name] = Number(value);
  }
  return { kind: kind as ResourceAddress['kind'], id, ...numbers };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const badAddress = (uri: string): InputError =>
  new InputError('bad-request', 'The address of the resource', {
    expected: 'multihop://document/ID or multihop://trace/ID, with ?offset=N&limit=N for a part',
    received: `"${uri.slice(0, 200)}"`,
  });
