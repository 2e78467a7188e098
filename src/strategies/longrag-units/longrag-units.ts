/**
 * `longrag-units`: groups linked documents of a search into long units and keeps the best units
 * whole. Paper: Jiang, Ma and Chen, LongRAG (arXiv 2406.15319), which groups a whole corpus once;
 * docs/papers/longrag.md lists the differences. Model calls: 2, a long answer and a short one.
 * Without a model the reader answers. Stops after one hop.
 */

import { Selection } from '../../context/selection.ts';
import { publishedDay } from '../../core/corpus/document.ts';
import { type Member, member } from '../../core/naming/family.ts';
import type { Ranking } from '../../core/ranking/ranking.ts';
import { finishWithPauses } from '../../core/steps.ts';
import { countWords } from '../../core/text/words.ts';
import { type Call, pauseOf } from '../../core/trace/call.ts';
import type { End, ModelOutput, Question } from '../../core/trace/trace.ts';
import { degraded, ModelInUse } from '../../planning/model-in-use.ts';
import { type Paragraph, readParagraphs } from '../../planning/paragraphs.ts';
import { LINK } from '../../search/links/link-neighbours.ts';
import { NEIGHBOURS } from '../../search/ports/neighbours-port.ts';
import { searchAll } from '../../search/retriever.ts';
import { HopDraft } from '../hop-draft.ts';
import { evidenceFirst, type Kit, type OpenHop, SEARCH_DEPTH, type Strategy } from '../strategy.ts';
import { completed } from '../usual-settings.ts';
import { groupDocuments, linksOfAlikeInSteps } from './grouping.ts';
import { readUnits } from './reader.ts';
import {
  LONGRAG_UNITS_PARAMETERS,
  type LongragUnitsSettings,
  unitsCalls,
  unitsModel,
} from './settings.ts';

const WITHOUT_MODEL = degraded('No language model: no long context is read, the reader answers');

export const longragUnits: Member<Strategy> = member({
  name: 'longrag-units',
  summary:
    'Groups linked documents into units of some 4,000 tokens, and has a model read the best units whole',
  paper: 'Jiang, Ma and Chen, LongRAG, arXiv 2406.15319',
  cost: 'one search and two model calls, of some 20,000 context tokens; without a model no call',
  parameters: completed(LONGRAG_UNITS_PARAMETERS),
  create(settings, name) {
    const need = unitsModel(settings);
    return {
      name,
      needs: need && [need],
      units: ['document'],
      requires: () => ({ units: ['document'] }),
      get modelCalls() {
        return unitsCalls(settings);
      },
      hops: (question, kit, call) => oneHop(question, kit, call, settings),
      ranking: hops => evidenceFirst(hops),
    };
  },
});

async function* oneHop(
  question: Question,
  kit: Kit,
  call: Call,
  settings: LongragUnitsSettings,
): AsyncGenerator<OpenHop, End, void> {
  const model = new ModelInUse(kit.resource(unitsModel(settings)));
  const outputs: ModelOutput[] = [];
  if (!model.present && settings.answer === 'own') outputs.push(WITHOUT_MODEL);
  const depth = Math.max(settings.candidates, SEARCH_DEPTH);
  const within = { unit: 'document' } as const;
  const searches = await searchAll(kit.retriever, [question], depth, call, within);
  const hits = searches[0]!.hits.slice(0, settings.candidates);
  const ranked = await rankedUnits(hits, kit, call, settings);
  const { units, dropped } = fittingUnits(ranked, settings);
  const rank = new Map(hits.map(({ id }, place) => [id, place]));
  const inOrder = units.flat();
  if (settings.order === 'score') inOrder.sort((a, b) => rank.get(a.id)! - rank.get(b.id)!);
  const selection = new Selection(kit.context, call);
  const hop = new HopDraft(selection, 0, searches);
  for (const { id } of inOrder) await hop.keep(hits[rank.get(id)!]!);
  for (const { id } of dropped) hop.refuse(id, { why: 'cap' });
  outputs.push(unitsOutput(units));
  const shown = units.map(unit => unit.filter(({ id }) => selection.has(id)));
  const read =
    selection.all.length > 0
      ? await model.ask(language =>
          readUnits(language, question.text, shown, settings.prompt, call),
        )
      : undefined;
  outputs.push(...(read?.outputs ?? []), ...model.takeNotes());
  yield hop.closed({ outputs });
  model.end();
  return read?.end ?? { why: 'completed' };
}

/** Lists the kept units by the ids of their documents, as JSON. */
const unitsOutput = (units: readonly (readonly Paragraph[])[]): ModelOutput => ({
  role: 'units',
  text: JSON.stringify(units.map(unit => unit.map(({ id }) => id))),
  parsed: true,
});

/** Groups the documents of hits; the unit of the best document first, the best within it first. */
async function rankedUnits(
  hits: Ranking,
  kit: Kit,
  call: Call,
  settings: LongragUnitsSettings,
): Promise<Paragraph[][]> {
  const documents = await readParagraphs(hits, kit.engine, call);
  const links = await linksBetween(documents, kit, call, settings);
  const place = new Map(documents.map(({ id }, at) => [id, at]));
  const groups = groupDocuments(
    documents.map(({ id, text }) => ({ id, tokens: countWords(text), links: links.get(id)! })),
    settings.size,
  );
  return groups
    .map(ids => ids.map(id => place.get(id)!).sort((a, b) => a - b))
    .sort((a, b) => a[0]! - b[0]!)
    .map(places => places.map(at => documents[at]!));
}

/** Returns the links among documents, in both directions. */
async function linksBetween(
  documents: readonly Paragraph[],
  { engine }: Kit,
  call: Call,
  settings: LongragUnitsSettings,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const ids = documents.map(({ id }) => id);
  const stated = new Map(ids.map(id => [id, new Set<string>()]));
  const port =
    settings.links !== 'alike' && engine.capabilities.edges?.includes(LINK)
      ? engine.port(NEIGHBOURS)
      : undefined;
  // Links that lead to a document lead away from another: no index of them need be opened.
  const request = { unit: 'document', ids, labels: [LINK], directions: ['out'] } as const;
  const edges = ids.length > 0 ? ((await port?.neighbours(request, call)) ?? []) : [];
  for (const [at, id] of ids.entries())
    for (const { to } of edges[at] ?? [])
      if (stated.has(to) && to !== id) {
        stated.get(id)!.add(to);
        stated.get(to)!.add(id);
      }
  const any = [...stated.values()].some(({ size }) => size > 0);
  if (settings.links === 'stated' || (settings.links === 'any' && any)) return stated;
  const records = ids.length > 0 ? await engine.read('document', ids, call) : [];
  const links = linksOfAlikeInSteps(
    records.map(({ id, title, text, metadata }) => ({
      id,
      text: `${title} ${text}`,
      day: publishedDay(metadata),
    })),
    settings,
  );
  return finishWithPauses(links, pauseOf(call));
}

/** Returns the first units that fit into the tokens, at least one, and the documents of others. */
function fittingUnits(
  ranked: readonly (readonly Paragraph[])[],
  { units, tokens }: LongragUnitsSettings,
): { readonly units: readonly (readonly Paragraph[])[]; readonly dropped: readonly Paragraph[] } {
  const best = ranked.slice(0, units);
  let total = 0;
  const count = best.findIndex((unit, at) => {
    total += unit.reduce((sum, { text }) => sum + countWords(text), 0);
    return at > 0 && total > tokens;
  });
  return count < 0
    ? { units: best, dropped: [] }
    : { units: best.slice(0, count), dropped: best.slice(count).flat() };
}
