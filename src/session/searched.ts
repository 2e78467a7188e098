/** A place with the models that one search of it needs. */
import type { Place, PlaceState } from '../search/place.ts';
import type { UnboundRetriever } from '../search/retriever.ts';
import type { OpenedResource } from './opened-resources.ts';

export interface Searched {
  readonly place: Place;
  /** The state by which the models were chosen. */
  readonly state: PlaceState;
  /** Embedders of the place, and the resources that a provider knows by name. */
  readonly resources: readonly OpenedResource[];
  /** Searches the units that this place has vectors of; see `retrieverInStore`. */
  readonly retriever: UnboundRetriever;
}
