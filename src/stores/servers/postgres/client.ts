/** Connects to PostgreSQL by the package `pg`; every failure is a typed error of the engine. */

import { defined } from '../../../core/defined.ts';
import { InputError, PortError } from '../../../core/errors.ts';
import type { Call } from '../../../core/trace/call.ts';
import { loadPackage } from '../../../platform/optional-package.ts';
import { type EngineAddress, engineAddress } from '../engine-address.ts';
import {
  busy,
  type EngineFault,
  engineTimeout,
  full,
  noEngine,
  readOnly,
  refused,
  snapshotLost,
  unauthorized,
  unreachable,
} from '../engine-errors.ts';
import { type RemoteEngineOptions, TIMEOUT_MS } from '../remote-engine.ts';

// biome-ignore lint/suspicious/noExplicitAny: the columns of a row follow from its statement
export type Row = any;

/** The used parts of the package `pg`, version 8. */
interface PgResult {
  readonly rows: Row[];
}
interface PgClient {
  query(text: string, values?: readonly unknown[]): Promise<PgResult | PgResult[]>;
  release(broken?: boolean): void;
  on(event: 'error', listener: (error: Error) => void): void;
  off(event: 'error', listener: (error: Error) => void): void;
  readonly processID?: number | null;
}
interface PgPool {
  connect(): Promise<PgClient>;
  query(text: string, values?: readonly unknown[]): Promise<PgResult>;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): void;
  readonly totalCount: number;
}
interface PgLibrary {
  readonly Pool: new (config: object) => PgPool;
}

/** Connections of one engine: a question holds one, of the 100 that a server has by default. */
const CONNECTIONS = 16;
/** Time in which the server's own timeout may report before the connection counts as dead. */
const GRACE_MS = 1000;

const SCHEMA = /^[a-z_][a-z0-9_]{0,40}$/;

export class Client {
  readonly address: EngineAddress;
  readonly schema: string;
  readonly timeoutMs: number;
  roundTrips = 0;
  private readonly pool: PgPool;
  private readonly connections: number;
  private readonly held = new Set<Session>();
  private ended: Promise<void> | undefined;

  private constructor(library: PgLibrary, address: EngineAddress, timeoutMs: number) {
    this.address = address;
    this.timeoutMs = timeoutMs;
    const { schema = 'multihop', pool = CONNECTIONS, sslmode = 'disable' } = address.query;
    this.schema = schema;
    this.connections = Number(pool);
    if (!SCHEMA.test(schema) || !(Number.isInteger(this.connections) && this.connections > 0))
      throw new InputError('bad-engine', 'The address of the engine', {
        expected: '?schema=NAME of small letters, digits and _, and ?pool=CONNECTIONS',
        received: `schema=${schema}, pool=${pool}`,
      });
    this.pool = new library.Pool(
      defined({
        host: address.host,
        database: address.name,
        max: this.connections,
        port: address.port,
        user: address.user,
        password: address.password ? address.password.reveal() : undefined,
        ssl: sslmode === 'disable' ? false : { rejectUnauthorized: sslmode !== 'no-verify' },
        connectionTimeoutMillis: timeoutMs,
        statement_timeout: timeoutMs,
        // Compiling a statement takes longer than most of these run; the memory holds the postings
        // of a long query to be sorted.
        options: `-c search_path=${schema},public -c jit=off -c work_mem=16MB`,
        application_name: 'multihop',
        allowExitOnIdle: true,
      }),
    );
    // An idle connection that breaks is replaced by the pool.
    this.pool.on('error', () => {});
  }

  static async open(url: string, options: RemoteEngineOptions): Promise<Client> {
    const address = engineAddress(url, options.env);
    const library = await loadPackage(
      'engine',
      { name: 'pg', user: `Engines on PostgreSQL` },
      options.load,
    );
    const { default: namespaced } = library as { readonly default?: PgLibrary };
    return new Client(
      namespaced ?? (library as PgLibrary),
      address,
      options.timeoutMs ?? TIMEOUT_MS,
    );
  }

  /** Takes a connection; the caller ends it. */
  async session(): Promise<Session> {
    let client: PgClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      throw this.pool.totalCount >= this.connections
        ? busy(this.address, `${this.connections} questions and writes under way`)
        : this.failure(error);
    }
    const session = new Session(this, client, () => this.held.delete(session));
    this.held.add(session);
    return session;
  }

  /** Works on one connection, which is given back afterwards. */
  async with<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.session();
    try {
      return await work(session);
    } finally {
      session.end();
    }
  }

  /** Ends the statement of another connection. */
  cancel(process: number | null | undefined): void {
    if (process) this.pool.query('SELECT pg_cancel_backend($1)', [process]).catch(() => {});
  }

  close(): Promise<void> {
    this.ended ??= this.closeAll();
    return this.ended;
  }

  private async closeAll(): Promise<void> {
    for (const session of [...this.held]) session.end(true);
    await this.pool.end();
  }

  /** Returns the typed error of a failure of the server or the connection. */
  failure(error: unknown): unknown {
    if (PortError.is(error) || InputError.is(error)) return error;
    const { address, timeoutMs } = this;
    const { code = '', message = String(error) } = error as { code?: string; message?: string };
    if (code === '57014') return engineTimeout(address, `an answer within ${timeoutMs} ms`);
    if (/timeout expired|timeout exceeded/.test(message))
      return engineTimeout(address, `a connection within ${timeoutMs} ms`);
    return faultOf(code, message)(address, message);
  }
}

/** Faults by the beginning of SQLSTATE codes (PostgreSQL, appendix A), the longest first. */
const FAULTS: readonly (readonly [begins: string, fault: EngineFault])[] = [
  ['28', unauthorized],
  ['42501', unauthorized],
  ['3D000', noEngine],
  ['3F000', noEngine],
  ['42P01', noEngine],
  ['25006', readOnly],
  ['25P02', snapshotLost],
  ['53100', full],
  ['53', busy],
  ['55P03', busy],
  ['40', busy],
  ['57P', unreachable],
  ['08', unreachable],
  ['E', unreachable],
];

function faultOf(code: string, message: string): EngineFault {
  const known = FAULTS.find(([begins]) => code.startsWith(begins));
  if (known) return known[1];
  return /Connection terminated|connection (?:closed|ended)|not queryable/i.test(message)
    ? unreachable
    : refused;
}

/** One connection: statements one after the other. */
export class Session {
  roundTrips = 0;
  private readonly owner: Client;
  private readonly client: PgClient;
  private readonly onEnd: () => void;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private broken: Error | undefined;
  private isOver = false;

  constructor(owner: Client, client: PgClient, onEnd: () => void) {
    this.owner = owner;
    this.client = client;
    this.onEnd = onEnd;
    client.on('error', this.lost);
  }

  private readonly lost = (error: Error): void => {
    this.broken ??= error;
  };

  /** Returns the rows of a statement. Throws typed errors, or the reason of an abort at once. */
  async rows(text: string, values: readonly unknown[], call?: Call): Promise<Row[]> {
    return (await this.results(text, values, call))[0]!.rows;
  }

  /** Returns the results of statements without values, which take one round trip together. */
  async results(text: string, values?: readonly unknown[], call?: Call): Promise<PgResult[]> {
    call?.signal.throwIfAborted();
    const sent = this.last.then(() => this.send(text, values));
    this.last = sent.catch(() => {});
    return call ? orAborted(call.signal, sent) : sent;
  }

  private async send(text: string, values: readonly unknown[] | undefined): Promise<PgResult[]> {
    if (this.isOver) throw snapshotLost(this.owner.address, 'the snapshot is released');
    if (this.broken) throw this.owner.failure(this.broken);
    this.roundTrips++;
    this.owner.roundTrips++;
    this.waiting++;
    let timer: NodeJS.Timeout | undefined;
    const silent = new Promise<never>((_, reject) => {
      const ms = this.owner.timeoutMs;
      timer = setTimeout(() => {
        this.broken = engineTimeout(this.owner.address, `an answer within ${ms} ms`);
        reject(this.broken);
      }, ms + GRACE_MS);
    });
    const asked = this.client.query(text, values);
    asked.catch(() => {});
    try {
      const result = await Promise.race([asked, silent]);
      return Array.isArray(result) ? result : [result];
    } catch (error) {
      throw this.owner.failure(error);
    } finally {
      clearTimeout(timer);
      this.waiting--;
    }
  }

  /** Ends the statement under way, and with it the transaction. */
  abandon(): void {
    if (this.waiting > 0) this.owner.cancel(this.client.processID);
    this.end(true);
  }

  /** Gives the connection back; closes it if it is broken, or busy with a statement. */
  end(broken = false): void {
    if (this.isOver) return;
    this.isOver = true;
    this.client.off('error', this.lost);
    // The pool hears of errors of connections that it has.
    if (broken || this.broken || this.waiting > 0) this.client.on('error', () => {});
    this.client.release(broken || this.broken !== undefined || this.waiting > 0);
    this.onEnd();
  }

  /** True while a statement is under way. */
  get isBusy(): boolean {
    return this.waiting > 0;
  }
}

/** Rejects at an abort, although the server goes on within its time limit. */
async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop!);
  }
}
