/**
 * Defines `max-p(lexical)`: ranks passages by their best sentence, or documents by their best
 * passage (MaxP: Dai and Callan, SIGIR 2019).
 */
import { InputError } from '../../core/errors.ts';
import { type Member, member } from '../../core/naming/family.ts';
import { compareHits, type Hit, type Ranking, type Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import { checkRequirements } from '../capabilities.ts';
import type { SearchEngine } from '../engine.ts';
import { needsOf, type UnboundRetriever } from '../retriever.ts';
import { INSIDE_PARAMETER, UNIT_PARAMETER } from './engine-retriever.ts';

const SIZE: Readonly<Record<Unit, number>> = { document: 3, passage: 2, sentence: 1 };

export const maxP: Member<UnboundRetriever> = member({
  name: 'max-p',
  summary: 'Another retriever, queried for smaller parts; a unit has the score of its best part',
  paper:
    'Dai and Callan, Deeper Text Understanding for IR with Contextual Neural Language Modeling, SIGIR 2019 (MaxP)',
  cost: 'that of the retriever inside, down to the depth; counts as one retrieval',
  parameters: [
    INSIDE_PARAMETER,
    { ...UNIT_PARAMETER, default: 'passage' },
    {
      name: 'parts',
      type: 'text',
      default: 'sentence',
      choices: ['passage', 'sentence'],
      summary: 'the unit that the retriever inside searches',
    },
    {
      name: 'depth',
      type: 'integer',
      default: 300,
      min: 1,
      max: 1e6,
      summary: 'number of parts to search, or the requested number of hits if that is greater',
    },
  ],
  create(settings, name, family) {
    const { unit, parts } = settings;
    if (SIZE[parts] >= SIZE[unit])
      throw new InputError('bad-parameter', 'Invalid parameter "parts" of the retriever "max-p"', {
        expected: `smaller than the unit, which is ${unit}`,
        received: parts,
      });
    const inside = family.create(settings.retriever);
    const depth = settings.depth;
    return {
      name,
      ...needsOf(inside),
      bind(engine, resource) {
        const who = `The retriever "${name}"`;
        checkRequirements(who, { units: [unit, parts] }, engine);
        const bound = inside.bind(engine, resource);
        return {
          name,
          unit,
          async retrieve(queries, k, call, within) {
            const whole = within?.unit ?? unit;
            // A unit no larger than the parts contains none of them: asks for the unit itself.
            if (SIZE[whole] <= SIZE[parts])
              return bound.retrieve(queries, k, call, { ...within, unit: whole });
            const lists = await bound.retrieve(queries, k === 0 ? 0 : Math.max(k, depth), call, {
              ...within,
              unit: parts,
            });
            const ranked = async (rankings: readonly Ranking[]): Promise<Ranking[]> => {
              const wholesOf = await holders(rankings, whole, engine, call);
              return rankings.map(list => bestOf(list, wholesOf).slice(0, k));
            };
            const leading = lists.map(list => leadingParts(list, k));
            const found = await ranked(leading);
            // A chunker may leave parts out of every whole.
            const lacks = (at: number): boolean => leading[at]!.length < lists[at]!.length;
            return found.some(({ length }, at) => length < k && lacks(at)) ? ranked(lists) : found;
          },
        };
      },
    };
  },
});

type Place = Omit<Hit, 'score'>;
type Places = readonly Place[];

/**
 * Returns the parts that decide the best k wholes if each part is in one: those as good as the
 * first of the k-th document.
 */
function leadingParts(list: Ranking, k: number): Ranking {
  const documents = new Set<string>();
  for (const [at, { documentId, score }] of list.entries()) {
    if (documents.size >= k && score < list[at - 1]!.score) return list.slice(0, at);
    documents.add(documentId);
  }
  return list;
}

/** Returns the items of each hit document, in order. */
async function holders(
  lists: readonly Ranking[],
  unit: Unit,
  engine: SearchEngine,
  call: Call,
): Promise<ReadonlyMap<string, Places>> {
  const ids = documentsOf(lists);
  if (ids.length === 0) return new Map();
  if (unit === 'document') {
    const documents = await engine.read('document', ids, call);
    return new Map(
      documents.map(({ id, text }) => [id, [{ id, documentId: id, start: 0, end: text.length }]]),
    );
  }
  const items = await engine.parts(unit, ids, call);
  const places = new Map<string, Places>();
  for (const [index, id] of ids.entries()) places.set(id, items[index]!);
  return places;
}

function documentsOf(lists: readonly Ranking[]): string[] {
  const ids = new Set<string>();
  for (const list of lists) for (const { documentId } of list) ids.add(documentId);
  return [...ids];
}

/** Scores each whole by its best part; a part across two passages belongs to the first. */
function bestOf(list: Ranking, wholesOf: ReadonlyMap<string, Places>): Ranking {
  const best = new Map<string, Hit>();
  for (const { documentId, start, end, score } of list) {
    const wholes = wholesOf.get(documentId)!;
    const isAround = (whole: Place): boolean => whole.start <= start && start < whole.end;
    const isInside = wholes.some(whole => isAround(whole) && end <= whole.end);
    for (const whole of wholes) {
      if (!isAround(whole) || (isInside && end > whole.end) || best.has(whole.id)) continue;
      best.set(whole.id, hitOf(whole, score));
    }
  }
  return [...best.values()].sort(compareHits);
}

/** Leaves the text alone, which a stored item cuts out of its document when it is asked for. */
function hitOf({ id, documentId, start, end }: Place, score: number): Hit {
  return { id, documentId, start, end, score };
}
