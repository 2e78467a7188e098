/**
 * Declares ports, the kinds of resources that a run is given, and needs, by which a member names
 * the resources it works with.
 */
import { defined } from './defined.ts';
import type { Call } from './trace/call.ts';
import type { ModelOutput } from './trace/trace.ts';
import type { Usage } from './trace/usage.ts';

/** A model, service or data structure from outside the core, named by its id. */
export interface Resource {
  readonly id: string;
}

/** One call of a port, as `ask` meters it. */
export interface MeteredCall<R> {
  /** Names the part of the port in ledgers and errors; the port's own name if missing. */
  readonly port?: string;
  readonly role: string;
  /** Reserved before the call; nothing is reserved if missing. */
  readonly atMost?: Usage;
  /** Returns what the call used; `atMost` if missing. */
  used?(result: R): Usage;
  /** Validates the result and returns what is passed on. Throws `PortError`. */
  check(result: R): R;
}

/** Meters the calls of one resource in one run. */
export interface Metering {
  /** Ends when the run is aborted or its time is up. */
  readonly signal: AbortSignal;
  /**
   * Reserves, calls, validates and settles. A failed call is charged in full, a call that a budget
   * refused is not charged. Throws `PortError`, `BudgetReached` or the reason of the abort.
   */
  call<R>(call: MeteredCall<R>, work: (call: Call) => Promise<R>): Promise<R>;
  /** Records what a model wrote in the hop under way. */
  output(output: ModelOutput): void;
  /** Streams the answer to the caller of `ask` while a model writes it. */
  readonly onText?: (piece: string) => void;
}

/**
 * A kind of resource. Adding a port takes one value of this type: members name it in their needs,
 * `ask` finds, meters and records its resources by it.
 */
export interface ResourcePort<T extends Resource = Resource> {
  /** Key in `resources`, ledgers, traces and manifests, such as `query-updater`. */
  readonly name: string;
  /** Names the resource in messages, such as `query updater`. */
  readonly noun: string;
  /** Returns a hint that explains how to give the run this resource. */
  hint(id: string | undefined): string;
  /** Ids of resources that ship with the package. */
  readonly shippedIds?: readonly string[];
  /** Opens a resource that ships with the package; called with one of `shippedIds`. */
  shipped?(id: string): Promise<T>;
  /** Marks resources that the search engine holds: `ask` does not look for them. */
  readonly heldBy?: 'engine';
  /** Returns the one vector space that the resource works in; the retriever must search it. */
  space?(resource: T): string;
  /** Wraps the resource so that each call is reserved, guarded and validated. */
  meter(resource: T, metering: Metering): T;
}

/** A resource that a member cannot run without. Without an `id` the run must have exactly one. */
export interface RequiredNeed<T extends Resource = Resource> {
  readonly port: ResourcePort<T>;
  readonly id?: string;
  readonly optional?: false;
}

/** A resource that a member uses if the run has it. */
export interface OptionalNeed<T extends Resource = Resource> {
  readonly port: ResourcePort<T>;
  readonly id?: string;
  readonly optional: true;
}

/** A resource of a member, computed from its settings. */
export type Need<T extends Resource = Resource> = RequiredNeed<T> | OptionalNeed<T>;

/** Declares a resource that a member cannot run without. */
export const required = <T extends Resource>(port: ResourcePort<T>, id?: string): RequiredNeed<T> =>
  defined<RequiredNeed<T>>({ port, id });

/** Declares a resource that a member uses if the run has it. */
export const optional = <T extends Resource>(port: ResourcePort<T>, id?: string): OptionalNeed<T> =>
  defined<OptionalNeed<T>>({ port, id, optional: true });

/** Returns the resource of a declared need. Throws `InputError` if it is missing or undeclared. */
export interface ResourceLookup {
  <T extends Resource>(need: RequiredNeed<T>): T;
  <T extends Resource>(need: Need<T> | undefined): T | undefined;
}

/** Returns the need of a port that a member declares, if any. */
export const needOf = (
  { needs = [] }: { readonly needs?: readonly Need[] },
  port: Pick<ResourcePort, 'name'>,
): Need | undefined => needs.find(need => need.port.name === port.name);
