/**
 * Lets a client of the revisions before 2026-07-28 cancel a call by another request: the session,
 * which the server names at `initialize`, and the id of the call find it. Nothing else is kept of a
 * session.
 */
import { randomUUID } from 'node:crypto';

export const SESSION_HEADER = 'mcp-session-id';
export const newSession = (): string => randomUUID();

/** A call that goes. */
export interface RunningCall {
  readonly signal: AbortSignal;
  end(): void;
}

export class RunningCalls {
  private readonly calls = new Map<string, AbortController>();

  begin(session: string, id: string | number): RunningCall {
    const key = keyOf(session, id);
    const cancelled = new AbortController();
    this.calls.set(key, cancelled);
    const end = (): void => {
      if (this.calls.get(key) === cancelled) this.calls.delete(key);
    };
    return { signal: cancelled.signal, end };
  }

  /** Aborts the call that a notification names, if it still goes. */
  hear(session: string, message: unknown): void {
    const { method, params } = message as { method?: unknown; params?: { requestId?: unknown } };
    if (method !== 'notifications/cancelled') return;
    this.calls
      .get(keyOf(session, params?.requestId))
      ?.abort(new DOMException('The client cancelled the call', 'AbortError'));
  }

  /** Number of calls that go. */
  get size(): number {
    return this.calls.size;
  }
}

const keyOf = (session: string, id: unknown): string => JSON.stringify([session, id]);
