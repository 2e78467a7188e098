/**
 * Ports of engines: named groups of methods. A port states its methods in one table, so that
 * wrappers (metering, guarding, fault injection) treat every port alike.
 *
 * Every method is asynchronous and takes a `Call` as its last argument.
 */
import type { Filter } from '../core/corpus/filter.ts';
import type { Call } from '../core/trace/call.ts';
import type { Usage } from '../core/trace/usage.ts';

// biome-ignore lint/suspicious/noExplicitAny: methods of all ports share this type
type Method = (...args: any[]) => Promise<unknown>;

/** Properties of one method that wrappers read. */
export interface PortMethod<Of extends Method = Method> {
  /** Cost of a call, reserved in the run's ledger beforehand; calls are free if missing. */
  usage?(...args: Parameters<Of>): Usage;
  /** Answer of an engine that finds nothing; missing if the method has no such answer. */
  nothing?(...args: Parameters<Of>): Awaited<ReturnType<Of>>;
  /**
   * Returns the arguments restricted to documents that pass the filter of a run; missing if a call
   * finds no documents by itself.
   */
  within?(filter: Filter, args: Parameters<Of>): Parameters<Of>;
}

type MethodsOf<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends Method
    ? PortMethod<Methods[Name]>
    : never;
};

/** Definition of a port: one for each capability, in the file that declares its methods. */
export interface Port<Methods extends object> {
  readonly name: string;
  /** Completes "the engine does not serve ...". */
  readonly summary: string;
  readonly methods: MethodsOf<Methods>;
}

/** An implementation under the name of its port. */
export interface ServedPort {
  readonly name: string;
  readonly methods: object;
}

/** Names an implementation by its port. */
export function servePort<Methods extends object>(
  { name }: Port<Methods>,
  methods: Methods,
): ServedPort {
  return { name, methods };
}

/** Looks an implementation up by its port; undefined if the engine does not serve it. */
export type FindPort = <Methods extends object>(port: Port<Methods>) => Methods | undefined;

/** Looks ports up among these. */
export function servedPorts(served: readonly ServedPort[]): FindPort {
  const byName = new Map(served.map(({ name, methods }) => [name, methods]));
  return <Methods extends object>({ name }: Port<Methods>) =>
    byName.get(name) as Methods | undefined;
}

/** One call of a port's method on its way to the engine. */
export interface PortCall {
  readonly port: string;
  readonly method: string;
  readonly definition: PortMethod;
  readonly args: readonly unknown[];
  /** Last argument. */
  readonly call: Call;
  /** Asks the wrapped engine; by other arguments if they are given. */
  next(args?: readonly unknown[]): Promise<unknown>;
}

/** Wraps every method of one port by `around`. Copies no other property. */
export function wrapPort<Methods extends object>(
  { name, methods }: Port<Methods>,
  inner: Methods,
  around: (call: PortCall) => Promise<unknown>,
): Methods {
  const wrapped: Record<string, Method> = {};
  for (const [method, definition] of Object.entries<PortMethod>(methods))
    wrapped[method] = (...args) =>
      around({
        port: name,
        method,
        definition,
        args,
        call: args.at(-1) as Call,
        next: (changed = args) => (inner as Record<string, Method>)[method]!(...changed),
      });
  return wrapped as Methods;
}
