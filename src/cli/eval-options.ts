/** The options of `multihop eval`. */
import { InputError } from '../core/errors.ts';
import { answerControls } from '../evaluation/answer-controls.ts';
import { DEFAULT_CHUNKER } from '../search/embedded-engine.ts';
import { DEFAULT_TEMPLATE, textTemplates } from '../search/vectors/text-templates.ts';
import { DATA_OPTIONS } from './data-options.ts';
import { DRY_RUN_OPTION } from './dry-run.ts';
import { GATE_OPTIONS } from './gate.ts';
import { JUDGE_OPTIONS } from './judge-options.ts';
import {
  BASE_URL_OPTION,
  CLAIMS_OPTION,
  EMBEDDER_OPTION,
  EMBEDDER_TIMEOUT_OPTION,
  GRAPH_OPTION,
  LANGUAGE_MODEL_OPTIONS,
  QUERY_UPDATER_OPTION,
  RERANKER_URL_OPTION,
  TOKEN_CLASSIFIERS_OPTION,
} from './model-options.ts';
import type { Option } from './option.ts';
import { BUDGET_OPTION, FULL_TRACE_OPTION, SIGN_OPTION, TOTAL_BUDGET_OPTION } from './options.ts';
import { SAMPLE_OPTIONS } from './question-choice.ts';

const CONTROLS = answerControls.members.map(({ name }) => name).join(', ');
const TEMPLATES = textTemplates.members.map(({ name }) => name).join(', ');

/** `--init` writes a template to the file of questions. */
const withTemplate = (option: Option): Option => ({
  ...option,
  access: 'keeps',
  writesWith: 'init',
});

export const PASSAGES_OPTION: Option<'own'> = {
  name: 'passages',
  value: 'own',
  summary:
    'each question searches an index over the passages alone that it brings, as papers on hotpotqa, 2wikimultihopqa and musique do; without it an index over those of all, limited to its own',
  read(text) {
    if (text === 'own') return text;
    throw new InputError('bad-value', 'The option --passages', { expected: 'own', received: text });
  },
};

export const EVAL_OPTIONS: readonly Option[] = [
  ...DATA_OPTIONS.map(option => (option.name === 'questions' ? withTemplate(option) : option)),
  {
    name: 'init',
    summary: "write a template of one's own questions to --questions, or to questions.jsonl",
  },
  {
    name: 'strategy',
    value: 'NAME',
    repeatable: true,
    summary: 'all combinations of the repeated options are run; fact-lanes if missing',
  },
  {
    name: 'retriever',
    value: 'NAME',
    repeatable: true,
    summary: 'lexical(s1), hybrid, dense(EMBEDDER), ...',
  },
  {
    name: 'context',
    value: 'NAME',
    repeatable: true,
    summary: 'sentences, lead(words=90), whole, headers, ...',
  },
  {
    name: 'reader',
    value: 'NAME',
    repeatable: true,
    summary:
      'combined-reader, fact-reader, open-reader, extractive, generative, cascade, evidence-only',
  },
  {
    ...BUDGET_OPTION,
    repeatable: true,
    summary: 'limits of each question: hops=3,documents=6,context-tokens=620,usd=0.01,...',
  },
  TOTAL_BUDGET_OPTION,
  DRY_RUN_OPTION,
  {
    name: 'row',
    value: 'ROW',
    repeatable: true,
    summary: 'a system to compare: "strategy=NAME; context=NAME; ..."',
  },
  {
    name: 'measure',
    value: 'NAME',
    repeatable: true,
    summary: 'measure to report, instead of the default ones (multihop list measures)',
  },
  {
    name: 'controls',
    summary:
      'add the answer controls: always yes, the majority of the predicted type, all cue words',
  },
  {
    name: 'control',
    value: 'NAME',
    repeatable: true,
    summary: `control of answers: ${CONTROLS}`,
  },
  { name: 'chunker', value: 'NAME', default: DEFAULT_CHUNKER, summary: 'chunker of the documents' },
  EMBEDDER_OPTION,
  BASE_URL_OPTION,
  RERANKER_URL_OPTION,
  EMBEDDER_TIMEOUT_OPTION,
  {
    ...GRAPH_OPTION,
    summary:
      'make graphs by the entities that this recogniser finds: names, ner(MODEL) or triples(MODEL); MODEL may be that of --model',
  },
  {
    ...CLAIMS_OPTION,
    summary:
      'make a claim base, which bridge-claims searches: rules, or a language model, which may be that of --model',
  },
  PASSAGES_OPTION,
  QUERY_UPDATER_OPTION,
  TOKEN_CLASSIFIERS_OPTION,
  ...LANGUAGE_MODEL_OPTIONS,
  ...JUDGE_OPTIONS,
  {
    name: 'cache',
    value: 'DIR',
    access: 'keeps',
    summary: 'cache of vectors, scores and completions; DIR/cache of --out if missing',
  },
  {
    name: 'filters',
    value: 'FILE',
    access: 'read',
    summary: 'recorded filters of an earlier run, for multi-meta-rag(extractor=replayed)',
  },
  {
    name: 'sub-questions',
    value: 'FILE',
    access: 'read',
    summary:
      'recorded sub-questions, or those of MuSiQue, for chain or query-decomposition(split=replayed) and fact-lanes(plan=replayed)',
  },
  {
    name: 'template',
    value: 'NAME',
    default: DEFAULT_TEMPLATE,
    summary: `template of the texts that embedders read: ${TEMPLATES}`,
  },
  { name: 'limit', value: 'N', type: 'integer', min: 1, summary: 'only the first N questions' },
  ...SAMPLE_OPTIONS,
  {
    name: 'cost',
    value: 'N',
    type: 'integer',
    min: 1,
    summary:
      'measure time and memory of one search of each retriever on N questions, without cached queries',
  },
  {
    name: 'parallel',
    value: 'N',
    type: 'integer',
    min: 1,
    summary:
      'questions that are asked, and answers that are judged, side by side; if missing 4 where the model that does it is behind a server and no cassette is recorded, else 1',
  },
  {
    name: 'keep-going',
    summary: 'exit with 0 although runs failed; their number and the first cause are printed',
  },
  {
    name: 'out',
    value: 'DIR',
    access: 'writes',
    summary: 'write result, scores, curves and sealed traces there',
  },
  FULL_TRACE_OPTION,
  SIGN_OPTION,
  {
    name: 'run-out',
    value: 'PATH',
    access: 'writes',
    summary: 'write the ranked documents as a TREC run: a file for one row, a folder for several',
  },
  {
    name: 'qrels-out',
    value: 'FILE',
    access: 'writes',
    summary: 'write the gold documents as TREC qrels',
  },
  ...GATE_OPTIONS,
  {
    name: 'watch',
    summary:
      'then evaluate again whenever the questions, documents or store change, until Ctrl-C; says which questions changed',
  },
];
