/** Serves one client over stdin and stdout, until either side ends. */
import { Transform, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { parseJson } from '../core/text/bounded-json.ts';
import { terminalJson } from '../platform/terminal-json.ts';
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
    const transport = new this.stdio.StdioServerTransport(
      process.stdin.pipe(singleMessages()),
      this.stdout,
    );
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
    write: (chunk: string, encoding, done) => void write(terminalJson(chunk), encoding, done),
  });
  process.stdout.on('error', error => protocol.destroy(error));
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  return protocol;
}

/** UTF-16 units of a line, as many as the SDK reads. */
const MOST_LINE = 10 * 1024 * 1024;

/** Splits the batches of revisions before 2025-06-18; each message is answered by itself. */
function singleMessages(): Transform {
  const decoder = new StringDecoder();
  let open = '';
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      const text = decoder.write(chunk);
      const end = text.lastIndexOf('\n') + 1;
      const lines = end === 0 ? [] : (open + text.slice(0, end - 1)).split('\n');
      open = end === 0 ? open + text : text.slice(end);
      if (open.length > MOST_LINE) return done(new Error('A message is too long'));
      done(null, lines.map(line => `${messagesOf(line).join('\n')}\n`).join(''));
    },
    flush: done => done(null, open),
  });
}

function messagesOf(line: string): readonly string[] {
  if (!line.trimStart().startsWith('[')) return [line];
  try {
    return (parseJson(line) as unknown[]).map(message => JSON.stringify(message));
  } catch {
    return [line];
  }
}
