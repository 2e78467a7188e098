/** Runs strategies with language models over the demo corpus, and summarises each run. */
import { readFileSync } from 'node:fs';
import { AuditChain } from '../../src/core/trace/audit-chain.ts';
import type { Answer, Trace } from '../../src/core/trace/trace.ts';
import { ingest } from '../../src/index.ts';
import type { LanguageModel } from '../../src/models/language-model.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { askEvents } from '../../src/run/ask.ts';

/** The model's completions: keys, texts, usage; no prompts. */
export const CASSETTE: URL = new URL('./qwen2.5-coder-1.5b.jsonl', import.meta.url);
/** The recorded runs, a line each. */
export const RECORDED: URL = new URL('./runs.jsonl', import.meta.url);

/**
 * Prompts are short, so that a small model on a small machine reads them in seconds; that of ir-cot
 * has room for its worked examples, which a small model needs.
 */
const READER = 'generative(form=short, prompt=1000)';
const CONTEXT = 'lead(words=90)';
export const STRATEGIES: readonly string[] = [
  'fixed-top-k(k=3)',
  'multi-meta-rag(extractor=model)',
  'iter-retgen(iterations=2, prompt=1000)',
  'iter-retgen(iterations=3, prompt=1000)',
  'query-decomposition(integration=sub-answers, prompt=1000)',
  'query-decomposition(integration=sub-contexts)',
  'query-decomposition(integration=sub-answers, chained=true, prompt=1000)',
  'ir-cot(k=2, prompt=2000)',
];
/** A bridge, a comparison of two outlets, and a question that the corpus cannot answer. */
export const QUESTIONS: readonly string[] = ['two-01', 'two-09', 'null-01'];

export interface DemoRun {
  readonly strategy: string;
  readonly question: string;
  /** The head of the content chain of its trace. */
  readonly content: string;
  readonly answer: Answer;
  readonly hops: number;
  readonly calls: number;
  readonly tokens: number;
  /** Number of unreadable outputs. */
  readonly unparsed: number;
}

interface DemoQuestion {
  readonly id: string;
  readonly query: string;
}

export const readDemo = (name: string): string =>
  readFileSync(new URL(`../../demo/${name}`, import.meta.url), 'utf8');

/**
 * Yields the run of every strategy on every question, one after another. Throws `Error` if the
 * model fails in a run.
 */
export async function* demoRuns(model: LanguageModel): AsyncGenerator<DemoRun, void, void> {
  const documents = readDemo('corpus.jsonl')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { id: string; text: string });
  const engine = await ingest(documents);
  const questions = JSON.parse(readDemo('questions.json')) as DemoQuestion[];
  for (const strategy of STRATEGIES)
    for (const id of QUESTIONS) {
      const { query } = questions.find(question => question.id === id)!;
      const chain = new AuditChain(sha256);
      const run = askEvents(
        query,
        { engine, strategy, context: CONTEXT, reader: READER, resources: { model }, id },
        () => 0,
      );
      let step = await run.next();
      for (; !step.done; step = await run.next()) chain.line(step.value);
      const { content } = chain.now();
      yield { strategy, question: id, content, ...keptOf(step.value) };
    }
}

function keptOf({
  answer,
  hops,
  spent,
  stopped,
}: Trace): Omit<DemoRun, 'strategy' | 'question' | 'content'> {
  if (stopped?.by === 'failure') throw new Error(`A run failed: ${JSON.stringify(stopped)}`);
  const outputs = hops.flatMap(hop => hop.outputs ?? []);
  const unparsed = outputs.filter(({ parsed }) => !parsed).length;
  return {
    answer,
    hops: hops.length,
    calls: spent.modelCalls ?? 0,
    tokens: spent.modelTokens ?? 0,
    unparsed,
  };
}
