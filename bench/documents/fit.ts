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
import { fitLogit, type GradedQuestion } from '../../lab/learning/conditional-logit/fit-logit.ts';
import { defined } from '../../src/core/defined.ts';
import type { Confidence } from '../../src/core/trace/answer.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import { readDocuments } from '../../src/documents/read-documents.ts';
import { Asked } from '../../src/language/asked.ts';
import {
  type SectionFeatures,
  type SectionModel,
  sectionLogit,
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
  readonly asked: Asked;
  readonly sections: Sections;
}

const all = await readQuestions();
const valued = all.filter(
  ({
    asked: {
      values: [first, ...more],
    },
  }) => more.length === 0 && first!.form !== 'verdict' && !isCompared(first!),
);
const groups = [...new Set(all.map(({ group }) => group))];
const leftOut = groups.flatMap(group => {
  const model = fitLogit(
    sectionLogit.features,
    valued.filter(each => each.group !== group).map(graded),
  );
  return all.filter(each => each.group === group).map(each => gradedAnswer(each, model));
});
const found = leftOut.filter(({ confidence }) => confidence !== undefined);
const right = found.filter(each => each.right).length;
console.log(`${all.length} questions, ${found.length} answers, ${right} right where left out`);
const model = fitLogit(sectionLogit.features, valued.map(graded));
console.log(JSON.stringify(model));
const figures = { questions: valued.length, answers: found.length, right };
const provenance = { trainedBy: 'npm run fit:documents', half: 'tune', leftOut: figures };
if (values.out !== undefined) writeFileSync(values.out, sectionLogit.write({ model, provenance }));
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
    const asked = new Asked(question.question);
    if (asked.values.some(part => part.form === 'manner')) continue;
    const { context, evidence } = await ask(question.question, { engine, strategy: STRATEGY });
    const sections = await shownSections({
      context,
      evidence,
      kit: { engine: engine.current },
      call: freeCall(),
    });
    read.push({ question, group: question.id.split('-')[0]!, asked, sections });
  }
  return read;
}

function graded({ question, asked, sections }: Read): GradedQuestion<keyof SectionFeatures> {
  const candidates = valueCandidates(asked.values[0]!, sections).map(({ text, features }) => ({
    features,
    right: isRight(text, question),
  }));
  return { candidates };
}

interface Graded {
  readonly group: string;
  readonly confidence?: Confidence | undefined;
  readonly right: boolean;
}

function gradedAnswer({ question, group, asked, sections }: Read, by: SectionModel): Graded {
  const answer = answerQuestion(asked, sections, by);
  return defined({
    group,
    confidence: answer ? { form: answer.form, share: answer.share } : undefined,
    right: answer !== undefined && isRight(answer.text, question),
  });
}

function writeGraded(folder: string): void {
  const answerable = documentQuestions().filter(
    ({ id, kind }) => halfOf(id) === 'tune' && kind !== 'unanswerable',
  );
  for (const group of groups) {
    const target = join(folder, `documents-${group}`);
    mkdirSync(target, { recursive: true });
    const answers = leftOut
      .filter(each => each.group === group && each.confidence !== undefined)
      .map(({ confidence, right: isIt }) => ({ confidence, right: isIt }));
    const questions = answerable.filter(({ id }) => id.startsWith(`${group}-`)).length;
    const text = { dataset: `documents, tune half, ${group}`, questions, answers };
    writeFileSync(join(target, GRADED_FILE), JSON.stringify(text));
  }
}
