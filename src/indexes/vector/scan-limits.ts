/** How much a scan takes at once. */

/** Rows that are multiplied with all queries before the next are: with 384 dimensions they fit in the second-level cache. */
export const BLOCK_ROWS = 256;
/** Queries that are in the memory at once: each row is fetched from main memory once for so many. */
export const MOST_QUERIES = 64;
/** Filters beside a search of everything that can be answered in its passes. */
export const MOST_RIDERS = 64;
