// biome-ignore-all lint/suspicious/noControlCharactersInRegex: finds control characters
/** Makes JSON harmless for terminals, which act on some of the characters that JSON may hold. */

/**
 * Control characters of both sets, line and paragraph separators, embeddings, overrides and
 * isolates. Marks of direction, which Hebrew and Arabic need, move nothing but their neighbours.
 */
export const UNSAFE: RegExp =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Returns JSON in which nothing but line ends stands as it is of what terminals act on. */
export const terminalJson = (json: string): string =>
  json.replace(UNSAFE, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
