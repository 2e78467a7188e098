/** Serves one client over stdin and stdout, until either side ends. */
import { Writable } from 'node:stream';
import { Admission, type AdmissionOptions } from '../session/requests/admission.ts';
import type { AnsweringStore } from '../session/requests/answering-store.ts';
import { McpServers } from './mcp-server.ts';
import { loadMcpSdk, loadMcpStdio, type McpStdio } from './sdk.ts';

export interface StdioOptions extends AdmissionOptions {
  /** Ends the connection. */
  readonly signal: AbortSignal;
  readonly mostResult?: number;
  /** Receives messages about broken input, and stacks of bugs. */
  readonly log?: (line: string) => void;
}

/**
 * Takes stdout for the protocol, from here to the end of the process. Throws
 * `PortError('missing-package')`.
 */
export async function openStdio(): Promise<StdioConnection> {
  const stdout = protocolAlone();
  return new StdioConnection(new McpServers(await loadMcpSdk()), await loadMcpStdio(), stdout);
}

class StdioConnection {
  private readonly servers: McpServers;
  private readonly stdio: McpStdio;
  private readonly stdout: Writable;

  constructor(servers: McpServers, stdio: McpStdio, stdout: Writable) {
    this.servers = servers;
    this.stdio = stdio;
    this.stdout = stdout;
  }

  /** Returns once the client has closed stdin, or the signal has fired. */
  async serve(store: AnsweringStore, options: StdioOptions): Promise<void> {
    const { signal, log } = options;
    const transport = new this.stdio.StdioServerTransport(process.stdin, this.stdout);
    const admission = new Admission(options);
    const admit = (call: AbortSignal): Promise<() => void> => admission.enter('stdio', call);
    const { mostResult } = options;
    const server = { store, admit, redact: store.redact, mostResult, log };
    const handle = this.stdio.serveStdio(() => this.servers.server(server), {
      transport,
      maxSubscriptions: 0,
      onerror: error => log?.(error.message),
    });
    const { onclose } = transport;
    await new Promise<void>(resolve => {
      transport.onclose = () => {
        onclose?.();
        resolve();
      };
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await handle.close();
    await new Promise<void>(resolve => this.stdout.end(() => resolve()));
  }
}

/**
 * Returns stdout for the protocol alone: whatever else of this process writes to it, such as the
 * log of a library, goes to stderr.
 */
function protocolAlone(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  const protocol = new Writable({
    decodeStrings: false,
    write: (chunk: string, encoding, done) => void write(chunk, encoding, done),
  });
  process.stdout.on('error', error => protocol.destroy(error));
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  return protocol;
}
