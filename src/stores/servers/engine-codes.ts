/** Exit codes of the errors of engines, apart from what makes them: every command loads them. */

/**
 * Exit codes of the command line by error code: 4 cannot be opened, 5 full or not writable, 6
 * another version or embedder, as for stores.
 */
export const ENGINE_CODES: Readonly<Record<string, 4 | 5 | 6>> = {
  unreachable: 4,
  unauthorized: 4,
  'no-engine': 4,
  'engine-busy': 4,
  'engine-full': 5,
  'engine-read-only': 5,
  'other-engine-version': 6,
  'other-embedder': 6,
};
