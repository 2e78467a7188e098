/** Declares the port of caches of computed vectors, by space and key. */

export interface VectorCache {
  /** Returns the vector of each key, or undefined. The vectors belong to the caller. */
  get(space: string, keys: readonly string[]): Promise<(Float32Array | undefined)[]>;
  /** Resolves once the vectors are durable. Existing vectors are not replaced. */
  put(
    space: string,
    entries: readonly (readonly [key: string, vector: Float32Array])[],
  ): Promise<void>;
}

/** Returns the content hash of a text; 64 hexadecimal digits. */
export type ContentHash = (text: string) => string;
