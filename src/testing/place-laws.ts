/** Defines the laws of places: one suite for memory, folders and servers. */
import type { Document } from '../core/corpus/document.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import type { Place, PlaceSnapshot } from '../search/place.ts';
import { FIXTURE_DOCUMENTS } from './fixture-corpus.ts';
import { hashedEmbedder } from './hashed-embedder.ts';
import { holds, isInput, type Law, law, same, throws } from './law.ts';

export interface OpenedPlace {
  readonly place: Place;
  /** Opens the same place once more; missing for one that no other can open. */
  readonly again?: () => Promise<Place>;
}

/** Opens a new place without documents. */
export type MakePlace = () => Promise<OpenedPlace>;

type Check = (opened: OpenedPlace) => Promise<void>;

const call = freeCall();
const units: readonly Unit[] = ['passage'];
const [first, second] = FIXTURE_DOCUMENTS as readonly [Document, Document];
const ascending = FIXTURE_DOCUMENTS.map(({ id }) => id).sort();

export function placeLaws(make: MakePlace): Law[] {
  const over = (check: Check) => async (): Promise<void> => {
    const opened = await make();
    await using _ = opened.place;
    await check(opened);
  };
  const laws: Readonly<Record<string, Check>> = {
    'a new place is empty': checkEmpty,
    'state and snapshot count what was put and removed': checkCounts,
    'pages list every document once, ascending by id': checkPages,
    'pages and counts pass a filter': checkFilter,
    'a snapshot stays as it is, whatever is written': checkSnapshot,
    'vectors are found by the model in use, and by none without': checkVectors,
    'another one who opens the place sees its documents and its spaces': checkAgain,
    'a place is left twice without harm': async ({ place }) => place[Symbol.asyncDispose](),
  };
  return Object.entries(laws).map(([name, check]) => law(`place: ${name}`, over(check)));
}

/** Works on a snapshot, and disposes of it. */
async function reading<T>(place: Place, work: (snapshot: PlaceSnapshot) => Promise<T>): Promise<T> {
  await using snapshot = await place.snapshot();
  return await work(snapshot);
}

const idsOf = (documents: readonly Document[]): string[] => documents.map(({ id }) => id);

const listed = (place: Place): Promise<string[]> =>
  reading(place, async snapshot => idsOf(await snapshot.page({ limit: 1000 }, call)));

async function checkEmpty({ place }: OpenedPlace): Promise<void> {
  const { documents, spaces } = await place.state(call);
  same({ documents, spaces }, { documents: 0, spaces: [] }, 'the state');
  same(await listed(place), [], 'the first page');
  same(await reading(place, snapshot => snapshot.count(undefined, call)), 0, 'the count');
}

async function checkCounts({ place }: OpenedPlace): Promise<void> {
  const counted = async (): Promise<number[]> => {
    const { documents } = await place.state(call);
    return reading(place, async ({ corpus, count }) => [
      ...[documents, corpus.documents, await count(undefined, call)],
    ]);
  };
  const { length } = FIXTURE_DOCUMENTS;
  const put = await place.put(FIXTURE_DOCUMENTS, call);
  same(put, { added: length, changed: 0, unchanged: 0, removed: 0 }, 'put');
  same(await counted(), [length, length, length], 'the counts after a put');
  const changed = await place.put([{ ...first, text: 'Changed.' }, second], call);
  same(changed, { added: 0, changed: 1, unchanged: 1, removed: 0 }, 'put again');
  const unknown = (): Promise<unknown> => place.remove([first.id, 'no such id'], call);
  await throws(unknown, isInput('unknown-id'), 'remove', 'InputError unknown-id');
  same((await place.remove([first.id, second.id], call)).removed, 2, 'removed');
  same(await counted(), [length - 2, length - 2, length - 2], 'the counts after a removal');
  await reading(place, async ({ engine }) => {
    const read = (): Promise<unknown> => engine.read('document', [first.id], call);
    await throws(read, isInput('unknown-id'), 'a removed document', 'InputError unknown-id');
  });
}

async function checkPages({ place }: OpenedPlace): Promise<void> {
  await place.put(FIXTURE_DOCUMENTS, call);
  await reading(place, async snapshot => {
    for (const limit of [1, 7, 1000]) {
      const ids: string[] = [];
      for (let after: string | undefined; ; after = ids.at(-1)) {
        const page = await snapshot.page({ limit, after }, call);
        holds(page.length <= limit, 'the length of a page', `at most ${limit}`, page.length);
        ids.push(...idsOf(page));
        if (page.length < limit) break;
      }
      same(ids, ascending, `ids on pages of ${limit}`);
    }
    const between = `${ascending[2]}\u0001`;
    const [next] = await snapshot.page({ limit: 1, after: between }, call);
    same(next?.id, ascending[3], 'the document after an id that there is not');
    for (const limit of [0, -1, 1.5, Number.NaN]) {
      const page = (): Promise<unknown> => snapshot.page({ limit }, call);
      await throws(page, isInput('bad-limit'), `a page of ${limit}`, 'InputError bad-limit');
    }
  });
}

async function checkFilter({ place }: OpenedPlace): Promise<void> {
  await place.put(FIXTURE_DOCUMENTS, call);
  const { source } = first.metadata as { readonly source: string };
  const filter = { op: 'eq', field: 'source', value: source } as const;
  const passing = FIXTURE_DOCUMENTS.filter(({ metadata }) => metadata['source'] === source);
  await reading(place, async snapshot => {
    const page = await snapshot.page({ filter, limit: 1000 }, call);
    same(idsOf(page), idsOf(passing).sort(), 'ids that pass');
    same(await snapshot.count(filter, call), passing.length, 'the count');
    const wrong = { ...filter, field: 'sorce' };
    const work: (() => Promise<unknown>)[] = [
      () => snapshot.page({ filter: wrong, limit: 1 }, call),
      () => snapshot.count(wrong, call),
    ];
    for (const each of work)
      await throws(each, isInput('unknown-field'), 'a misspelt field', 'InputError unknown-field');
  });
}

async function checkSnapshot({ place }: OpenedPlace): Promise<void> {
  await place.put(FIXTURE_DOCUMENTS, call);
  await using snapshot = await place.snapshot();
  const seen = async (): Promise<unknown> => {
    const { engine, corpus } = snapshot;
    const queries = [{ text: 'ferry' }];
    const found = await engine.search({ unit: 'sentence', k: 20, queries }, call);
    return [corpus, found, idsOf(await snapshot.page({ limit: 1000 }, call))];
  };
  const before = await seen();
  await place.put([{ ...first, text: 'Changed.' }], call);
  await place.remove([second.id], call);
  same(await seen(), before, 'what the snapshot shows');
}

async function checkVectors({ place }: OpenedPlace): Promise<void> {
  const embedder = hashedEmbedder();
  const search = (): Promise<string[]> =>
    reading(place, async ({ engine }) => {
      const queries = [{ text: first.text }];
      const space = 'hashed';
      const [hits] = await engine.search({ unit: 'passage', k: 1, space, queries }, call);
      return hits!.map(({ documentId }) => documentId);
    });
  await place.use({ embedders: [{ name: 'hashed', embedder, units }] });
  await place.put(FIXTURE_DOCUMENTS, call);
  await place.complete(call);
  same(await search(), [first.id], 'the nearest document');
  const texts = embedder.calls.filter(({ as }) => as === 'passage').length;
  await place.use({ embedders: [{ name: 'hashed', embedder, units }] });
  same(await search(), [first.id], 'the nearest document by a model that was in use');
  const again = embedder.calls.filter(({ as }) => as === 'passage').length;
  same(again, texts, 'calls that embed passages');
  const { spaces } = await place.state(call);
  const found = spaces.map(({ name, dimensions, units: of }) => ({ name, dimensions, units: of }));
  same(found, [{ name: 'hashed', dimensions: embedder.dimensions, units }], 'the spaces');
  await reading(place, async ({ engine }) => {
    const queries = [{ text: 'ferry' }];
    const other = (): Promise<unknown> =>
      engine.search({ unit: 'passage', k: 1, space: 'other', queries }, call);
    await throws(other, isInput('unknown-space'), 'another space', 'InputError unknown-space');
  });
}

async function checkAgain({ place, again }: OpenedPlace): Promise<void> {
  if (!again) return;
  const embedder = hashedEmbedder();
  await place.use({ embedders: [{ name: 'hashed', embedder, units }] });
  await place.put(FIXTURE_DOCUMENTS, call);
  await place.complete(call);
  const state = await place.state(call);
  await using other = await again();
  same(other.label, place.label, 'its label');
  same(await other.state(call), state, 'its state');
  same(await listed(other), ascending, 'its documents');
  await place.remove([first.id], call);
  const left = ascending.filter(id => id !== first.id);
  same(await listed(other), left, 'its documents after a removal by the first');
}
