/** Holds resources that were opened for a run, with the identities that manifests record. */

import { defined } from '../core/defined.ts';
import type { Resource } from '../core/port.ts';
import type { Manifest } from '../core/trace/trace.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { languageModel } from '../models/ports.ts';
import { type Resources, resourcesOf } from '../models/resources.ts';
import type { Place, PlaceState } from '../search/place.ts';
import type { UnboundRetriever } from '../search/retriever.ts';

/** A resource of a port, and what is behind the id that members name it by. */
export interface OpenedResource<T extends Resource = Resource> {
  /** Name of the port. */
  readonly port: string;
  readonly resource: T;
  /** Hash of its file, or the name that its provider knows. */
  readonly identity: string;
}

/** A place with the models that one search of it needs. */
export interface Searched {
  readonly place: Place;
  /** The state by which the models were chosen. */
  readonly state: PlaceState;
  /** Embedders of the place, and the resources that a provider knows by name. */
  readonly resources: readonly OpenedResource[];
  /** Searches the units that this place has vectors of; see `retrieverInStore`. */
  readonly retriever: UnboundRetriever;
}

/** Returns the resources by port, for `ask`. */
export function resourcesByPort(opened: readonly OpenedResource[]): Resources {
  const byPort: Record<string, Resource[]> = {};
  for (const { port, resource } of opened) (byPort[port] ??= []).push(resource);
  return byPort as Resources;
}

/** Returns the resources of one port. */
export const openedOf = <T extends Resource>(
  opened: readonly OpenedResource[],
  { name }: { readonly name: string; meter(resource: T, ...rest: never[]): T },
): T[] => opened.filter(({ port }) => port === name).map(({ resource }) => resource as T);

/** Returns the manifest's entry: identities by port and id; nothing if there is no resource. */
export function resourceManifest(opened: readonly OpenedResource[]): Manifest {
  const resources: Record<string, Record<string, string>> = {};
  for (const { port, resource, identity } of opened)
    resources[port] = { ...resources[port], [resource.id]: identity };
  return opened.length === 0 ? {} : { resources };
}

/** Returns the language model of a run, if it has one. A recording and its replay share an id. */
export const openedModel = (model: LanguageModel | undefined): OpenedResource[] =>
  model ? [{ port: languageModel.name, resource: model, identity: model.id }] : [];

/** Returns resources made in code, each under its id. */
export const openedResources = (resources: Resources): OpenedResource[] =>
  Object.keys(resources).flatMap(port =>
    resourcesOf(resources, port).map(resource => ({ port, resource, identity: resource.id })),
  );

/** Returns the language model's entry, with its price. A recording and its replay share it. */
export function priceManifest(resources: readonly OpenedResource[]): Manifest {
  const [model] = openedOf(resources, languageModel);
  return model ? { model: defined({ id: model.id, price: model.price || undefined }) } : {};
}
