/**
 * FilterAccuracy: the extracted filter against the sources and days of the gold documents
 * (Multi-Meta-RAG, arXiv 2406.13213).
 */
import type { Metadata } from '../../core/corpus/document.ts';
import { checkFilter, type Filter, matches } from '../../core/corpus/filter.ts';
import { InputError } from '../../core/errors.ts';
import type { Trace } from '../../core/trace/trace.ts';
import type { Example } from '../example.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';

type Form = 'exact' | 'keeps' | 'passes';

/**
 * The filter that the run says it extracted (role `metadata`), or else all filters of its searches,
 * any of which may hold; undefined where it has none of these.
 */
function filterOf({ hops }: Trace): Filter | null | undefined {
  const outputs = hops
    .flatMap(hop => hop.outputs ?? [])
    .find(({ role, parsed }) => role === 'metadata' && parsed);
  if (outputs) return readSaid(outputs.text);
  const filters = hops.flatMap(({ searches }) => searches.flatMap(({ filter }) => filter ?? []));
  return filters.length === 0 ? undefined : { op: 'or', filters };
}

/** Traces come from files too: what cannot be read is no filter. */
function readSaid(text: string): Filter | null | undefined {
  try {
    const { filter } = JSON.parse(text) as { filter?: unknown };
    return filter === null ? null : checkFilter(filter);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || InputError.is(error))
      return undefined;
    throw error;
  }
}

/** Sources that a filter asks for; what it rules out names none. */
function namedSources(filter: Filter | null): Set<string> {
  const sources = new Set<string>();
  const visit = (part: Filter): void => {
    if (part.op === 'and' || part.op === 'or') part.filters.forEach(visit);
    else if (part.op === 'eq' && part.field === 'source') sources.add(String(part.value));
    else if (part.op === 'in' && part.field === 'source')
      for (const value of part.values) sources.add(String(value));
  };
  if (filter) visit(filter);
  return sources;
}

const sourcesOf = ({ source }: Metadata): string[] =>
  Array.isArray(source) ? source : source === undefined ? [] : [String(source)];

function holds(form: Form, filter: Filter | null, gold: readonly Metadata[]): boolean {
  if (form === 'passes')
    return filter === null || gold.every(metadata => matches(filter, metadata));
  const sources = namedSources(filter);
  const goldSources = new Set(gold.flatMap(sourcesOf));
  return (
    (form === 'keeps' || sources.size === goldSources.size) &&
    [...goldSources].every(source => sources.has(source))
  );
}

function goldMetadata(
  { gold }: Example,
  metadataOf: (documentId: string) => Metadata | undefined,
): Metadata[] | undefined {
  const found = [...new Set(gold.map(({ documentId }) => documentId))].map(metadataOf);
  return found.length > 0 && found.every(metadata => metadata !== undefined) ? found : undefined;
}

/**
 * Undefined without gold (null questions), without the gold documents' metadata, and for a run that
 * neither says nor uses a filter.
 */
export const filterAccuracy: MeasureMember = measureMember({
  name: 'FilterAccuracy',
  summary:
    'Share of questions whose extracted filter has exactly the gold sources, keeps all of them, or passes every gold document',
  paper: 'Multi-Meta-RAG',
  parameters: [
    {
      name: 'form',
      type: 'text',
      default: 'exact',
      choices: ['exact', 'keeps', 'passes'],
      positional: true,
      shown: true,
      summary: 'which question is asked',
    },
  ],
  score(example, trace, { metadata }, { form }) {
    const gold = metadata && goldMetadata(example, metadata);
    const filter = gold && filterOf(trace);
    return filter === undefined ? undefined : Number(holds(form, filter, gold!));
  },
});
