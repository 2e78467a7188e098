/** Runs each strategy with three readers, and retrievers, over a corpus; hashes the results. */

import { mulberry32 } from '../../src/core/mulberry32.ts';
import { AuditChain } from '../../src/core/trace/audit-chain.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import { type Trace, type TraceEvent, traceOf } from '../../src/core/trace/trace.ts';
import type { Prompt } from '../../src/models/language-model.ts';
import type { Resources } from '../../src/models/resources.ts';
import { initialParameters } from '../../src/models/tree-hop/parameters.ts';
import { treeHopUpdater } from '../../src/models/tree-hop/tree-hop-updater.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { askEvents } from '../../src/run/ask.ts';
import { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import { retrievers } from '../../src/search/retrievers.ts';
import { strategies } from '../../src/strategies/strategies.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import { overlapReranker } from '../../src/testing/overlap-reranker.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { shippedClassifiers } from '../../test/shipped-lite.ts';
import { statedFacts } from '../../test/stated-facts.ts';
import { WELL_FORMED_REPLIES } from '../../test/well-formed-replies.ts';
import type { Corpus } from './corpora.ts';

const READERS = ['combined-reader', 'extractive', 'generative'] as const;
const RETRIEVERS = [
  'lexical',
  'lexical(s1, unit=passage)',
  'lexical(unit=sentence)',
  'dense(hashed)',
  'hybrid(none)',
  'fused(lexical, dense(hashed))',
  'max-p(lexical)',
  'clauses(lexical)',
  'reranked(lexical, overlap)',
];
const D = 16;
/** Digits of a hash that are kept. */
const DIGITS = 12;

/** Hashes of one corpus by row, as "CONTENT OUTCOME": of the whole, and of what came out of it. */
export type Rows = Record<string, string>;

/** Receives what the two hashes are of, for a comparison by eye. */
export type Keep = (row: string, content: readonly string[]) => void;

export async function rowsOf(corpus: Corpus, keep: Keep): Promise<Rows> {
  const { documents } = corpus;
  const engine = new EmbeddedEngine({
    documents,
    embedders: [hashedEmbedder('hashed', D)],
    recogniser: statedFacts,
  }).current;
  const rows: Rows = { documents: `${hashOf(documents)} ${hashOf(corpus.questions)}` };
  for (const name of RETRIEVERS) rows[name] = await rankings(name, engine, corpus, keep);
  for (const { name } of strategies.members)
    for (const reader of READERS)
      rows[`${name} ${reader}`] = await runs(name, reader, engine, corpus, keep);
  return rows;
}

type Snapshot = EmbeddedEngine['current'];

async function rankings(
  name: string,
  engine: Snapshot,
  corpus: Corpus,
  keep: Keep,
): Promise<string> {
  const resource = (): never => overlapReranker() as never;
  const retriever = retrievers.create(name).bind(engine, resource);
  const queries = corpus.questions.map(({ text }) => ({ text }));
  const found = await retriever.retrieve(queries, 30, freeCall(new AbortController().signal), {});
  keep(
    name,
    found.map(ranking => JSON.stringify(ranking)),
  );
  return `${hashOf(found)} ${hashOf(found.map(ranking => ranking.map(({ id }) => id)))}`;
}

async function runs(
  strategy: string,
  reader: string,
  engine: Snapshot,
  corpus: Corpus,
  keep: Keep,
): Promise<string> {
  const chain = new AuditChain(sha256, { full: true });
  const outcomes: unknown[] = [];
  const lines: string[] = [];
  for (const { id, text } of corpus.questions) {
    const options = {
      engine,
      strategy,
      reader,
      id,
      resources: resources(),
      retriever: strategy === 'tree-hop' ? 'dense(hashed)' : 'lexical',
    };
    const events: TraceEvent[] = [];
    for await (const event of askEvents(text, options, () => 0)) {
      events.push(event);
      lines.push(chain.line(event));
    }
    outcomes.push(outcomeOf(traceOf(events)!));
  }
  keep(`${strategy} ${reader}`, lines);
  return `${JSON.parse(chain.seal()).content.slice(0, DIGITS)} ${hashOf(outcomes)}`;
}

/** Returns what was kept, ranked and answered, without names of members. */
function outcomeOf({ evidence, ranking, answer }: Trace): unknown {
  return [evidence.map(({ id, spans }) => [id, spans]), ranking, answer];
}

/** Returns new ones for each run: equal prompts get equal replies, other prompts others. */
function resources(): Resources {
  const parameters = initialParameters({ d: D, g: 8, m: 8, nMlp: 1, heads: 1 }, mulberry32(D), 0.1);
  return {
    model: scriptedModel(reply),
    reranker: [overlapReranker()],
    'query-updater': [
      treeHopUpdater({ parameters, provenance: {} }, { id: 'tree-hop', space: 'hashed' }),
    ],
    'token-classifiers': [shippedClassifiers()],
  };
}

function reply({ role, messages }: Prompt): string {
  const digest = sha256(JSON.stringify(messages)).slice(0, DIGITS);
  const words = messages.at(-1)!.text.split(/\s+/).slice(-12, -4).join(' ');
  return WELL_FORMED_REPLIES[role] ?? `${words} ${digest} [1].`;
}

function hashOf(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, DIGITS);
}
