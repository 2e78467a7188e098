/**
 * Tests the context `sentences` under every strategy, over documents, passages and sentences: it
 * shows whole sentences, and citations can be located.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mulberry32 } from '../src/core/mulberry32.ts';
import type { Unit } from '../src/core/ranking/ranking.ts';
import { freeCall } from '../src/core/trace/call.ts';
import type { Question, Trace, TraceEvent } from '../src/core/trace/trace.ts';
import type { TokenClassifiers } from '../src/models/efficient-rag/token-classifiers.ts';
import { initialParameters } from '../src/models/tree-hop/parameters.ts';
import { treeHopUpdater } from '../src/models/tree-hop/tree-hop-updater.ts';
import { askEvents } from '../src/run/ask.ts';
import { documentsOf, showCitations } from '../src/session/evidence-view.ts';
import { showEvidence } from '../src/session/shown-evidence.ts';
import { strategies } from '../src/strategies/strategies.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../src/testing/fixture-corpus.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { engineOf } from '../src/testing/strategy-run.ts';
import { checkTrace } from '../src/testing/trace-checks.ts';

const engine = engineOf(FIXTURE_DOCUMENTS, [hashedEmbedder('hashed', 16)]);
const parameters = initialParameters({ d: 16, g: 8, m: 8, nMlp: 1, heads: 1 }, mulberry32(16), 0.1);
const queryUpdaters = [
  treeHopUpdater({ parameters, provenance: {} }, { id: 'tree-hop', space: 'hashed' }),
];
/**
 * The shipped classifiers find nothing useful in some of these documents; these find everything.
 */
const tokenClassifiers: TokenClassifiers[] = [
  {
    id: 'all',
    labeler: {
      label: async (_, chunks) => chunks.map(() => ({ tag: 'CONTINUE', useful: 1, info: 'lamp' })),
    },
    filter: { compose: async (query, infos) => `${query} ${infos[0] ?? ''}` },
  },
];
const givenName = (name: string): string =>
  name === 'efficient-rag' ? 'efficient-rag(model=all)' : name;
const context = 'sentences(perDocument=2)';
const sentenceSpans = new Map(
  (
    await engine.parts(
      'sentence',
      FIXTURE_DOCUMENTS.map(({ id }) => id),
      freeCall(),
    )
  ).map((sentences, index) => [
    FIXTURE_DOCUMENTS[index]!.id,
    new Set(sentences.map(({ start, end }) => `${start}-${end}`)),
  ]),
);

async function runOf(
  strategy: string,
  unit: Unit,
  reader: string,
  question: Question,
): Promise<{ events: TraceEvent[]; trace: Trace }> {
  const retriever =
    strategy === 'tree-hop' ? `dense(hashed, unit=${unit})` : `lexical(unit=${unit})`;
  const given = {
    engine,
    strategy: givenName(strategy),
    retriever,
    context,
    reader,
    resources: { 'query-updater': queryUpdaters, 'token-classifiers': tokenClassifiers },
    id: question.id,
  };
  const source = askEvents(question.text, given, () => 0);
  const events: TraceEvent[] = [];
  for (;;) {
    const step = await source.next();
    if (step.done) return { events, trace: step.value };
    events.push(step.value);
  }
}

function checkContext({ context: built, evidence }: Trace): void {
  assert.equal(built.name, context);
  assert.ok(built.text !== '' && built.parts.length > 0);
  for (const { documentId, spans } of built.parts) {
    assert.ok(spans.length > 0, `${documentId} shows something`);
    for (const [start, end] of spans) {
      assert.ok(
        sentenceSpans.get(documentId)!.has(`${start}-${end}`),
        `${documentId} ${start}-${end} is a sentence`,
      );
      const holds = evidence.some(
        item =>
          item.documentId === documentId &&
          item.spans.some(span => span[0] <= start && end <= span[1]),
      );
      assert.ok(holds, `${documentId} ${start}-${end} is in the evidence`);
    }
  }
}

/**
 * Checks that every citation names its evidence item and is at its offsets in the document, and
 * that a kept sentence names its passage.
 */
async function checkPlaces(trace: Trace): Promise<void> {
  const documents = await documentsOf(sentenceSpans.keys(), engine);
  for (const { id, documentId, start, end, text } of showCitations(trace, documents)) {
    const item = trace.evidence.find(each => each.id === id)!;
    assert.ok(
      item.documentId === documentId && item.spans.some(span => span[0] <= start && end <= span[1]),
    );
    assert.equal(text, documents.get(documentId)!.text.slice(start, end));
  }
  const { evidence } = showEvidence(trace, documents);
  for (const { id, passage, spans, texts, quotes, cited } of evidence) {
    assert.equal(passage !== undefined, id.includes('#s'), `${id} in ${passage}`);
    assert.ok(texts.length > 0, `${id} is shown by its words`);
    assert.ok(quotes.length > 0 || !cited, `${id} has what is cited of it`);
    for (const { start, end } of quotes)
      assert.ok(
        texts.some(text => text.start <= start && end <= text.end),
        `${id} holds ${start}-${end}`,
      );
    if (passage === undefined) continue;
    const [{ start, end } = { start: -1, end: -1 }] = await engine.read(
      'passage',
      [passage],
      freeCall(),
    );
    assert.ok(start <= spans[0]![0] && spans[0]![1] <= end, `${id} is in ${passage}`);
  }
}

for (const { name } of strategies.members) {
  describe(`${context} under ${name}`, () => {
    for (const unit of ['document', 'passage', 'sentence'] as const)
      test(unit, async () => {
        for (const question of FIXTURE_QUESTIONS.slice(0, 4)) {
          for (const reader of ['evidence-only', 'extractive(support=0)']) {
            const ran = await runOf(name, unit, reader, question);
            await checkTrace(ran, engine, question.text);
            checkContext(ran.trace);
            await checkPlaces(ran.trace);
            if (reader === 'evidence-only')
              assert.equal(
                cited(ran.trace),
                ran.trace.context.parts.length,
                'a citation of each document',
              );
          }
        }
      });
  });
}

const cited = ({ answer }: Trace): number =>
  answer.kind === 'evidence' ? answer.citations.length : -1;

test('a later sentence of a definition carries its term, and that of a long block does not', () => {
  const text = `gc.auto: Packs loose objects. The default is 6700.\n\nPlain: text. It has no term.`;
  const document = {
    id: 'git',
    title: 'git',
    text,
    metadata: {},
    outline: [
      { start: 0, heading: ['CONFIGURATION'], kind: 'definition' as const },
      { start: text.indexOf('Plain'), heading: ['NOTES'] },
    ],
  };
  const cite = (sentence: string) => {
    const start = text.indexOf(sentence);
    const citation = { id: 'c', documentId: 'git', start, end: start + sentence.length };
    const answer = { kind: 'answered' as const, text: 'x', citations: [citation] };
    return showCitations({ answer } as never, new Map([['git', document]]))[0]!.heading;
  };
  assert.deepEqual(cite('The default is 6700.'), ['CONFIGURATION', 'gc.auto']);
  assert.deepEqual(cite('gc.auto: Packs'), ['CONFIGURATION']);
  assert.deepEqual(cite('It has no term.'), ['NOTES']);
});
