/** Every strategy that asks a language model, with a real one behind a real server. */
import { join } from 'node:path';
import { answers, replayOf, requests } from '../model-runs.ts';
import { type Evaluation, type Given, type Report, text } from '../report.ts';

/** Tokens of a prompt, so that a small model on two cores reads it in seconds. */
const PROMPT = 1000;
/** Less than 600 words, IR-CoT's limit of a paragraph, and several in one prompt. */
const CHUNKER = 'tokens(size=100, overlap=0)';
/** Few: the report shows that loops hold with a real model, and two cores print it in an hour. */
const SAMPLE = 6;
/** IR-CoT has room for a worked example: without one a small model repeats the template. */
const STRATEGIES: Readonly<Record<string, string>> = {
  'fixed-top-k': 'fixed-top-k(k=5)',
  'multi-meta-rag': 'multi-meta-rag(extractor=model)',
  'iter-retgen-2': `iter-retgen(iterations=2, prompt=${PROMPT})`,
  'iter-retgen-3': `iter-retgen(iterations=3, prompt=${PROMPT})`,
  'sub-contexts': 'query-decomposition(integration=sub-contexts)',
  'sub-answers': `query-decomposition(integration=sub-answers, prompt=${PROMPT})`,
  chained: `query-decomposition(integration=sub-answers, chained=true, prompt=${PROMPT})`,
  'ir-cot': `ir-cot(prompt=${2 * PROMPT})`,
  naive: `naive(prompt=${PROMPT})`,
  'naive-decomposition': `naive(decomposition=true, prompt=${PROMPT})`,
  'longrag-units': `longrag-units(prompt=${PROMPT})`,
  'longrag-dual': `longrag-dual(prompt=${PROMPT})`,
  'bridge-claims': `bridge-claims(prompt=${PROMPT})`,
  'chain-answers': `chain(prompt=${PROMPT})`,
  'chain-contexts': `chain(integration=contexts, prompt=${PROMPT})`,
  hipporag1: `hipporag1(prompt=${PROMPT})`,
  hipporag2: `hipporag2(prompt=${PROMPT})`,
};
/** Those that ask ten times and more a question. */
const MANY_CALLS = [
  ...['longrag-units', 'longrag-dual', 'bridge-claims', 'chain-answers', 'chain-contexts'],
  ...['hipporag1', 'hipporag2'],
];
const FEWER = 2;
const ANSWERS = {
  EvidenceRecall: 'evidence recall',
  'QaAccuracy(official)': 'accuracy (official)',
  'QaAccuracy(strict)': 'accuracy (strict)',
  'AnswerF1(hotpot)': 'F1',
  AbstainedNull: 'null refused',
  RefusedAnswerable: 'others refused',
  UnsupportedAnswers: 'unsupported',
};
const MEASURES = [
  ...Object.keys(ANSWERS),
  ...['AnswerEM(hotpot)', 'Hops', 'Retrievals', 'ModelCalls', 'ModelTokens', 'Milliseconds'],
];

const INTRODUCTION = `**These figures say nothing about the strategies.** The model has 135 million parameters, far too few
for questions of several hops. The report shows that loops, parsers, repairs, budgets, citation
checks and cassettes hold with a real model over HTTP, whatever it writes.

${SAMPLE} questions of MultiHop-RAG, drawn at random, and ${FEWER} for rows that ask ten times a question; \`lexical(unit=passage)\`, \`whole\`,
\`generative\`. Every strategy that asks a model at its defaults, but for prompts of at most 1,000 or
2,000 tokens as estimated from their bytes. \`fixed-top-k\` is there for its reader. Each run is
recorded to a cassette and replayed from it without a model.`;

const REQUESTS = `*Hops*: mean of a question. *Calls* and *tokens* are those of a run that asks everything. *Replies not
parsed*: outputs in a hop that are not what was asked for; a reply and its one repair count as two.
*Failed*: runs that ended in an error; *stopped*: by a limit or a failure of the model. *Seconds*:
wall time of the recording, in which repeated prompts came from a cassette or a cache. *Replay*: all
measures but times, the score of every question, and the content hash of all traces.`;
const BECAME = `*Abstained*: no answer was given; among them *answer not parsed*, the reader's two replies were no
answer, and *uncited*, an answer that cited nothing shown was withheld. Shares in percent;
*unsupported* of the answers that were given.`;

const NAMES = Object.keys(STRATEGIES);

export const report = ({ work, options }: Given): Report => {
  const { model = '', 'model-url': url = '' } = options;
  const evaluation = (slug: string, replayed: boolean): Evaluation => ({
    name: replayed ? replayOf(slug) : slug,
    dataSet: 'multihop-rag',
    measures: MEASURES,
    rows: [
      {
        label: STRATEGIES[slug]!,
        strategy: STRATEGIES[slug]!,
        context: 'whole',
        retriever: 'lexical(unit=passage)',
        reader: `generative(form=short, prompt=${PROMPT})`,
      },
    ],
    words: ['--seed', '1', '--chunker', CHUNKER, ...(replayed ? [] : ['--model', model])],
    means: [
      ...(replayed ? [] : ['--model-url', url, '--model-timeout', '300']),
      ...['--cassette', join(work, `${slug}.cassette.jsonl`)],
    ],
    sample: MANY_CALLS.includes(slug) ? FEWER : SAMPLE,
    keeps: ['traces', 'traces.json'],
  });
  return {
    folder: 'language-models',
    title: 'Strategies with a real language model behind a real server',
    introduction: INTRODUCTION,
    evaluations: NAMES.flatMap(slug => [evaluation(slug, false), evaluation(slug, true)]),
    sections: [
      { heading: 'Requests', blocks: [requests(NAMES), text(REQUESTS)] },
      { heading: 'Answers', blocks: [answers(NAMES, ANSWERS), text(BECAME)] },
    ],
  };
};
