/**
 * Returns the address of a model server as a store records it: without user, password, fragment and
 * secret parameters.
 */

/**
 * Matches names of secret parameters: `api-key`, `access_token`, `X-Amz-Signature`; `code` is the
 * key of Azure Functions.
 */
const SECRET = /key|token|secret|sig|pass|pwd|auth|cred|session|jwt|^code$/i;

/**
 * Returns the address with its other parameters unchanged (`?api-version=...` of Azure). A
 * parameter without a value is dropped too: it may be a bare key. Throws as `URL` does.
 */
export function recordedAddress(address: string): string {
  const { protocol, host, pathname, search } = new URL(address);
  const kept = search
    .slice(1)
    .split('&')
    .filter(parameter => !isSecret(parameter));
  return `${protocol}//${host}${pathname}${kept.length > 0 ? `?${kept.join('&')}` : ''}`;
}

/** Returns whether any part is secret; some servers read `;` as `&`. */
function isSecret(parameter: string): boolean {
  const read = [...new URLSearchParams(parameter.replaceAll(';', '&'))];
  return read.length === 0 || read.some(([name, value]) => value === '' || SECRET.test(name));
}

/** Shorter values are found in any text. */
const SHORTEST = 6;

/** Returns the values of the secret parameters of an address. */
export const secretValues = ({ search }: URL): string[] =>
  search
    .slice(1)
    .split(/[&;]/)
    .filter(parameter => parameter !== '' && isSecret(parameter))
    .flatMap(parameter => [...new URLSearchParams(parameter)])
    .map(([name, value]) => value || name)
    .filter(value => value.length >= SHORTEST);
