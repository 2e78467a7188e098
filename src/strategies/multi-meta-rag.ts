/**
 * `multi-meta-rag`: searches once under a filter of the sources and days that the question names.
 * Paper: Poliakov and Shvai, Multi-Meta-RAG (arXiv 2406.13213). Model calls: 0 with the extractor
 * `rules`, 1 with `model`; names that the corpus lacks are left out of the filter. Stops after one
 * search, or after the last relaxation, each of which is a hop.
 */
import { Selection } from '../context/selection.ts';
import { type Filter, matches } from '../core/corpus/filter.ts';
import { defined } from '../core/defined.ts';
import { type Family, type Member, member } from '../core/naming/family.ts';
import { type Name, printName } from '../core/naming/name.ts';
import { weightedFusion } from '../core/ranking/fusion.ts';
import { compareHits } from '../core/ranking/ranking.ts';
import type { Call } from '../core/trace/call.ts';
import type { Hop, ModelOutput, Question, Search } from '../core/trace/trace.ts';
import type { ExtractedFilter } from '../language/catalogue.ts';
import { type MetadataExtractor, metadataCatalogue } from '../planning/metadata/extractor.ts';
import {
  groundedFilter,
  METADATA_FILTERS,
  metadataFilter,
  relaxations,
} from '../planning/metadata/metadata-filter.ts';
import { searchAll } from '../search/retriever.ts';
import { HopDraft } from './hop-draft.ts';
import { evidenceFirst, type Kit, SEARCH_DEPTH, type Strategy } from './strategy.ts';

interface MultiMetaSettings {
  readonly first: number;
  readonly keep: number;
  readonly policy: 'strict' | 'relax';
  readonly dates: boolean;
  readonly soft: number;
  readonly extractor: Name;
}

/**
 * Multiple of `first` that a soft filter considers, so that matching items can move up.
 */
const SOFT_DEPTH = 5;

const parametersOf = (extractors: Family<MetadataExtractor>) =>
  [
    {
      name: 'first',
      type: 'integer',
      default: 20,
      min: 1,
      max: 10_000,
      shown: true,
      summary: 'hits considered',
    },
    {
      name: 'keep',
      type: 'integer',
      default: 10,
      min: 1,
      max: 10_000,
      shown: true,
      summary: 'hits kept',
    },
    {
      name: 'policy',
      type: 'text',
      default: 'strict',
      choices: ['strict', 'relax'],
      summary:
        'if nothing passes the filter: strict returns nothing; relax drops the days, then the sources',
    },
    {
      name: 'dates',
      type: 'flag',
      default: true,
      summary: 'filter by days of publication too, as the paper does',
    },
    {
      name: 'soft',
      type: 'number',
      default: 0,
      min: 0,
      max: 1000,
      summary:
        'above 0: adds this to the scores, scaled to 0..1, of documents that pass the filter, instead of filtering',
    },
    {
      name: 'extractor',
      type: 'member',
      default: { name: 'rules', args: [] },
      canonical: (setting: Name) => extractors.canonical(setting),
      summary: 'extractor of the filter',
    },
  ] as const;

/**
 * Creates the strategy over a family of extractors; see `strategiesWith(extractorsWith(filters))`.
 */
export function multiMetaRagWith(extractors: Family<MetadataExtractor>): Member<Strategy> {
  return member({
    name: 'multi-meta-rag',
    summary: 'One search among the documents whose source (and day) the question names',
    paper: 'Poliakov and Shvai, Multi-Meta-RAG, 2024',
    cost: '1 search (up to 3 under policy=relax); 0 model calls with the rules, 1 with extractor=model',
    parameters: parametersOf(extractors),
    create(read, name) {
      const extractor = extractors.create(read.extractor);
      return {
        name,
        needs: extractor.needs,
        requires: () => ({ filters: METADATA_FILTERS }),
        modelCalls: extractor.modelCalls,
        async *hops(question, kit, call) {
          const catalogue = await metadataCatalogue(kit.engine, call);
          const {
            by,
            outputs: earlier = [],
            failure,
            ...filter
          } = await extractor.extract(question.text, catalogue, call, kit.resource);
          const extracted = groundedFilter(filter, catalogue, read.dates);
          const outputs = [...earlier, filterOutput(extracted, by ?? printName(read.extractor))];
          const searches =
            read.soft > 0
              ? softly(question, extracted, kit, call, read)
              : filtered(question, extracted, kit, call, read);
          let hop = 0;
          for await (const search of searches) {
            const draft = new HopDraft(new Selection(kit.context, call), hop, [search]);
            const first = search.hits.slice(0, read.first);
            for (const hit of first.slice(0, read.keep)) await draft.keep(hit);
            for (const { id } of first.slice(read.keep)) draft.refuse(id, { why: 'cap' });
            yield draft.closed(hop === 0 ? { outputs } : { reason: search.relaxed });
            hop++;
          }
          if (failure) throw failure;
          return { why: 'completed' };
        },
        ranking: hops => evidenceFirst(hops, rankingOfLastSearch(hops)),
        diagnostic: { name: 'last-search', ranking: rankingOfLastSearch },
      };
    },
  });
}

function rankingOfLastSearch(hops: readonly Hop[]): string[] {
  const last = hops.flatMap(({ searches }) => searches).at(-1);
  return [...new Set((last?.hits ?? []).map(({ documentId }) => documentId))];
}

/**
 * Searches under the filter; with `relax` again under less of it while there is no hit, one hop
 * each.
 */
async function* filtered(
  question: Question,
  extracted: ExtractedFilter,
  kit: Kit,
  call: Call,
  { policy, first }: MultiMetaSettings,
): AsyncGenerator<Search, void, void> {
  const all = relaxations(extracted);
  const steps = policy === 'strict' ? all.slice(0, 1) : all;
  for (const [hop, { filter, relaxed }] of steps.entries()) {
    const from = hop > 0 ? { hop: hop - 1, search: 0 } : undefined;
    const query = { text: question.text, filter, from };
    const [search] = await searchAll(kit.retriever, [query], Math.max(first, SEARCH_DEPTH), call);
    yield defined({ ...search!, relaxed });
    if (search!.hits.length > 0) return;
  }
}

/**
 * Searches without the filter and reranks: score' = score scaled to 0..1 + soft x [passes the
 * filter].
 */
async function* softly(
  question: Question,
  extracted: ExtractedFilter,
  kit: Kit,
  call: Call,
  settings: MultiMetaSettings,
): AsyncGenerator<Search, void, void> {
  const depth = Math.max(settings.first * SOFT_DEPTH, SEARCH_DEPTH);
  const [search] = await searchAll(kit.retriever, [{ text: question.text }], depth, call);
  const filter = metadataFilter(extracted);
  if (!filter) {
    yield search!;
    return;
  }
  const passing = await passingDocuments(search!, filter, kit, call);
  const hits = weightedFusion([search!.hits]).map(hit => ({
    ...hit,
    score: hit.score + (passing.has(hit.documentId) ? settings.soft : 0),
  }));
  yield {
    ...search!,
    hits: hits.sort(compareHits),
    relaxed: `soft: ${settings.soft} added to documents that pass the filter`,
  };
}

async function passingDocuments(
  { hits }: Search,
  filter: Filter,
  kit: Kit,
  call: Call,
): Promise<Set<string>> {
  const documents = await kit.engine.read(
    'document',
    [...new Set(hits.map(({ documentId }) => documentId))],
    call,
  );
  return new Set(documents.filter(({ metadata }) => matches(filter, metadata)).map(({ id }) => id));
}

/**
 * Returns the extracted filter, before any relaxation, as JSON `{ by, filter, unknown }`; `filter`
 * is null if the question names none.
 */
function filterOutput(extracted: ExtractedFilter, by: string): ModelOutput {
  const text = JSON.stringify({
    by,
    filter: metadataFilter(extracted) ?? null,
    unknown: extracted.unknown,
  });
  return { role: 'metadata', text, parsed: true };
}
