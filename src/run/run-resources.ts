/** Resolves the needs of a run's members among its resources and meters what they get. */

import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import type { Metering, Need, Resource, ResourceLookup } from '../core/port.ts';
import type { Manifest } from '../core/trace/trace.ts';
import { checkResources, type Needy, type Resources, resourceOf } from '../models/resources.ts';
import type { Retriever } from '../search/retriever.ts';
import { retrievers } from '../search/retrievers.ts';
import { canonicalSpace } from '../search/vectors/space-names.ts';
import type { Strategy } from '../strategies/strategy.ts';

/** Names a member of a run, so that errors can. */
export const needyOf = (kind: string, { name, needs }: Omit<Needy, 'kind'>): Needy =>
  defined({ kind, name, needs: needs || undefined });

export interface FoundResource {
  readonly need: Need;
  readonly resource: Resource;
}

/**
 * Finds the resource of each need, those that ship included; optional ones that are missing are
 * left out, and so are those that the engine holds. Throws `InputError` of the first need that
 * cannot be met.
 */
export async function findResources(
  members: readonly Needy[],
  resources: Resources,
): Promise<FoundResource[]> {
  checkResources(
    resources,
    members.flatMap(({ needs = [] }) => needs),
  );
  const found: FoundResource[] = [];
  for (const member of members)
    for (const need of member.needs ?? []) {
      if (need.port.heldBy === 'engine') continue;
      const resource =
        (await shippedResource(need, resources)) ?? resourceOf(member, need, resources);
      if (resource) found.push({ need, resource });
    }
  return found;
}

/** Opens a shipped resource unless the run was given one of the same id. */
async function shippedResource(
  { port, id }: Need,
  resources: Resources,
): Promise<Resource | undefined> {
  if (id === undefined || !port.shippedIds?.includes(id)) return undefined;
  return (
    resourceOf({ kind: '', name: '' }, { port, id, optional: true }, resources) ??
    port.shipped?.(id)
  );
}

/**
 * Returns the lookup of a member: its needs, metered. Throws `InputError('undeclared-need')` for a
 * need that the member does not declare.
 */
export function meteredLookup(
  { kind, name, needs = [] }: Needy,
  found: readonly FoundResource[],
  meteringOf: (port: string) => Metering,
): ResourceLookup {
  // By port too: one object may serve several.
  const metered = new Map<string, Map<Resource, Resource>>();
  const lookup = (need: Need | undefined): Resource | undefined => {
    if (!need) return undefined;
    if (!needs.some(declared => isSame(declared, need)))
      throw new InputError(
        'undeclared-need',
        `The ${kind} "${name}" requests the ${need.port.noun}, which it does not declare`,
        { expected: `a need that its "needs" list`, received: need.port.name },
      );
    const entry = found.find(other => isSame(other.need, need));
    if (!entry) return undefined;
    const { port } = entry.need;
    const ofPort = metered.get(port.name) ?? new Map<Resource, Resource>();
    metered.set(port.name, ofPort);
    const known = ofPort.get(entry.resource) ?? port.meter(entry.resource, meteringOf(port.name));
    ofPort.set(entry.resource, known);
    return known;
  };
  return lookup as ResourceLookup;
}

const isSame = (a: Need, b: Need): boolean => a.port.name === b.port.name && a.id === b.id;

/** Adds the resources that a run uses to its manifest: port, id and identity. */
export function recordResources(manifest: Manifest, found: readonly FoundResource[]): Manifest {
  if (found.length === 0) return manifest;
  const known = (manifest['resources'] ?? {}) as Readonly<Record<string, Record<string, string>>>;
  const resources: Record<string, Record<string, string>> = { ...known };
  for (const { need, resource } of found) {
    const identities = { [resource.id]: resource.id, ...resources[need.port.name] };
    resources[need.port.name] = identities;
  }
  return { ...manifest, resources };
}

/**
 * Returns the retriever that searches the vector space of a found resource, to be used if none is
 * named; undefined if no resource works in one space.
 */
export function retrieverFor(found: readonly FoundResource[]): string | undefined {
  for (const { need, resource } of found) {
    const space = need.port.space?.(resource);
    if (space !== undefined)
      return retrievers.canonical({ name: 'dense', args: [{ value: space }] });
  }
  return undefined;
}

/**
 * Returns the retriever of a strategy whose options name none: it searches the space of the
 * resource that the strategy needs. Throws `InputError('missing-resource')`.
 */
export function usualRetriever(
  { name, needs = [] }: Pick<Strategy, 'name' | 'needs'>,
  resources: Resources,
): string | undefined {
  const bound = needs.filter(({ port }) => port.space !== undefined);
  return retrieverFor(
    bound.flatMap(need => {
      const resource = resourceOf({ kind: 'strategy', name }, need, resources);
      return resource ? [{ need, resource }] : [];
    }),
  );
}

/**
 * Throws `InputError('wrong-space')` unless the retriever searches the space that each found
 * resource works in.
 */
export function checkSpaces(found: readonly FoundResource[], retriever: Retriever): void {
  for (const match of found) {
    const space = match.need.port.space?.(match.resource);
    if (space === undefined) continue;
    const trained = canonicalSpace(space);
    if (retriever.space !== undefined && canonicalSpace(retriever.space) === trained) continue;
    throw wrongSpace(match, trained, retriever);
  }
}

function wrongSpace(found: FoundResource, space: string, retriever: Retriever): InputError {
  const { need, resource } = found;
  return new InputError(
    'wrong-space',
    `The ${need.port.noun} "${resource.id}" was trained for the vector space "${space}"`,
    {
      expected: `a retriever that searches "${space}" alone, as ${retrieverFor([found])}`,
      received:
        retriever.space === undefined
          ? `${retriever.name}, which searches no single space`
          : `${retriever.name}, which searches "${retriever.space}"`,
      hint: 'It works only among vectors of the embedder that it was trained for: train or name another for this one.',
    },
  );
}
