/**
 * `npm run fit:documents -- [--cache DIR] [--out FILE] [--graded DIR]`: fits the weights of
 * `section-reader` on the half of the questions that choices may use, prints how its answers do on
 * the projects that a fit leaves out, and writes their grades for `learn
 * answer-probability --runs`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { GRADED_FILE } from '../../lab/data/graded-answers.ts';
import {
  fitSections,
  type GradedQuestion,
} from '../../lab/learning/section-reader/fit-sections.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import { readDocuments } from '../../src/documents/read-documents.ts';
import {
  type Asked,
  askedForm,
  askedParts,
} from '../../src/language/english/question/asked-form.ts';
import {
  type SectionModel,
  writeSections,
} from '../../src/models/section-reader/section-checkpoint.ts';
import { shownSections } from '../../src/readers/section-reader.ts';
import { answerQuestion, isCompared } from '../../src/readers/sections/answer-parts.ts';
import { valueCandidates } from '../../src/readers/sections/decide.ts';
import type { Sections } from '../../src/readers/sections/section-units.ts';
import { ask, ingest } from '../../src/session/verbs.ts';
import { fetchCorpus } from './corpus.ts';
import { type DocumentQuestion, documentQuestions, halfOf, isRight } from './questions.ts';

const STRATEGY = 'fact-lanes(tokens=510)';

const { values } = parseArgs({
  options: { cache: { type: 'string' }, out: { type: 'string' }, graded: { type: 'string' } },
});
const cache = resolve(values.cache ?? process.env['MULTIHOP_CACHE'] ?? '.cache');

/** A question with the evidence that the strategy shows for it. */
interface Read {
  readonly question: DocumentQuestion;
  /** The projects that it asks about: the first part of its id. */
  readonly group: string;
  readonly parts: readonly Asked[];
  readonly sections: Sections;
}

const all = await readQuestions();
const valued = all.filter(
  ({ parts }) => parts.length === 1 && parts[0]!.form !== 'verdict' && !isCompared(parts[0]!),
);
const groups = [...new Set(all.map(({ group }) => group))];
const leftOut = groups.flatMap(group => {
  const model = fitSections(valued.filter(each => each.group !== group).map(graded));
  return all.filter(each => each.group === group).map(each => gradedAnswer(each, model));
});
const found = leftOut.filter(({ confidence }) => confidence !== undefined);
const right = found.filter(each => each.right).length;
console.log(`${all.length} questions, ${found.length} answers, ${right} right where left out`);
const model = fitSections(valued.map(graded));
console.log(JSON.stringify(model));
const figures = { questions: valued.length, answers: found.length, right };
const provenance = { trainedBy: 'npm run fit:documents', half: 'tune', leftOut: figures };
if (values.out !== undefined) writeFileSync(values.out, writeSections({ model, provenance }));
if (values.graded !== undefined) writeGraded(values.graded);

/** Asks the questions whose answers are texts, statements or comparisons, not passages. */
async function readQuestions(): Promise<Read[]> {
  const { folder } = await fetchCorpus(cache, line => console.error(line));
  const documents = async function* () {
    for await (const event of readDocuments([folder]))
      if (event.type !== 'skipped') yield event.document;
  };
  const engine = await ingest(documents());
  const read: Read[] = [];
  for (const question of documentQuestions().filter(({ id }) => halfOf(id) === 'tune')) {
    const parts = askedParts(question.question).map(askedForm);
    if (parts.some(part => part.form === 'manner')) continue;
    const { context, evidence } = await ask(question.question, { engine, strategy: STRATEGY });
    const sections = await shownSections({
      context,
      evidence,
      kit: { engine: engine.current },
      call: freeCall(),
    });
    read.push({ question, group: question.id.split('-')[0]!, parts, sections });
  }
  return read;
}

function graded({ question, parts, sections }: Read): GradedQuestion {
  const candidates = valueCandidates(parts[0]!, sections).map(({ text, features }) => ({
    features,
    right: isRight(text, question),
  }));
  return { candidates };
}

function gradedAnswer({ question, group, sections }: Read, by: SectionModel) {
  const answer = answerQuestion(question.question, sections, by);
  return {
    group,
    ...(answer ? { confidence: { form: answer.form, share: answer.share } } : {}),
    right: answer !== undefined && isRight(answer.text, question),
  };
}

function writeGraded(folder: string): void {
  const answerable = documentQuestions().filter(
    ({ id, kind }) => halfOf(id) === 'tune' && kind !== 'unanswerable',
  );
  for (const group of groups) {
    const own = join(folder, `documents-${group}`);
    mkdirSync(own, { recursive: true });
    const answers = leftOut
      .filter(each => each.group === group && each.confidence !== undefined)
      .map(({ confidence, right: isIt }) => ({ confidence, right: isIt }));
    const questions = answerable.filter(({ id }) => id.startsWith(`${group}-`)).length;
    const text = { dataset: `documents, tune half, ${group}`, questions, answers };
    writeFileSync(join(own, GRADED_FILE), JSON.stringify(text));
  }
}
