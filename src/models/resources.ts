/** Finds the resources that members need among those that a run is given. */
import { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/naming/nearest.ts';
import type { Need, Resource, ResourceLookup } from '../core/port.ts';
import type { TokenClassifiers } from './efficient-rag/token-classifiers.ts';
import type { Embedder } from './embedder.ts';
import type { LanguageModel } from './language-model.ts';
import { ports } from './ports.ts';
import type { QueryUpdater } from './query-updater.ts';
import type { QuestionAnswerer } from './question-answerer.ts';
import type { Reranker } from './reranker.ts';

type OneOrMore<T> = T | readonly T[];

/** Resources by the name of their port: one, or several with distinct ids. */
export interface Resources {
  readonly model?: OneOrMore<LanguageModel> | undefined;
  readonly reranker?: OneOrMore<Reranker> | undefined;
  readonly 'question-answerer'?: OneOrMore<QuestionAnswerer> | undefined;
  readonly 'query-updater'?: OneOrMore<QueryUpdater> | undefined;
  readonly 'token-classifiers'?: OneOrMore<TokenClassifiers> | undefined;
  readonly embedder?: OneOrMore<Embedder> | undefined;
  /** Resources of other ports, each with an `id`. */
  readonly [port: string]: object | undefined;
}

/** A member with needs, as errors name it: `strategy`, `retriever` or `reader`. */
export interface Needy {
  readonly kind: string;
  readonly name: string;
  readonly needs?: readonly Need[];
}

/** Returns the resources of a port, in their order. */
export function resourcesOf(resources: Resources, port: string): readonly Resource[] {
  const value = Object.hasOwn(resources, port) ? resources[port] : undefined;
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Resource[]) : [value as Resource];
}

/**
 * Finds a need among the resources of a run; undefined if it is optional and missing. Throws
 * `InputError('missing-resource')` that says what was expected, what was given and what to do.
 */
export function resourceOf(
  { kind, name }: Pick<Needy, 'kind' | 'name'>,
  need: Need,
  resources: Resources,
): Resource | undefined {
  const { port, id } = need;
  const candidates = resourcesOf(resources, port.name);
  const match =
    id === undefined ? candidates[0] : candidates.find(candidate => candidate.id === id);
  if (id === undefined && candidates.length > 1)
    throw severalResources(kind, name, need, resources);
  if (match || need.optional) return match;
  const ids = candidates.map(candidate => candidate.id);
  const known = [...new Set([...(port.shippedIds ?? []), ...ids])];
  const near = id !== undefined && didYouMean(id, known);
  throw new InputError(
    'missing-resource',
    `The ${kind} "${name}" needs the ${port.noun}${id === undefined ? '' : ` "${id}"`}`,
    {
      expected: known.length > 0 ? `one of ${known.join(', ')}` : `a ${port.noun} given to the run`,
      received: ids.length > 0 ? ids.join(', ') : `no ${port.noun}`,
      hint: near || port.hint(id),
      remedy: near ? undefined : { id: `give-${port.name}`, name: id },
    },
  );
}

function severalResources(
  kind: string,
  name: string,
  { port }: Need,
  resources: Resources,
): InputError {
  return new InputError(
    'several-resources',
    `The ${kind} "${name}" needs one ${port.noun}, and several were given`,
    {
      expected: `one ${port.noun}`,
      received: resourcesOf(resources, port.name)
        .map(({ id }) => id)
        .join(', '),
      hint: `Give one under resources["${port.name}"].`,
    },
  );
}

/** Returns a lookup that finds resources as they were given, unmetered. */
export const lookupIn = (resources: Resources): ResourceLookup =>
  ((need: Need | undefined) =>
    need &&
    resourceOf({ kind: 'member', name: need.port.name }, need, resources)) as ResourceLookup;

/**
 * Throws `InputError`: `unknown-port` for a key that is no port of the package or of a need,
 * `duplicate-resource` for two resources of a port with one id.
 */
export function checkResources(resources: Resources, needs: readonly Need[]): void {
  const all = [...Object.values(ports), ...needs.map(({ port }) => port)];
  const known = [...new Set(all.map(({ name }) => name))];
  for (const name of Object.keys(resources)) {
    if (resources[name] === undefined) continue;
    if (!known.includes(name))
      throw new InputError('unknown-port', `Unknown port "${name}"`, {
        expected: `one of ${known.join(', ')}`,
        ...hintOf(didYouMean(name, known)),
      });
    const ids = resourcesOf(resources, name).map(resource => idOf(resource, name));
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined)
      throw new InputError('duplicate-resource', `Two resources of "${name}" have one id`, {
        expected: 'ids that differ',
        received: twice,
      });
  }
}

function idOf(resource: Resource | undefined, port: string): string {
  if (typeof resource?.id === 'string') return resource.id;
  throw new InputError('bad-resource', `A resource of "${port}" has no id`, {
    expected: 'an object with a text as its id',
    received: resource === undefined || resource === null ? String(resource) : typeof resource.id,
  });
}

const hintOf = (hint: string): { readonly hint?: string } => (hint === '' ? {} : { hint });
