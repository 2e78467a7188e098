/** Bounds what a request may make the server do: spend, open models, build indexes. */
import { InputError } from '../../core/errors.ts';
import type { Family } from '../../core/naming/family.ts';
import { parseName, printValue } from '../../core/naming/name.ts';
import { type Budget, LIMIT_NAMES } from '../../core/trace/usage.ts';
import { SHIPPED_ANSWERER, SHIPPED_RANKER, serversOf } from '../../providers/model-servers.ts';
import type { MayOpen } from '../models.ts';

/** Returns of each limit the smaller value. */
export function smallestBudget(ofServer: Budget, ofRequest: Budget): Budget {
  return Object.fromEntries(
    LIMIT_NAMES.flatMap(name => {
      const values = [ofServer[name], ofRequest[name]].filter(value => value !== undefined);
      return values.length > 0 ? [[name, Math.min(...values)]] : [];
    }),
  );
}

export interface AllowedModels {
  /** Names that whoever started the server allows. */
  readonly allowModels?: readonly string[];
  /** Address of rerankers behind HTTP: those alone are asked, and only there. */
  readonly rerankerUrl?: string | undefined;
}

/** Tells if a reranker is asked at `rerankerUrl`, where that is set. */
const isBehindHttp = (id: string): boolean =>
  serversOf('reranker').some(({ scheme }) => id.startsWith(`${scheme}:`));

/**
 * Decides which models a request may open by name. A name in a request must not make the server
 * download a model, load one more into memory, or send texts of documents to an address that it was
 * not started with.
 */
export const mayOpen =
  ({ allowModels = [], rerankerUrl }: AllowedModels): MayOpen =>
  (port, id) =>
    allowModels.includes(id) ||
    (port === 'question-answerer' && id === SHIPPED_ANSWERER) ||
    (port === 'reranker' && id === SHIPPED_RANKER) ||
    (port === 'reranker' && rerankerUrl !== undefined && isBehindHttp(id));

/**
 * Throws `InputError('setting-not-allowed')` for a setting that chooses what is built over all
 * documents: only indexes of default settings are, others cost time and memory for each setting.
 */
export function checkSettings(family: Family<unknown>, requested: string | undefined): void {
  if (requested === undefined) return;
  const { name, args } = parseName(family.canonical(requested));
  const { parameters = [] } = family.members.find(member => member.name === name)!;
  // A canonical name leaves out what is at its default.
  for (const { key, value } of args) {
    const parameter = parameters.find(({ builds, name }) => builds && name === key);
    if (!parameter) continue;
    throw new InputError('setting-not-allowed', `A request does not set "${key}" of "${name}"`, {
      expected: `its default, ${printValue(parameter.default)}`,
      received: printValue(value),
      hint: 'It chooses a graph of all documents: set it on the command line or in a program.',
    });
  }
}
