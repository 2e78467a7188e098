/** Opens a value once for all calls that request it at the same time. */
import type { Call } from '../../core/trace/call.ts';

export class Openings<T extends object> {
  private readonly underWay = new Map<string, Promise<T>>();

  /**
   * Waits for the opening of a key that another call began, else begins it. One that fails is begun
   * anew by each call that waits for it: the abort of the first call is none of the others.
   */
  async open(key: string, call: Call, begin: () => Promise<T>): Promise<T> {
    for (;;) {
      call.signal.throwIfAborted();
      const other = this.underWay.get(key);
      const opened = await (other ? other.catch(() => undefined) : this.begun(key, begin));
      if (opened) return opened;
    }
  }

  private async begun(key: string, begin: () => Promise<T>): Promise<T> {
    const opening = begin();
    this.underWay.set(key, opening);
    try {
      return await opening;
    } finally {
      this.underWay.delete(key);
    }
  }
}
