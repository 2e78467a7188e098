/**
 * Prints what every strategy that asks a language model does with a real one behind a real server,
 * on a sample of MultiHop-RAG, into results/language-models: recorded to a cassette, then run again
 * from the cassette with no model, and compared.
 *
 *     MULTIHOP_DATA=... node tools/results-language-models.ts --model openai-compatible:MODEL --model-url URL [STEP...]
 *
 * Without a step all are run, the cheap ones first. What is finished stays in
 * .cache/results-language-models, and so does what the model said: a run that was cut goes on where
 * it was. Delete that folder after the code that it measures has changed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluate, finished, ROOT, type Step } from './evaluation-step.ts';
import { type LanguageModelRun, languageModelsReport } from './language-models-report.ts';

/**
 * So that a small model on two cores reads it in seconds. That of IR-CoT has room for a worked
 * example: without one a small model says the template again.
 */
const PROMPT = 1000;
/** Less than 600 words, IR-CoT's limit of a paragraph, and several in one prompt. */
const CHUNKER = 'tokens(size=100, overlap=0)';
const SECTIONS: readonly (readonly [name: string, strategy: string])[] = [
  ['fixed-top-k', 'fixed-top-k(k=5)'],
  ['multi-meta-rag', 'multi-meta-rag(extractor=model)'],
  ['iter-retgen-2', `iter-retgen(iterations=2, prompt=${PROMPT})`],
  ['iter-retgen-3', `iter-retgen(iterations=3, prompt=${PROMPT})`],
  ['sub-contexts', 'query-decomposition(integration=sub-contexts)'],
  ['sub-answers', `query-decomposition(integration=sub-answers, prompt=${PROMPT})`],
  ['chained', `query-decomposition(integration=sub-answers, chained=true, prompt=${PROMPT})`],
  ['ir-cot', `ir-cot(prompt=${2 * PROMPT})`],
];
const MEASURES = [
  ...[
    'EvidenceRecall',
    'QaAccuracy(official)',
    'QaAccuracy(strict)',
    'AnswerEM(hotpot)',
    'AnswerF1(hotpot)',
  ],
  ...[
    'AbstainedNull',
    'RefusedAnswerable',
    'UnsupportedAnswers',
    'Hops',
    'Retrievals',
    'ModelCalls',
    'ModelTokens',
    'Milliseconds',
  ],
];

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string' },
    'model-url': { type: 'string' },
    sample: { type: 'string', default: '20' },
    work: { type: 'string', default: join(ROOT, '.cache', 'results-language-models') },
    out: { type: 'string', default: join(ROOT, 'results', 'language-models') },
  },
});
const { model, 'model-url': url, sample } = options;
if (model === undefined || url === undefined)
  throw new Error('--model and --model-url are needed: the model, and where it is asked');
const work = resolve(options.work);
const out = resolve(options.out);

/** Recorded, and run again: the second has no model to ask. */
const steps = ([name, strategy]: (typeof SECTIONS)[number], replayed: boolean): Step => ({
  name: replayed ? `${name}-replayed` : name,
  words: [
    ...['multihop-rag', '--sample', sample, '--seed', '1', '--chunker', CHUNKER],
    ...[
      '--strategy',
      strategy,
      '--retriever',
      'lexical(unit=passage)',
      '--context',
      'whole',
      '--reader',
      `generative(prompt=${PROMPT})`,
    ],
    ...MEASURES.flatMap(measure => ['--measure', measure]),
    ...(replayed ? [] : ['--model', model]),
  ],
  means: [
    ...(replayed ? [] : ['--model-url', url, '--model-timeout', '300']),
    ...['--cassette', cassetteOf(name), '--out', folderOf(name, replayed)],
  ],
});
const cassetteOf = (name: string): string => join(work, `${name}.cassette.jsonl`);
const folderOf = (name: string, replayed: boolean): string =>
  join(work, `${name}-${sample}`, replayed ? 'replayed' : 'recorded');

const unknown = wanted.find(name => !SECTIONS.some(([known]) => known === name));
if (unknown !== undefined)
  throw new Error(
    `There is no step "${unknown}"; there are ${SECTIONS.map(([name]) => name).join(', ')}`,
  );
for (const section of SECTIONS) {
  if (wanted.length > 0 && !wanted.includes(section[0])) continue;
  // Variants of one strategy ask some of the same prompts; different strategies may be recorded
  // side by side.
  evaluate(steps(section, false), work, join(work, 'models', section[1].split('(')[0]!));
  evaluate(steps(section, true), work, join(work, 'nothing'));
  print();
}
print();

/** Of what is finished, so that a run that is cut leaves a report. */
function print(): void {
  const runs = SECTIONS.flatMap((section): LanguageModelRun[] => {
    const [name] = section;
    const [recorded, replayed] = [false, true].map(again => finished(steps(section, again), work));
    if (!recorded || !replayed) return [];
    return [{ name, recorded, replayed, folders: [folderOf(name, false), folderOf(name, true)] }];
  });
  if (runs.length === 0) return;
  mkdirSync(out, { recursive: true });
  const { report, result } = languageModelsReport(
    runs,
    SECTIONS.filter(([name]) => !runs.some(run => run.name === name)).map(
      ([, strategy]) => strategy,
    ),
  );
  writeFileSync(join(out, 'report.md'), report);
  writeFileSync(join(out, 'result.json'), `${JSON.stringify(result)}\n`);
}
