/** Loads what answers the Model Context Protocol at its first request. */
import type { Trace } from '../core/trace/trace.ts';
import type { McpFetch } from '../mcp/mcp-http.ts';
import type { AnsweringStore } from '../session/requests/answering-store.ts';
import type { Redact } from '../session/requests/redact.ts';

export interface McpMountOptions {
  readonly store: AnsweringStore;
  readonly log: (line: string) => void;
  readonly redact: Redact;
  /** Waits for a place among the runs of all clients. */
  readonly enter: (client: string, signal: AbortSignal) => Promise<() => void>;
  readonly onRun: (trace: Trace) => void;
}

export interface MountedRequest {
  readonly request: Request;
  /** Its JSON; undefined for a request without a body. */
  readonly body: unknown;
  readonly client: string;
}

export class McpMount {
  private readonly options: McpMountOptions;
  private loaded: Promise<McpFetch> | undefined;

  constructor(options: McpMountOptions) {
    this.options = options;
  }

  /** Throws `PortError('missing-package')` that says what to install. */
  async answer({ request, body, client }: MountedRequest): Promise<Response> {
    const { enter, onRun } = this.options;
    const answer = await (this.loaded ??= this.load());
    return answer({ request, body, onRun, admit: signal => enter(client, signal) });
  }

  private async load(): Promise<McpFetch> {
    const { store, log, redact } = this.options;
    const { mcpFetch } = await import('../mcp/mcp-http.ts');
    return mcpFetch({ store, log, redact });
  }
}
