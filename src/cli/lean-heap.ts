/**
 * Keeps the heap of a command small that reads much and keeps little. V8 lets the young generation
 * grow to 128 MB and the old one to several times what is in use before it collects: an ingest of
 * 3,600 documents then takes 590 MB instead of 360, for 5 % less CPU time.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** The young generation stops to grow at this size, in bytes. */
const YOUNG_BYTES = 16 << 20;
/** Growth of what is in use after which the old generation is collected again. */
const GROWTH = '--heap-growing-percent=50';
/** A factor of 1 ends all growth. */
const NO_GROWTH = '--semi-space-growth-factor=1';

export class LeanHeap {
  private bounded = false;

  constructor() {
    setFlag(GROWTH);
  }

  /** Called often while the command runs: the young generation grows by doubling. */
  check(): void {
    if (this.bounded) return;
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (young === undefined || young.space_size < YOUNG_BYTES) return;
    this.bounded = true;
    setFlag(NO_GROWTH);
  }
}

/** V8 reads both at each collection. Other engines than V8 refuse, and decide for themselves. */
function setFlag(flag: string): void {
  try {
    setFlagsFromString(flag);
  } catch {
    // Only memory depends on it.
  }
}
