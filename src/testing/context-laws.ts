/**
 * Defines the laws of contexts: costs add up to the text, parts lie at their positions, spans are
 * shown, and a cap is never exceeded.
 */
import type { Context, UnboundContext } from '../context/context.ts';
import { chunkers } from '../core/corpus/chunk.ts';
import { mulberry32 } from '../core/mulberry32.ts';
import { countWords } from '../core/text/words.ts';
import { freeCall } from '../core/trace/call.ts';
import type { ContextText, EvidenceItem, Question } from '../core/trace/trace.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import type { SearchEngine } from '../search/engine.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
import { holds, type Law, law, same } from './law.ts';

const QUESTION: Question = FIXTURE_QUESTIONS[0]!;
const TRIALS = 150;

/**
 * Returns selections of documents, passages and sentences in random order, including several of one
 * document; equal in every run.
 */
async function selections(engine: SearchEngine): Promise<EvidenceItem[][]> {
  const random = mulberry32(20240307);
  const call = freeCall();
  const pool: EvidenceItem[] = FIXTURE_DOCUMENTS.map(({ id }) => ({
    id,
    documentId: id,
    search: { hop: 0, search: 0 },
    score: 1,
  }));
  for (const unit of ['passage', 'sentence'] as const) {
    const [hits] = await engine.search(
      { unit, k: 1000, queries: [{ text: FIXTURE_DOCUMENTS.map(({ text }) => text).join(' ') }] },
      call,
    );
    for (const { id, documentId, start, end, score } of hits!)
      pool.push({ id, documentId, search: { hop: 0, search: 0 }, score, spans: [[start, end]] });
  }
  return Array.from({ length: TRIALS }, () => {
    const kept = new Map<string, EvidenceItem>();
    const size = Math.floor(random() * 8);
    while (kept.size < size) {
      const item = pool[Math.floor(random() * pool.length)]!;
      kept.set(item.id, item);
    }
    return [...kept.values()];
  });
}

/** Returns the sum of costs, requested as a strategy does: each item after those before it. */
async function priced(context: Context, kept: readonly EvidenceItem[]): Promise<number> {
  let sum = 0;
  for (const [index, item] of kept.entries()) {
    const price = await context.cost(item, kept.slice(0, index));
    holds(price >= 0, `the cost of ${item.id}`, 'at least 0', price);
    sum += price;
  }
  return sum;
}

const UNLIMITED = Number.POSITIVE_INFINITY;
const built = (context: Context, kept: readonly EvidenceItem[]): Promise<ContextText> =>
  context.build(QUESTION, kept, UNLIMITED);
const idsOf = (kept: readonly EvidenceItem[]): string => kept.map(({ id }) => id).join(', ');

type Each = (check: (kept: readonly EvidenceItem[]) => Promise<void>) => () => Promise<void>;

/**
 * Returns the laws of a context.
 *
 * @example
 * ```ts
 * import { contexts } from 'multihop/reading';
 * import { contextLaws } from 'multihop/testing';
 *
 * for (const law of contextLaws(contexts.create('lead'))) await law.run();
 * ```
 */
export function contextLaws(unbound: UnboundContext): Law[] {
  const engine = new EmbeddedEngine({
    documents: FIXTURE_DOCUMENTS,
    chunker: chunkers.create('tokens(size=24, overlap=8)'),
  }).current;
  const context = unbound.bind(engine, freeCall(), QUESTION);
  const each: Each = check => async () => {
    for (const kept of await selections(engine)) await check(kept);
  };
  return [
    law('context: the bound context and its text carry the name', async () => {
      const names = [context.name, (await built(context, [])).name];
      same(names, [unbound.name, unbound.name], 'names');
    }),
    law('context: without kept items the text is empty', async () => {
      const empty = { name: unbound.name, text: '', tokens: 0, parts: [] };
      same(await built(context, []), empty, 'the empty context');
    }),
    ...costLaws(context, each),
    ...textLaws(context, engine, each),
  ];
}

function costLaws(context: Context, each: Each): Law[] {
  return [
    law(
      'context: the sum of costs is the token count of the built text',
      each(async kept => {
        const { text, tokens } = await built(context, kept);
        same(tokens, countWords(text), `tokens of ${idsOf(kept)}`);
        same(await priced(context, kept), tokens, `sum of costs of ${idsOf(kept)}`);
      }),
    ),
    law(
      'context: kept items cost the same in any order',
      each(async kept => {
        const { tokens } = await built(context, kept.toReversed());
        same(tokens, (await built(context, kept)).tokens, `tokens of ${idsOf(kept)} in reverse`);
      }),
    ),
    law(
      'context: a cap is never exceeded, and a cap of the full cost cuts nothing',
      each(kept => checkCap(context, kept)),
    ),
  ];
}

function textLaws(context: Context, engine: SearchEngine, each: Each): Law[] {
  return [
    law(
      'context: parts are in order, contain all words of the text, and name kept items',
      each(async kept => checkParts(kept, await built(context, kept))),
    ),
    law(
      'context: spans lie in their document and appear in the text',
      each(async kept => checkShown(engine, await built(context, kept))),
    ),
    law(
      'context: every kept document is shown if there is room',
      each(async kept => {
        const { parts } = await built(context, kept);
        same(documentsOf(parts), documentsOf(kept), idsOf(kept));
      }),
    ),
    law(
      'context: the same items build the same text',
      each(async kept =>
        same(await built(context, kept), await built(context, [...kept]), idsOf(kept)),
      ),
    ),
  ];
}

const documentsOf = (items: readonly { readonly documentId: string }[]): string[] =>
  [...new Set(items.map(({ documentId }) => documentId))].sort();

function checkParts(kept: readonly EvidenceItem[], { text, parts }: ContextText): void {
  let end = 0;
  for (const part of parts) {
    holds(
      part.start >= end && part.start <= part.end && part.end <= text.length,
      'parts',
      'ascending ranges in the text',
      part,
    );
    same(countWords(text.slice(end, part.start)), 0, `words between the parts, before ${part.id}`);
    const item = kept.find(({ id }) => id === part.id);
    same(item?.documentId, part.documentId, `the kept item of part ${part.id}`);
    end = part.end;
  }
  same(countWords(text.slice(end)), 0, 'words after the last part');
}

async function checkShown(engine: SearchEngine, context: ContextText): Promise<void> {
  for (const { id, documentId, start, end, spans } of context.parts) {
    const { text } = (await engine.read('document', [documentId], freeCall()))[0]!;
    const shown = context.text.slice(start, end);
    for (const [from, to] of spans) {
      holds(
        from >= 0 && from <= to && to <= text.length,
        `a span of ${id}`,
        'a span inside the document',
        [from, to],
      );
      holds(
        shown.includes(text.slice(from, to)),
        `the part of ${id}`,
        `the text "${text.slice(from, to)}"`,
        shown,
      );
    }
  }
}

async function checkCap(context: Context, kept: readonly EvidenceItem[]): Promise<void> {
  const all = await built(context, kept);
  same(await context.build(QUESTION, kept, all.tokens), all, 'under a cap of the full cost');
  for (const cap of [0, 1, Math.floor(all.tokens / 2), Math.max(0, all.tokens - 1)]) {
    const { text, tokens } = await context.build(QUESTION, kept, cap);
    same(tokens, countWords(text), `tokens under the cap ${cap}`);
    holds(tokens <= cap, `under the cap ${cap}`, `at most ${cap} tokens`, tokens);
  }
}
