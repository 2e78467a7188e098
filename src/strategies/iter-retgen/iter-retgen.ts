/**
 * `iter-retgen`: searches again with the question and the answer that a model writes over the
 * passages. Paper: Shao et al., Findings of EMNLP 2023 (arXiv 2305.15294);
 * docs/papers/iter-retgen.md says what follows it. Model calls: one for each iteration, one fewer
 * with `answer=reader`, since recall does not depend on the last generation. Without a model the
 * thought is the sentences that share most with the question. Stops after its iterations.
 */
import { Selection } from '../../context/selection.ts';
import { type Member, member } from '../../core/naming/family.ts';
import { distinctDocuments } from '../../core/ranking/ranking.ts';
import { sentenceSpans } from '../../core/text/sentences.ts';
import type { Call } from '../../core/trace/call.ts';
import type { End, EvidenceItem, Hop, Question } from '../../core/trace/trace.ts';
import { sentenceSupport } from '../../language/english/words/content-words.ts';
import { endOfAnswer } from '../../models/short-answer.ts';
import { REPAIR_TOKENS } from '../../models/structured.ts';
import { draftCitations } from '../../planning/draft-citations.ts';
import { type Paragraph, paragraphUnit, readParagraphs } from '../../planning/paragraphs.ts';
import { isReasoningSentence } from '../../planning/reasoning-sentence.ts';
import { EXTRACTED, withoutModel } from '../../planning/thoughts.ts';
import { type StrategyQuery, searchAll } from '../../search/retriever.ts';
import { HopDraft } from '../hop-draft.ts';
import { type Kit, type OpenHop, SEARCH_DEPTH, type Strategy } from '../strategy.ts';
import { completed, modelNeed } from '../usual-settings.ts';
import { GENERATION_TOKENS, type Generation, generate, THOUGHT } from './generation.ts';
import { ITER_RETGEN_PARAMETERS, type IterRetGenSettings } from './settings.ts';

/**
 * Expected tokens of a call. Prompts, as measured: 1,500 over paragraphs of 2WikiMultiHopQA, 3,800
 * over MultiHop-RAG. Completions: estimated.
 */
const USUAL = { promptTokens: 2600, completionTokens: 80 };
/** Sentences of a copied thought: about the length of a model's. */
const COPIED_SENTENCES = 2;
const WITHOUT_MODEL = withoutModel(
  'reasoning, and an answer; this is no Iter-RetGen but a lower bound of it',
);

export const iterRetGen: Member<Strategy> = member({
  name: 'iter-retgen',
  summary:
    'Searches again with the question and the answer that a model generates from the last passages',
  paper: 'Shao et al., Iter-RetGen, arXiv 2305.15294',
  cost: 'one search and one model call an iteration; without a model no call',
  parameters: completed(ITER_RETGEN_PARAMETERS),
  create(settings, name) {
    const { thoughts, prompt } = settings;
    const need = modelNeed(thoughts);
    const calls = generationsOf(settings);
    // A repair repeats the reply before it.
    const planned = {
      role: THOUGHT,
      promptTokens: prompt + GENERATION_TOKENS + REPAIR_TOKENS,
      completionTokens: GENERATION_TOKENS,
    };
    return {
      name,
      needs: need && [need],
      modelCalls:
        thoughts === 'extracted' || calls === 0
          ? []
          : [
              {
                ...planned,
                atMost: 2 * calls,
                expected: { ...USUAL, calls, promptTokens: Math.min(USUAL.promptTokens, prompt) },
              },
            ],
      hops: (question, kit, call) => iterate(question, kit, call, settings),
      // Recall is measured on the union of the iterations' passages.
      ranking: hops => distinctDocuments(keptIn(hops, settings)),
    };
  },
});

const generationsOf = ({ iterations, answer }: IterRetGenSettings): number =>
  answer === 'reader' ? iterations - 1 : iterations;

async function* iterate(
  question: Question,
  kit: Kit,
  call: Call,
  settings: IterRetGenSettings,
): AsyncGenerator<OpenHop, End, void> {
  const selection = new Selection(kit.context, call);
  const within = { unit: paragraphUnit(kit.retriever) };
  const depth = Math.max(settings.k, SEARCH_DEPTH);
  const model = kit.resource(modelNeed(settings.thoughts));
  const evidence = new Map<string, Paragraph>();
  let previous: string | undefined;
  let last: Generation = { outputs: [] };
  for (let hop = 0; hop < settings.iterations; hop++) {
    const query = queryOf(question.text, previous, hop, settings);
    const searches = await searchAll(kit.retriever, [query], depth, call, within);
    const draft = new HopDraft(selection, hop, searches);
    const best = searches[0]!.hits.slice(0, settings.k);
    await draft.keepNew(best);
    const shown = best.filter(({ id }) => selection.has(id));
    // The passages of this iteration in order, new or known, but for those that were refused.
    const paragraphs = await readParagraphs(shown, kit.engine, call);
    for (const paragraph of paragraphs) evidence.set(paragraph.id, paragraph);
    const generates = hop < generationsOf(settings);
    if (generates)
      last = model
        ? await generate(question.text, paragraphs, model, settings, call)
        : copied(question.text, paragraphs, hop + 1 < settings.iterations);
    const opening = hop === 0 && generates && !model ? [WITHOUT_MODEL] : [];
    yield draft.closed({
      reason: previous,
      order: settings.accumulate === 'last' ? shown.map(({ id }) => id) : undefined,
      outputs: generates ? [...opening, ...last.outputs] : [],
    });
    // An unparsed generation leaves the one before it in use.
    previous = last.next ?? previous;
  }
  return endOf(question, last, [...evidence.values()], settings);
}

function queryOf(
  question: string,
  previous: string | undefined,
  hop: number,
  { order }: IterRetGenSettings,
): StrategyQuery {
  const from = hop === 0 ? undefined : { hop: hop - 1, search: 0 };
  if (previous === undefined || previous === '') return { text: question, from };
  const text = order === 'question-first' ? `${question} ${previous}` : `${previous} ${question}`;
  return { text, from };
}

/**
 * Returns the sentences that share most with the question, in the order of the passages; none if no
 * search follows.
 */
function copied(
  question: string,
  paragraphs: readonly Paragraph[],
  searchFollows: boolean,
): Generation {
  const sentences = paragraphs.flatMap(({ text }) =>
    sentenceSpans(text).map(([start, end]) => text.slice(start, end)),
  );
  const support = sentenceSupport(question, sentences);
  const best = [...sentences.keys()]
    .filter(index => support[index]! > 0)
    .sort((a, b) => support[b]! - support[a]! || a - b)
    .slice(0, COPIED_SENTENCES)
    .sort((a, b) => a - b);
  if (!searchFollows || best.length === 0) return { outputs: [] };
  const thought = best.map(index => sentences[index]).join(' ');
  return { outputs: [{ role: EXTRACTED, text: thought, parsed: true }], next: thought };
}

function endOf(
  question: Question,
  { thought, answer }: Generation,
  paragraphs: readonly Paragraph[],
  settings: IterRetGenSettings,
): End {
  if (thought === undefined || settings.answer === 'reader') return { why: 'completed' };
  const thoughts = sentenceSpans(thought)
    .map(([start, end]) => thought.slice(start, end))
    .filter(sentence => !isReasoningSentence(sentence));
  return endOfAnswer(answer, text =>
    draftCitations({ question: question.text, thoughts, answer: text, paragraphs }),
  );
}

/** Returns the evidence in the order of keeping, or the last iteration's passages first. */
function keptIn(hops: readonly Hop[], { accumulate }: IterRetGenSettings): EvidenceItem[] {
  const kept = hops.flatMap(hop => hop.kept);
  const last = accumulate === 'last' ? (hops.at(-1)?.order ?? []) : [];
  const rank = new Map(last.map((id, index) => [id, index]));
  return kept.toSorted((a, b) => (rank.get(a.id) ?? last.length) - (rank.get(b.id) ?? last.length));
}
