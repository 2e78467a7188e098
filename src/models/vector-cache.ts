/**
 * The port of a cache of what models computed: vectors by space and key, so that nothing is
 * computed twice.
 */

export interface VectorCache {
  /** For each key its vector, or undefined. The vectors are the caller's. */
  get(space: string, keys: readonly string[]): Promise<(Float32Array | undefined)[]>;
  /** Returns once the vectors outlive this process. What is there already stays as it is. */
  put(
    space: string,
    entries: readonly (readonly [key: string, vector: Float32Array])[],
  ): Promise<void>;
}

/** The content hash of a text; 64 hexadecimal digits. */
export type ContentHash = (text: string) => string;
