/** Retrievers: filters that meet, searches as hops record them, hits as evidence. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freeCall } from '../core/trace/call.ts';
import { askEvents } from '../run/ask.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { hashedEmbedder } from '../testing/hashed-embedder.ts';
import { engineOf } from '../testing/strategy-run.ts';
import { bothFilters, keptFrom, searchAll } from './retriever.ts';
import { retrievers } from './retrievers.ts';

const bind = (name: string) =>
  retrievers.create(name).bind(engineOf(FIXTURE_DOCUMENTS, [hashedEmbedder()]));

test('two filters are combined, one alone is unchanged', () => {
  const [a, b] = [
    { op: 'eq', field: 'a', value: 1 } as const,
    { op: 'eq', field: 'b', value: 2 } as const,
  ];
  assert.deepEqual(bothFilters(a, b), { op: 'and', filters: [a, b] });
  assert.deepEqual(
    [bothFilters(a, undefined), bothFilters(undefined, b), bothFilters(undefined, undefined)],
    [a, b, undefined],
  );
});

test('lexical is lexical(bm25), and its unit is part of its name', () => {
  for (const name of ['lexical', 'lexical(bm25)', 'lexical(scorer=bm25(k1=1.5), unit=document)'])
    assert.equal(retrievers.canonical(name), 'lexical');
  assert.equal(
    retrievers.canonical('lexical(unit=passage, scorer=s1)'),
    'lexical(s1, unit=passage)',
  );
  assert.throws(() => retrievers.create('lexical(bm52)'), { code: 'unknown-scorer' });
});

test('searches record text, filter, origin and hits', async () => {
  const filter = { op: 'eq', field: 'source', value: 'Notices' } as const;
  const from = { hop: 0, search: 0, id: 'x' };
  const [first, second] = await searchAll(
    bind('lexical'),
    [{ text: 'ferry' }, { text: 'ferry', filter, from }],
    1,
    freeCall(),
  );
  assert.deepEqual(
    [first!.text, first!.filter, first!.from, first!.retriever, first!.unit],
    ['ferry', undefined, undefined, 'lexical', 'document'],
  );
  assert.deepEqual([second!.filter, second!.from, second!.hits.length], [filter, from, 1]);
});

test('a kept document has no spans, a passage has its own', async () => {
  const [documents] = await searchAll(bind('lexical'), [{ text: 'ferry' }], 1, freeCall());
  assert.deepEqual(Object.keys(keptFrom(documents!, { hop: 0, search: 0 }, documents!.hits[0]!)), [
    'id',
    'documentId',
    'search',
    'score',
  ]);
  const [sentences] = await searchAll(
    bind('lexical(unit=sentence)'),
    [{ text: 'apprentices' }],
    1,
    freeCall(),
  );
  const hit = sentences!.hits[0]!;
  assert.deepEqual(keptFrom(sentences!, { hop: 1, search: 3 }, hit), {
    id: hit.id,
    documentId: hit.documentId,
    search: { hop: 1, search: 3 },
    score: hit.score,
    spans: [[hit.start, hit.end]],
  });
});

describe('names that nest', () => {
  test('every part is canonical', () => {
    const cases = [
      ['dense(space=hashed, unit=document)', 'dense(hashed)'],
      ['dense(unit=passage, space=hashed)', 'dense(hashed, unit=passage)'],
      ['hybrid', 'hybrid(none)'],
      ['dense("BAAI/bge-small-en-v1.5")', 'dense(BAAI/bge-small-en-v1.5)'],
      ['fused', 'fused(lexical, clauses(lexical))'],
      [
        'fused(lexical(bm25), dense(hashed), method=rrf, k=60, weights="1:2")',
        'fused(lexical, dense(hashed), weights=1:2)',
      ],
      [
        'fused(lexical, dense(hashed), lexical(scorer=s1), weights="2: 1.50:1")',
        'fused(lexical, dense(hashed), lexical(s1), weights=2:1.5:1)',
      ],
      [
        'filtered(lexical(bm25), "source=\'The Verge\'   and year>=2020")',
        'filtered(lexical, "source = \\"The Verge\\" and year >= 2020")',
      ],
    ] as const;
    for (const [written, canonical] of cases) {
      assert.equal(retrievers.canonical(written), canonical);
      assert.equal(retrievers.canonical(canonical), canonical);
      assert.equal(retrievers.create(written).name, canonical);
    }
  });

  test('errors of a retriever inside are reported', () => {
    const cases = [
      ['fused(lexicla, lexical)', 'unknown-retriever', /Did you mean lexical\?/],
      ['fused(lexical, fused(dense, lexical))', 'missing-parameter', /as in dense\(bge/],
      [
        'fused(lexical, lexical, weights=1:2:3)',
        'bad-parameter',
        /expected 2 weights, one a part, received 3/,
      ],
      ['fused(lexical, lexical, weights=1:x)', 'bad-parameter', /as 2:1/],
      ['fused(lexical, lexical, weights=0:0)', 'bad-parameter', /as 2:1/],
      ['fused(lexical, lexical, method=rff)', 'bad-parameter', /Did you mean rrf\?/],
      ['filtered(lexical)', 'missing-parameter', /for example/],
      ['filtered(lexical, "source =")', 'bad-filter', /./],
      ['fused(none, lexical)', 'unknown-retriever', /none/],
    ] as const;
    for (const [written, code, message] of cases)
      assert.throws(() => retrievers.create(written), { code, message }, written);
    // The command line asks for the canonical name first.
    assert.throws(() => retrievers.create(retrievers.canonical('filtered(lexical)')), {
      code: 'missing-parameter',
    });
  });

  test('parts that return different units are refused when they are bound', () => {
    assert.throws(() => bind('fused(lexical, dense(hashed, unit=passage))'), {
      code: 'mixed-units',
      message: /expected document, received passage.*unit=passage/,
    });
  });

  test('a retriever of a third party nests in all of ours', async () => {
    const more = retrievers.with({
      name: 'mine',
      summary: '',
      create: (_settings, name) => ({ ...retrievers.create('lexical'), name }),
    });
    const retriever = more
      .create('fused(mine, filtered(mine, "source = Notices"))')
      .bind(engineOf(FIXTURE_DOCUMENTS, [hashedEmbedder()]));
    assert.equal(retriever.name, 'fused(mine, filtered(mine, "source = \\"Notices\\""))');
    assert.equal((await retriever.retrieve([{ text: 'ferry' }], 9, freeCall()))[0]!.length, 2);
  });
});

test('however much is inside, a query is one retrieval in the ledger', async () => {
  for (const retriever of [
    'lexical',
    'fused(lexical, dense(hashed), lexical(s1))',
    'filtered(fused(lexical, dense(hashed)), "year = 2024")',
  ]) {
    const events = askEvents(
      'ferry',
      {
        engine: engineOf(FIXTURE_DOCUMENTS, [hashedEmbedder()]),
        strategy: 'fixed-top-k',
        retriever,
        reader: 'evidence-only',
      },
      () => 0,
    );
    let step = await events.next();
    while (!step.done) step = await events.next();
    assert.equal(step.value.spent.retrievals, 1, retriever);
  }
});

test('each part is searched as deep as it takes, by the rank and by the score', async () => {
  const asked: number[] = [];
  const engine = engineOf(FIXTURE_DOCUMENTS, [hashedEmbedder()]);
  const search = engine.search.bind(engine);
  engine.search = (request, call) => {
    asked.push(request.k);
    return search(request, call);
  };
  for (const [name, k] of [
    ['fused(lexical, dense(hashed))', 5],
    ['fused(lexical, dense(hashed), depth=20)', 5],
    ['fused(lexical, dense(hashed), depth=20)', 300],
  ] as const)
    await retrievers
      .create(name)
      .bind(engine)
      .retrieve([{ text: 'ferry' }], k, freeCall());
  assert.deepEqual(asked, [100, 100, 20, 20, 300, 300]);
});

describe('parts', () => {
  const names = (name: string): string[] | undefined => bind(name).parts?.map(part => part.name);

  test('lists the fused retrievers by name; others have none', () => {
    assert.deepEqual(names('fused(lexical, dense(hashed))'), ['lexical', 'dense(hashed)']);
    assert.deepEqual(
      names('hybrid(hashed)'),
      ['lexical(bm25(stop=english), unit=passage)', 'dense(hashed, unit=passage)'].map(
        retrievers.canonical,
      ),
    );
    assert.deepEqual(names('hybrid(none)'), [
      retrievers.canonical('lexical(bm25(stop=english), unit=passage)'),
    ]);
    for (const name of ['lexical', 'dense(hashed)', 'clauses(fused(lexical, dense(hashed)))'])
      assert.equal(names(name), undefined);
    assert.deepEqual(
      bind('fused(lexical, dense(hashed))').parts!.map(({ space }) => space),
      [undefined, 'hashed'],
    );
  });

  test('a part finds what a retriever of its name finds', async () => {
    const queries = [{ text: 'the smoke of the furnaces' }];
    for (const name of ['fused(lexical, dense(hashed))', 'hybrid(hashed)'])
      for (const part of bind(name).parts!)
        for (const unit of ['sentence', 'document'] as const)
          assert.deepEqual(
            await part.retrieve(queries, 5, freeCall(), { unit }),
            await bind(part.name).retrieve(queries, 5, freeCall(), { unit }),
          );
  });

  test('the filter of the run holds for what a strategy asks of the parts, and its budget of retrievals too', async () => {
    const filter = { op: 'in', field: 'source', values: ['The Meridian'] } as const;
    const engine = engineOf(FIXTURE_DOCUMENTS, [hashedEmbedder()]);
    const ask = async (budget = {}) => {
      const options = {
        engine,
        strategy: 'fact-lanes',
        retriever: 'fused(lexical, dense(hashed))',
        context: 'whole',
        reader: 'evidence-only',
      };
      const events = askEvents(
        'Did the Tarn Gazette measure furnace smoke, and who made a rope?',
        { ...options, filter, budget },
        () => 0,
      );
      for (;;) {
        const step = await events.next();
        if (step.done) return step.value;
      }
    };
    const trace = await ask();
    const hits = trace.hops.flatMap(({ searches }) => searches.flatMap(search => search.hits));
    const allowed = new Set(
      FIXTURE_DOCUMENTS.flatMap(({ id, metadata }) =>
        metadata['source'] === 'The Meridian' ? [id] : [],
      ),
    );
    assert.ok(hits.length > 0 && trace.evidence.length > 0);
    for (const { documentId } of hits) assert.ok(allowed.has(documentId), documentId);
    const { retrievals } = trace.spent;
    assert.equal(retrievals, trace.hops[0]!.searches.length);
    const less = await ask({ retrievals: retrievals! - 1 });
    assert.deepEqual(less.stopped, { by: 'limit', limit: 'retrievals' });
    assert.ok(less.spent.retrievals! < retrievals!);
    assert.equal((await ask({ retrievals: retrievals! })).stopped, undefined);
  });
});
