/**
 * Follows linked articles once more, for the question together with what a language model says of
 * the best of them on the way to the answer (Iter-RetGen, arXiv 2305.15294, one iteration). Its
 * text is searched alone: nothing of it is evidence.
 */
import type { LanguageModel } from '../../models/language-model.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { withoutThinking } from '../../models/thoughts.ts';
import { ModelInUse } from '../../planning/model-in-use.ts';
import { firstWords } from '../../planning/paragraphs.ts';
import { fittedPassages, type PassagesRequest } from '../../planning/passages-prompt.ts';
import type { OpenHop } from '../strategy.ts';
import { modelNeed } from '../usual-settings.ts';
import { LanesRun } from './run.ts';

/** Articles that the model reads, words of each, and tokens of the prompt, at most. */
const [READ, READ_WORDS, READ_TOKENS] = [6, 80, 1500];
/** Words of the reply that are searched; models that ignore its limit write more. */
const MOST_WORDS = 100;

const REQUEST: Omit<PassagesRequest, 'question'> = {
  role: 'thought',
  task: ['You answer from passages of an encyclopedia.'],
  maxTokens: 90,
};
/** Stands behind the question: a small model follows what it reads last. */
const TASK =
  'Think step by step in at most three sentences. Use the passages; name in full every person, place, work or organisation on the way to the answer. If the passages do not say it, say what you believe.';

/** The plan of its call; no run has it beside a plan of lines. */
export const THOUGHT_CALL: PlannedCalls = {
  role: REQUEST.role,
  atMost: 1,
  promptTokens: READ_TOKENS,
  completionTokens: REQUEST.maxTokens,
  expected: { calls: 0 },
};

type Follow = (run: LanesRun) => AsyncGenerator<OpenHop, void, void>;

/** Asks the model, and follows question and reply; the hops choose among all found so far. */
export async function* followThought(
  run: LanesRun,
  follow: Follow,
): AsyncGenerator<OpenHop, void, void> {
  const { kit, call } = run;
  const model = new ModelInUse(kit.resource(modelNeed('model')!));
  const question = run.parsed.lanes[0]!.text;
  const articles = await run.engine.read('document', run.documents.slice(0, READ), call);
  const thought = await model.ask(asked => thoughtOf(asked, question, articles, run));
  if (thought) {
    const more = await LanesRun.begin(`${question} ${thought}`, run, run);
    let outputs: OpenHop['outputs'] = [{ role: 'thought', text: thought, parsed: true }];
    for await (const hop of follow(more)) {
      yield { ...hop, outputs };
      outputs = [];
      run.searches.short ??= more.searches.short;
    }
  }
  model.end();
}

async function thoughtOf(
  model: LanguageModel,
  question: string,
  articles: readonly { readonly title: string; readonly text: string }[],
  { call }: LanesRun,
): Promise<string> {
  if (articles.length === 0) return '';
  const room = { words: READ_WORDS, atMost: READ_TOKENS };
  const prompt = fittedPassages({ ...REQUEST, question: `${question}\n\n${TASK}` }, articles, room);
  const { text } = await model.generate(prompt, call);
  return firstWords(withoutThinking(text).replace(/\s+/g, ' ').trim(), MOST_WORDS);
}
