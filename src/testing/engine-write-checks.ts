/**
 * Defines the laws of writing to an engine: the effect of put and remove, and that snapshots do not
 * change.
 */
import type { Document } from '../core/corpus/document.ts';
import { InputError } from '../core/errors.ts';
import type { Ranking, Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import type { Engine, SearchEngine } from '../search/engine.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
import { type Law, law, same, throws } from './law.ts';

type Make = (documents: readonly Document[]) => Promise<Engine>;

const call = freeCall();
/** More hits than the fixture has items. */
const ALL = 1000;
const [first, second] = FIXTURE_DOCUMENTS as readonly [Document, Document];
const isDuplicate = (error: unknown): boolean =>
  InputError.is(error) && error.code === 'duplicate-id';
const isUnknown = (error: unknown): boolean => InputError.is(error) && error.code === 'unknown-id';

interface Everything {
  readonly rankings: readonly (readonly Ranking[])[];
  readonly sources: unknown;
  readonly fields: unknown;
}
type ReadEverything = (of: Engine | SearchEngine) => Promise<Everything>;

/** Returns all observable results of an engine as one value. */
async function everythingOf(
  of: Engine | SearchEngine,
  units: readonly Unit[],
): Promise<Everything> {
  if (!('snapshot' in of)) return everythingIn(of, units);
  await using engine = await of.snapshot();
  return await everythingIn(engine, units);
}

async function everythingIn(engine: SearchEngine, units: readonly Unit[]): Promise<Everything> {
  const queries = FIXTURE_QUESTIONS.map(({ text }) => ({ text }));
  const rankings = await Promise.all(
    units.map(unit => engine.search({ unit, k: ALL, queries }, call)),
  );
  return {
    rankings,
    sources: await engine.values('source', {}, call),
    fields: await engine.fields(call),
  };
}

/** Returns the results without scores and the order by them. */
const unscored = ({ rankings, ...others }: Everything): unknown => ({
  ...others,
  found: rankings.map(each => each.map(ranking => ranking.map(({ id }) => id).sort())),
});

export function checkWrites(make: Make, units: readonly Unit[], countsRemoved: boolean): Law[] {
  const everything: ReadEverything = of => everythingOf(of, units);
  const afterRemoval = async (of: Engine): Promise<unknown> =>
    countsRemoved ? unscored(await everything(of)) : everything(of);
  return [
    law('engine: putting equal documents again changes nothing', async () => {
      const engine = await make(FIXTURE_DOCUMENTS);
      const before = await everything(engine);
      const again = FIXTURE_DOCUMENTS.map(document => structuredClone(document));
      const counts = { added: 0, changed: 0, unchanged: again.length, removed: 0 };
      same(await engine.put(again, call), counts, 'put the same');
      same(await everything(engine), before, 'results of the engine');
    }),
    law('engine: a changed document replaces the old one', () => checkChange(make, afterRemoval)),
    law('engine: documents put one by one equal documents put at once', async () => {
      const engine = await make([]);
      for (const document of FIXTURE_DOCUMENTS)
        same((await engine.put([document], call)).added, 1, `added by ${document.id}`);
      same(
        await everything(engine),
        await everything(await make(FIXTURE_DOCUMENTS)),
        'results of the engine',
      );
    }),
    law('engine: removal deletes documents; unknown ids are rejected and nothing is removed', () =>
      checkRemoval(make, everything, afterRemoval),
    ),
    law('engine: a batch with a duplicate id is rejected and nothing is written', async () => {
      const engine = await make([first]);
      const before = await everything(engine);
      const batch = [second, { ...second, text: 'Another text.' }];
      await throws(() => engine.put(batch, call), isDuplicate, 'put', 'InputError duplicate-id');
      same(await everything(engine), before, 'results of the engine');
    }),
    law('engine: a snapshot does not change during writes', () => checkSnapshot(make, everything)),
  ];
}

type AfterRemoval = (of: Engine) => Promise<unknown>;

async function checkChange(make: Make, afterRemoval: AfterRemoval): Promise<void> {
  const engine = await make(FIXTURE_DOCUMENTS);
  const changes: Document[] = [
    { ...first, text: 'A walrus now lives in the tower.' },
    { ...first, text: 'A walrus now lives in the tower.', title: 'Walrus' },
    {
      ...first,
      text: 'A walrus now lives in the tower.',
      title: 'Walrus',
      metadata: { source: 'Walrus Weekly' },
    },
  ];
  for (const changed of changes) {
    same(
      await engine.put([changed], call),
      { added: 0, changed: 1, unchanged: 0, removed: 0 },
      'put a changed document',
    );
    same(
      await (await engine.snapshot()).read('document', [first.id], call),
      [changed],
      'the document',
    );
    const others = FIXTURE_DOCUMENTS.filter(({ id }) => id !== first.id);
    same(
      await afterRemoval(engine),
      await afterRemoval(await make([...others, changed])),
      'results of the engine',
    );
  }
}

async function checkRemoval(
  make: Make,
  everything: ReadEverything,
  afterRemoval: AfterRemoval,
): Promise<void> {
  const engine = await make(FIXTURE_DOCUMENTS);
  const before = await everything(engine);
  await throws(
    () => engine.remove([first.id, 'no such id'], call),
    isUnknown,
    'remove',
    'InputError unknown-id',
  );
  same(await everything(engine), before, 'results after a rejected removal');
  same((await engine.remove([first.id, second.id], call)).removed, 2, 'removed');
  await throws(
    async () => (await engine.snapshot()).read('document', [first.id], call),
    isUnknown,
    'read a removed document',
    'InputError unknown-id',
  );
  const rest = FIXTURE_DOCUMENTS.filter(({ id }) => id !== first.id && id !== second.id);
  same(await afterRemoval(engine), await afterRemoval(await make(rest)), 'results of the engine');
}

async function checkSnapshot(make: Make, everything: ReadEverything): Promise<void> {
  const engine = await make(FIXTURE_DOCUMENTS);
  const untouched = await engine.snapshot();
  const read = await engine.snapshot();
  const before = await everything(read);
  await engine.put([{ ...first, text: 'Changed.', metadata: { colour: 'red' } }], call);
  await engine.remove([second.id], call);
  same(await everything(read), before, 'a snapshot that was read before the writes');
  same(await everything(untouched), before, 'a snapshot that is first read after the writes');
  same(
    await read.read('document', [first.id, second.id], call),
    [first, second],
    'documents of the snapshot',
  );
}
