/**
 * `npm run fit:documents -- [--cache DIR] [--out FILE] [--span] [--search] [--list]`: fits the
 * weights of `section-reader` on the halves of both sets of questions that choices may use, and
 * prints how readers answer these questions over the same evidence. A fit that answers a question
 * saw none about its packages. `--span` adds the reader `span`, `--search` searches the evidence
 * anew, `--list` prints the answers.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fitLogit, type GradedQuestion } from '../../lab/learning/conditional-logit/fit-logit.ts';
import { ANSWER_AT } from '../../lab/results/reports/documents.ts';
import { MODELS_TEST } from '../../lab/results/steps.ts';
import type { Asked } from '../../src/language/asked.ts';
import { isCompared } from '../../src/language/english/question/compared-sides.ts';
import type { QuestionAnswerer } from '../../src/models/question-answerer.ts';
import {
  type SectionFeatures,
  type SectionModel,
  sectionLogit,
} from '../../src/models/section-reader/section-checkpoint.ts';
import { readQuestion } from '../../src/planning/metadata/extractor.ts';
import { SHIPPED_ANSWERER } from '../../src/providers/model-servers.ts';
import { resolveModel } from '../../src/providers/resolve-model.ts';
import { readerOf } from '../../src/readers/reader.ts';
import { readers } from '../../src/readers/readers.ts';
import { shownSections } from '../../src/readers/section-reader.ts';
import type { ValueCandidate } from '../../src/readers/sections/candidate.ts';
import { candidatesOf, decideValue } from '../../src/readers/sections/decide.ts';
import type { Sections } from '../../src/readers/sections/section-units.ts';
import { type Judged, judged, linesOf } from './answers.ts';
import { keptQuestions, type ReadKept } from './kept-evidence.ts';
import {
  type DocumentQuestion,
  isRight,
  type QuestionSetName,
  SETS,
  suffices,
} from './questions.ts';

const { values } = parseArgs({
  options: {
    cache: { type: 'string' },
    out: { type: 'string' },
    span: { type: 'boolean', default: false },
    search: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const cache = resolve(values.cache ?? process.env['MULTIHOP_CACHE'] ?? '.cache');

/** A question with the evidence that the strategy shows for it. */
interface Read {
  readonly set: QuestionSetName;
  readonly question: DocumentQuestion;
  /** The packages of its passages; of what is shown, if no passage answers it. */
  readonly packages: ReadonlySet<string>;
  readonly asked: Asked;
  readonly sections: Sections;
  readonly suffices: boolean;
  /** The answers of readers with weights that ship. */
  readonly shipped: Readonly<Record<string, Judged>>;
}

const SHIPPED = ['combined-reader', ...(values.span ? ['span(support=0)'] : [])];

const resources = values.span ? { 'question-answerer': await openedAnswerer() } : {};
const all: Read[] = [];
for (const set of SETS) {
  const { questions, read } = await keptQuestions(set, cache, values.search);
  for (const question of questions) all.push(await readAll(set, question, read));
}
const leftOut = new Map<string, SectionModel>();
const fitted = all.map(each => judged(each.question, answerOf(each, modelWithout(each.packages))));
for (const set of SETS) report(set);
const model = fitLogit(sectionLogit.features, all.map(graded));
console.log(JSON.stringify(model));
const found = fitted.filter(({ text }) => text !== undefined);
const right = found.filter(each => each.right).length;
const figures = { questions: all.length, answers: found.length, right };
const provenance = { trainedBy: 'npm run fit:documents', half: 'tune', leftOut: figures };
if (values.out !== undefined) writeFileSync(values.out, sectionLogit.write({ model, provenance }));

/** Opens the model of `span`; its library is found from the folder in which it is installed. */
async function openedAnswerer(): Promise<QuestionAnswerer> {
  process.chdir(MODELS_TEST);
  const model = await resolveModel('question-answerer', SHIPPED_ANSWERER, { env: process.env });
  const answer: QuestionAnswerer['answer'] = (...asked) => model.answer(...asked);
  return { id: SHIPPED_ANSWERER, answer };
}

async function readAll(
  set: QuestionSetName,
  question: DocumentQuestion,
  read: ReadKept,
): Promise<Read> {
  let sections: Sections = { units: [], sections: [] };
  let asked: Asked | undefined;
  let text = '';
  const looking = readerOf('looking', async reading => {
    sections = await shownSections(reading);
    asked = await readQuestion(question.question, reading.kit.engine, reading.call);
    text = reading.context.text;
    return { kind: 'abstained', reason: 'looks only' };
  });
  await read(question, looking);
  const shipped: Record<string, Judged> = {};
  for (const name of SHIPPED)
    shipped[name] = judged(question, await read(question, readers.create(name), resources));
  const shown = sections.sections.slice(0, 1).map(({ document }) => document.id);
  const documents = question.evidence.map(({ document }) => document);
  const packages = (documents.length > 0 ? documents : shown).map(id => id.split('/')[0]!);
  return {
    set,
    question,
    asked: asked!,
    sections,
    shipped,
    packages: new Set(packages),
    suffices: question.evidence.length > 0 && suffices(text, question),
  };
}

/** Returns the candidates of a question, as `section-reader` has them. */
function candidatesIn({ asked, sections }: Read): ValueCandidate[] {
  const [value, ...more] = asked.values;
  return more.length > 0 || isCompared(value!) ? [] : candidatesOf(value!, sections);
}

function graded(read: Read): GradedQuestion<keyof SectionFeatures> {
  const candidates = candidatesIn(read).map(({ text, features }) => ({
    features,
    right: isRight(text, read.question),
  }));
  return { candidates };
}

/** Fits on the questions about other packages. */
function modelWithout(packages: ReadonlySet<string>): SectionModel {
  const key = [...packages].toSorted().join(' ');
  const others = (): Read[] => all.filter(each => each.packages.isDisjointFrom(packages));
  const fit = leftOut.get(key) ?? fitLogit(sectionLogit.features, others().map(graded));
  leftOut.set(key, fit);
  return fit;
}

function answerOf(read: Read, by: SectionModel): Parameters<typeof judged>[1] {
  const draft = decideValue(candidatesIn(read), by);
  if (!draft) return undefined;
  const { text, share, form } = draft;
  return { kind: 'answered', text, citations: [], support: share, confidence: { form, share } };
}

function report(set: QuestionSetName): void {
  const reads = all.filter(each => each.set === set);
  for (const name of SHIPPED)
    for (const line of linesOf(
      `${set}, ${name}`,
      reads.map(({ shipped }) => shipped[name]!),
    ))
      console.log(line);
  const answers = fitted.filter((_, at) => all[at]!.set === set);
  for (const line of linesOf(`${set}, section-reader without the packages`, answers))
    console.log(line);
  console.log(`${set}: ${whyNot(reads).join('; ')}`);
  if (values.list) for (const each of reads) console.log(listed(each));
}

/** Counts what one-hop questions lack on the way to an answer. */
function whyNot(reads: readonly Read[]): string[] {
  const counts = new Map<string, number>();
  for (const each of reads.filter(({ question }) => question.kind === 'one-hop')) {
    const lack = lackOf(each);
    counts.set(lack, (counts.get(lack) ?? 0) + 1);
  }
  return [...counts].map(([lack, count]) => `${lack} ${count}`);
}

function lackOf(each: Read): string {
  const { asked } = each;
  const answer = fitted[all.indexOf(each)]!;
  if (answer.right) return answer.probability >= ANSWER_AT ? 'answered' : 'best, but improbable';
  if (!each.suffices) return 'evidence lacks it';
  if (asked.values.some(({ form }) => form === 'manner')) return 'taken for how or why';
  const right = graded(each).candidates.some(({ right: is }) => is);
  if (right) return 'right candidate ranked below';
  return answer.text === undefined ? 'no candidate' : 'no right candidate';
}

function listed(each: Read): string {
  const { question, asked, shipped } = each;
  const { text, probability } = fitted[all.indexOf(each)]!;
  const forms = asked.values.map(({ form }) => form).join('+');
  const said = shipped['combined-reader']!;
  return `${question.id} ${question.kind} [${forms}] ${lackOf(each)} | ${question.question} | ${probability.toFixed(2)} ${text} | ${said.probability.toFixed(2)} ${said.text} | ${question.verdict ?? ''} ${question.answer.join(' & ')}`;
}
