/**
 * The address of a model server as a store records it: without user, password, fragment and secret
 * parameters.
 */

/**
 * Of a parameter's name: `api-key`, `access_token`, `X-Amz-Signature`; `code` is how Azure
 * Functions call theirs.
 */
const SECRET = /key|token|secret|sig|pass|pwd|auth|cred|session|jwt|^code$/i;

/**
 * What tells the server apart stays (`?api-version=...` of Azure), letter by letter. A parameter
 * without a value is dropped too: it may be a key that stands alone. Throws as `URL` does.
 */
export function recordedAddress(address: string): string {
  const { origin, pathname, search } = new URL(address);
  const kept = search
    .slice(1)
    .split('&')
    .filter(parameter => !isSecret(parameter));
  return `${origin}${pathname}${kept.length > 0 ? `?${kept.join('&')}` : ''}`;
}

/** Some servers read `;` as `&`. */
function isSecret(parameter: string): boolean {
  const read = [...new URLSearchParams(parameter.replaceAll(';', '&'))];
  return read.length === 0 || read.some(([name, value]) => value === '' || SECRET.test(name));
}
