/** `max-p` and `clauses` against their definitions, computed the slow way. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Chunker } from '../../core/corpus/chunker.ts';
import type { Ranking } from '../../core/ranking/ranking.ts';
import { freeCall } from '../../core/trace/call.ts';
import { clausesOf } from '../../language/english/question/clauses.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../testing/fixture-corpus.ts';
import { hashedEmbedder } from '../../testing/hashed-embedder.ts';
import { EmbeddedEngine } from '../embedded-engine.ts';
import { retrievers } from '../retrievers.ts';
import { compositionOf } from './hybrid.ts';

const engine = new EmbeddedEngine({
  embedders: [hashedEmbedder()],
  documents: FIXTURE_DOCUMENTS,
  chunker: chunkers.create('tokens(size=20, overlap=6)'),
});
const call = freeCall();
const ALL = 10_000;
const search = async (name: string, text: string, k = ALL): Promise<Ranking> =>
  (await retrievers.create(name).bind(engine.current).retrieve([{ text }], k, call))[0]!;

describe('max-p', () => {
  test('the score of a passage is that of its best sentence', async () => {
    const passages = (
      await engine.current.parts(
        'passage',
        FIXTURE_DOCUMENTS.map(({ id }) => id),
        call,
      )
    ).flat();
    let checked = 0;
    for (const { text } of FIXTURE_QUESTIONS) {
      const sentences = await search('lexical(unit=sentence)', text);
      const found = new Map((await search('max-p(lexical)', text)).map(hit => [hit.id, hit.score]));
      for (const passage of passages) {
        const inside = sentences.filter(
          ({ documentId, start, end }) =>
            documentId === passage.documentId && start >= passage.start && end <= passage.end,
        );
        if (inside.length === 0) continue;
        checked++;
        assert.equal(
          found.get(passage.id),
          Math.max(...inside.map(({ score }) => score)),
          passage.id,
        );
      }
    }
    assert.ok(checked > 20, `${checked} passages`);
  });

  test('a sentence that no passage holds whole counts for the passage in which it begins', async () => {
    const cut = new EmbeddedEngine({
      documents: FIXTURE_DOCUMENTS,
      chunker: chunkers.create('tokens(size=3, overlap=0)'),
    });
    const [sentences] = await cut.current.search(
      { unit: 'sentence', k: 1, queries: [{ text: 'lighthouse' }] },
      call,
    );
    const [found] = await retrievers
      .create('max-p')
      .bind(cut.current)
      .retrieve([{ text: 'lighthouse' }], 1, call);
    const [{ start, end }] = found as [Ranking[number]];
    assert.ok(start <= sentences![0]!.start && sentences![0]!.start < end);
  });

  test('documents by their best passage', async () => {
    const documents = await search('max-p(lexical, unit=document, parts=passage)', 'lighthouse');
    const passages = await search('lexical(unit=passage)', 'lighthouse');
    assert.equal(documents[0]!.id, passages[0]!.documentId);
    assert.equal(documents[0]!.score, passages[0]!.score);
    assert.deepEqual(
      [documents[0]!.start, documents[0]!.end],
      [0, FIXTURE_DOCUMENTS.find(({ id }) => id === documents[0]!.id)!.text.length],
    );
  });

  test('the best k are those of the whole ranking, also where a chunker leaves text out', async () => {
    const words = chunkers.create('tokens(size=4, overlap=0)');
    const everySecond: Chunker = {
      name: words.name,
      chunk: document => words.chunk(document).filter((_, at) => at % 2 === 1),
    };
    const gaps = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS, chunker: everySecond });
    for (const { text } of FIXTURE_QUESTIONS)
      for (const { current } of [engine, gaps]) {
        const best = retrievers.create('max-p').bind(current);
        const [all] = await best.retrieve([{ text }], ALL, call);
        for (const k of [1, 2, 3, 5, 8]) {
          const [few] = await best.retrieve([{ text }], k, call);
          assert.deepEqual(few, all!.slice(0, k));
        }
      }
  });

  test('refuses units that do not nest', () => {
    for (const name of ['max-p(unit=sentence)', 'max-p(unit=passage, parts=passage)'])
      assert.throws(() => retrievers.create(name), { code: 'bad-parameter' });
  });
});

describe('hybrid', () => {
  test('equals its long form, under its own name', async () => {
    for (const unit of ['document', 'passage'] as const) {
      const question = FIXTURE_QUESTIONS[0]!.text;
      assert.deepEqual(
        await search(`hybrid(hashed, unit=${unit})`, question, 20),
        await search(compositionOf('hashed', unit), question, 20),
      );
    }
    assert.equal(retrievers.create('hybrid').bind(engine.current).name, 'hybrid(none)');
    assert.equal(retrievers.create('hybrid').bind(engine.current).unit, 'passage');
    // The name in the table of Multi-Meta-RAG, letter by letter.
    assert.equal(
      compositionOf('bge', 'passage'),
      'fused(lexical(bm25(stop=english), unit=passage), clauses(lexical(bm25(stop=english), unit=passage)), ' +
        'clauses(max-p(lexical(bm25(stop=english)), unit=passage)), clauses(dense(bge, unit=passage)), method=weighted)',
    );
    assert.doesNotMatch(compositionOf('none', 'passage'), /dense/);
    assert.match(
      compositionOf('bge', 'document', 'sentence'),
      /clauses\(max-p\(dense\(bge\), unit=document\)\)/,
    );
  });
});

describe('clauses', () => {
  const question =
    'Who kept the lighthouse of Harrow Point, and which ferry sailed from the harbour at dawn?';

  test('a hit scores as by its best clause', async () => {
    assert.equal(clausesOf(question).length, 2);
    const expected = new Map<string, number>();
    for (const clause of clausesOf(question)) {
      const hits = await search('lexical', clause);
      const [least, most] = [hits.at(-1)!.score, hits[0]!.score];
      for (const { id, score } of hits)
        expected.set(id, Math.max(expected.get(id) ?? 0, (score - least) / (most - least)));
    }
    const found = await search('clauses(lexical)', question);
    assert.deepEqual(
      new Map(found.map(({ id, score }) => [id, score])),
      new Map([...expected].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))),
    );
  });

  test('a question of one clause keeps the order of the retriever inside', async () => {
    const ids = async (name: string): Promise<string[]> =>
      (await search(name, 'Who kept the lighthouse?')).map(({ id }) => id);
    assert.deepEqual(await ids('clauses(lexical)'), await ids('lexical'));
  });
});
