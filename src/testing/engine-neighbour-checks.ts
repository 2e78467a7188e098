/** Defines the laws of the port `NEIGHBOURS`: edges between items, and links of documents. */
import type { Document } from '../core/corpus/document.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import { requirePort } from '../search/capabilities.ts';
import type { Engine, SearchEngine } from '../search/engine.ts';
import {
  compareEdges,
  type Edge,
  type EdgeDirection,
  NEIGHBOURS,
  type Neighbours,
} from '../search/ports/neighbours-port.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { FIXTURE_DOCUMENTS } from './fixture-corpus.ts';
import { holds, isInput, type Law, law, same, throws } from './law.ts';
import { LINKED_DOCUMENTS, LINKS_BETWEEN } from './linked-documents.ts';

const call = freeCall();
const DOCUMENTS: readonly Document[] = [...FIXTURE_DOCUMENTS, ...LINKED_DOCUMENTS];
const OPPOSITE: Readonly<Record<EdgeDirection, EdgeDirection>> = {
  out: 'in',
  in: 'out',
  both: 'both',
};

const portOf = (engine: SearchEngine): Neighbours => requirePort(engine, NEIGHBOURS, 'The law');

/** Returns the laws; only that no label is stated for an engine without the port. */
export function neighbourLaws(engine: EngineUnderTest): Law[] {
  const { edges } = engine.capabilities;
  const served = engine.serves(NEIGHBOURS);
  const stated = law('engine: labels of edges are stated by an engine that serves them', () =>
    same(edges !== undefined, served, 'capabilities.edges beside the port "neighbours"'),
  );
  if (edges === undefined || !served) return [stated];
  const over = (check: (filled: SearchEngine) => Promise<void>) => async (): Promise<void> => {
    await using filled = await engine.holding(DOCUMENTS);
    await check(filled);
  };
  const { units } = engine.capabilities;
  return [
    stated,
    law('engine: edges lead to other items, sorted, each once', over(checkEdges)),
    law('engine: both items of an edge have it', over(checkBothEnds)),
    law('engine: labels, directions and a limit select edges', over(checkSelection)),
    law('engine: an invalid request for edges throws an InputError', over(checkRefusals)),
    law('engine: edges are those of documents put at once, in any order of writes', () =>
      checkWrites(engine, units),
    ),
    ...(edges.includes('link')
      ? [law('engine: links between documents are edges', over(checkLinks))]
      : []),
  ];
}

async function idsOf(engine: SearchEngine, unit: Unit): Promise<string[]> {
  const documents = DOCUMENTS.map(({ id }) => id).sort();
  if (unit === 'document') return documents;
  return (await engine.parts(unit, documents, call)).flat().map(({ id }) => id);
}

/** Returns the edges of every item of a unit. */
async function everyEdge(engine: SearchEngine, unit: Unit): Promise<Map<string, Edge[]>> {
  const ids = await idsOf(engine, unit);
  const labels = engine.capabilities.edges!;
  const lists = await portOf(engine).neighbours({ unit, ids, labels }, call);
  same(lists.length, ids.length, `${unit}: one list an id`);
  return new Map(ids.map((id, at) => [id, lists[at]!]));
}

async function checkEdges(engine: SearchEngine): Promise<void> {
  for (const unit of engine.capabilities.units) {
    const labels = engine.capabilities.edges!;
    const all = await everyEdge(engine, unit);
    for (const [id, edges] of all) {
      same([...edges].sort(compareEdges), edges, `${unit} "${id}": the order of its edges`);
      const keys = edges.map(({ to, label, direction }) => `${label} ${direction} ${to}`);
      same(new Set(keys).size, keys.length, `${unit} "${id}": distinct edges`);
      for (const { to, label, weight } of edges) {
        holds(to !== id && all.has(to), `${unit} "${id}": to`, 'the id of another item', to);
        holds(labels.includes(label), `${unit} "${id}": label`, 'a stated label', label);
        holds(weight > 0 && Number.isFinite(weight), `"${id}": weight`, 'above 0', weight);
      }
    }
  }
}

async function checkBothEnds(engine: SearchEngine): Promise<void> {
  for (const unit of engine.capabilities.units) {
    const all = await everyEdge(engine, unit);
    for (const [id, edges] of all)
      for (const { to, label, direction, weight } of edges) {
        const back = all.get(to)!.filter(edge => edge.to === id && edge.label === label);
        const other = back.find(edge => edge.direction === OPPOSITE[direction]);
        same(other?.weight, weight, `${unit}: "${label}" of "${id}" as "${to}" has it`);
      }
  }
}

async function checkSelection(engine: SearchEngine): Promise<void> {
  const port = portOf(engine);
  for (const unit of engine.capabilities.units) {
    const all = await everyEdge(engine, unit);
    const ids = [...all.keys()];
    const labels = engine.capabilities.edges!;
    for (const label of labels)
      for (const direction of ['out', 'in', 'both'] as const) {
        const request = { unit, ids, labels: [label], directions: [direction] };
        const expected = [...all.values()].map(edges =>
          edges.filter(edge => edge.label === label && edge.direction === direction),
        );
        same(await port.neighbours(request, call), expected, `${unit}, ${label}, ${direction}`);
      }
    for (const limit of [0, 1, 2]) {
      const expected = [...all.values()].map(edges => edges.slice(0, limit));
      const request = { unit, ids, labels, limit };
      same(await port.neighbours(request, call), expected, `${unit}, limit ${limit}`);
    }
    same(await port.neighbours({ unit, ids: [] }, call), [], `${unit}, no ids`);
    same(
      await port.neighbours({ unit, ids, labels: [] }, call),
      ids.map(() => []),
      'no labels',
    );
    const [one] = await port.neighbours({ unit, ids: [ids.at(-1)!], labels }, call);
    same(one, all.get(ids.at(-1)!), `${unit}: one item as among all`);
    await checkUnasked(engine, unit, all);
  }
}

/** A request without labels is given whole labels: those that ask no model. */
async function checkUnasked(
  engine: SearchEngine,
  unit: Unit,
  all: ReadonlyMap<string, Edge[]>,
): Promise<void> {
  const ids = [...all.keys()];
  const lists = await portOf(engine).neighbours({ unit, ids }, call);
  const wholeLabels = new Set(lists.flat().map(({ label }) => label));
  const expected = [...all.values()].map(edges =>
    edges.filter(({ label }) => wholeLabels.has(label)),
  );
  same(lists, expected, `${unit}: edges without labels asked for`);
}

async function checkRefusals(engine: SearchEngine): Promise<void> {
  const port = portOf(engine);
  const [unit] = engine.capabilities.units;
  const request = { unit: unit!, ids: ['no such id'] };
  const refused = (what: string, code: string, changes: object): Promise<void> =>
    throws(
      async () => port.neighbours({ ...request, ...changes }, call),
      isInput(code),
      what,
      `InputError ${code}`,
    );
  await refused('an unknown id', 'unknown-id', {});
  await refused('an unknown label', 'unknown-label', { ids: [], labels: ['no such label'] });
  for (const limit of [-1, 1.5, Number.NaN])
    await refused(`limit = ${limit}`, 'bad-limit', { ids: [], limit });
}

async function checkWrites({ make }: EngineUnderTest, units: readonly Unit[]): Promise<void> {
  const read = async (made: Engine): Promise<unknown> => {
    await using engine = await made.snapshot();
    const found = [];
    for (const unit of units) found.push([...(await everyEdge(engine, unit))]);
    return found;
  };
  const expected = await read(await make(DOCUMENTS));
  const made = await make([]);
  for (const document of [...DOCUMENTS].reverse()) await made.put([document], call);
  same(await read(made), expected, 'edges after documents were put one by one');
  // An edge goes with either of its documents, and comes back with it.
  for (const document of LINKED_DOCUMENTS) {
    await made.remove([document.id], call);
    await made.put([{ ...document, outline: [{ start: 0, heading: [] }] }], call);
    await made.put([document], call);
    same(await read(made), expected, `edges after "${document.id}" was removed and put again`);
  }
  const [gone, ...others] = LINKED_DOCUMENTS;
  await made.remove([gone!.id], call);
  await using engine = await made.snapshot();
  const ids = others.map(({ id }) => id);
  const lists = await portOf(engine).neighbours({ unit: 'document', ids }, call);
  same(
    lists.flat().filter(({ to }) => to === gone!.id),
    [],
    'edges to a document that was removed',
  );
}

async function checkLinks(engine: SearchEngine): Promise<void> {
  const ids = LINKED_DOCUMENTS.map(({ id }) => id);
  const request = { unit: 'document', ids, labels: ['link'] } as const;
  const lists = await portOf(engine).neighbours(request, call);
  const found = lists.flatMap((edges, at) =>
    edges
      .filter(({ direction }) => direction === 'out')
      .map(({ to, weight }) => [ids[at]!, to, weight]),
  );
  same(found, LINKS_BETWEEN, 'links away from documents');
}
