/** Tests whole runs of `fact-lanes`: plain sums instead of weights, and repeats among sections. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Block, Document } from '../../core/corpus/document.ts';
import { defaultsOf } from '../../core/naming/family.ts';
import type { Trace } from '../../core/trace/trace.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../testing/fixture-corpus.ts';
import { hashedEmbedder } from '../../testing/hashed-embedder.ts';
import { engineOf, runOf } from '../../testing/strategy-run.ts';
import { factLanesWith } from './fact-lanes.ts';
import { FACT_LANES_PARAMETERS, type FactLanesSettings } from './settings.ts';
import type { LanesView } from './view.ts';

async function run(
  text: string,
  documents: readonly Document[],
  settings: Partial<FactLanesSettings> = {},
  retriever = 'lexical',
): Promise<{ readonly view: LanesView; readonly trace: Trace }> {
  let view: LanesView | undefined;
  const all = { ...defaultsOf(FACT_LANES_PARAMETERS), ...settings };
  const strategy = factLanesWith(all, 'fact-lanes', { onRanked: told => (view = told) });
  const { trace } = await runOf(strategy, {
    question: { id: 'q', text },
    engine: engineOf(documents, [hashedEmbedder()]),
    retriever,
    context: 'whole',
  });
  return { view: view!, trace };
}

describe('ranker=sum', () => {
  /** Words, vectors, and the half of document and source, in the best clause; all by the view. */
  const sums = (view: LanesView): Map<string, number> => {
    const clauses = view.lanes.length > 1 ? view.lanes.keys().drop(1).toArray() : [0];
    return new Map(
      view.found.map(({ hit }, at) => [
        hit.id,
        Math.max(
          ...clauses.map(lane =>
            [
              view.words[lane]![at]!,
              view.vectors[lane]![at]!,
              view.documents[lane]![at]! / 2,
              view.own[lane]![at]! / 2,
            ].reduce((sum, score) => sum + score, 0),
          ),
        ),
      ]),
    );
  };

  test('scores evidence by the plain sum of its signals, for every kind of corpus', async () => {
    const bare = FIXTURE_DOCUMENTS.map(document => ({ ...document, metadata: {} }));
    const short = bare.map(document => ({ ...document, title: '' }));
    const kinds = new Set<string>();
    for (const documents of [FIXTURE_DOCUMENTS, bare, short])
      for (const { text } of FIXTURE_QUESTIONS)
        for (const retriever of ['lexical', 'fused(lexical, dense(hashed))']) {
          const { view, trace } = await run(text, documents, { ranker: 'sum' }, retriever);
          kinds.add(view.kind);
          const expected = sums(view);
          for (const { id, score } of trace.evidence)
            assert.ok(Math.abs(score - expected.get(id)!) < 1e-9, `${text}: ${id}`);
        }
    assert.ok(kinds.size >= 2, [...kinds].join());
    const { view, trace } = await run(FIXTURE_QUESTIONS[0]!.text, FIXTURE_DOCUMENTS);
    const plain = sums(view);
    assert.ok(trace.evidence.some(({ id, score }) => Math.abs(score - plain.get(id)!) > 1e-6));
  });
});

/** A document of one section a heading. */
function manual(id: string, sections: readonly (readonly [string, string])[]): Document {
  let text = '';
  const outline: Block[] = [];
  for (const [heading, body] of sections)
    for (const [kind, part] of [
      ['heading', heading],
      ['prose', body],
    ] as const) {
      outline.push({ start: text.length, heading: [heading], kind });
      text += `${part}\n\n`;
    }
  return { id, title: '', text: text.trimEnd(), metadata: {}, outline };
}

describe('vectors of sentences', () => {
  const QUESTION = 'When are idle connections closed?';
  const asked = async (documents: readonly Document[]) => {
    const embedder = hashedEmbedder();
    const all = defaultsOf(FACT_LANES_PARAMETERS);
    const { trace } = await runOf(factLanesWith(all, 'fact-lanes'), {
      question: { id: 'q', text: QUESTION },
      context: 'whole',
      engine: engineOf(documents, [embedder]),
      retriever: 'fused(lexical, dense(hashed))',
    });
    const passages = embedder.calls.filter(({ as }) => as === 'passage').length;
    return { trace, passages };
  };
  const headed = ['kestrel', 'heron'].map(name =>
    manual(`${name}/a.md`, [['idleTimeout', `Idle connections of ${name} are closed after it.`]]),
  );

  test('are not embedded where sections are kept, which words rank', async () => {
    const { trace, passages } = await asked(headed);
    assert.equal(passages, 0);
    const { trace: byWords } = await run(QUESTION, headed);
    const idsOf = (trace: Trace): string[] => trace.evidence.map(({ id }) => id);
    assert.ok(idsOf(trace).length > 0);
    assert.deepEqual(idsOf(trace), idsOf(byWords));
  });
});
