/** Reads the frozen evidence of a set of questions with readers, and scores their answers. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Answer, Trace } from '../../src/core/trace/trace.ts';
import type { Usage } from '../../src/core/trace/usage.ts';
import { type CascadeModel, cascadeLogit } from '../../src/models/cascade/cascade-checkpoint.ts';
import type { LanguageModel } from '../../src/models/language-model.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { candidateTexts } from '../../src/readers/cascade/candidates.ts';
import { chosenAnswer } from '../../src/readers/cascade/choice.ts';
import { stands } from '../../src/readers/cascade/sure-answer.ts';
import { generativeWith } from '../../src/readers/generative-reading.ts';
import { type Reader, type Reading, readerOf } from '../../src/readers/reader.ts';
import { readers } from '../../src/readers/readers.ts';
import { ask } from '../../src/session/verbs.ts';
import { BY_HEART, byHeart } from './by-heart.ts';
import { type FrozenQuestion, frozenStrategy } from './frozen-evidence.ts';
import type { QuestionSet, SetQuestion } from './question-sets.ts';

/** Evidence that a reader gets: a question's own, or that of another question of its type. */
export type Shown = 'own' | 'swapped';

/** One answer, as a line of a file. */
export interface ReadAnswer {
  readonly set: string;
  readonly id: string;
  readonly type: string;
  readonly answerable: boolean;
  readonly reader: string;
  readonly shown: Shown;
  readonly answer: Answer;
  /** Score of the text of the answer, given or withheld, from 0 to 1; missing without one. */
  readonly score?: number;
  /** Both sides of `cascade`, where it asked the model, and the scores of all their texts. */
  readonly rules?: Answer | undefined;
  readonly said?: Answer | undefined;
  readonly scored?: Readonly<Record<string, number>> | undefined;
  readonly spent: Usage;
  readonly ms: number;
}

export interface ReadRequest {
  readonly set: string;
  readonly readers: readonly string[];
  /** Settings of the reader `cascade`, whose both sides are recorded. */
  readonly cascade?: CascadeSettings | undefined;
  readonly shown: Shown;
  readonly frozen: Readonly<Record<string, FrozenQuestion>>;
  readonly model?: LanguageModel | undefined;
  /** Milliseconds of the answers that are replayed, by `timeKey`; the others are not asked. */
  readonly times?: Readonly<Record<string, number>> | undefined;
  /** Asks the first questions alone; all if missing. */
  readonly limit?: number | undefined;
  /** Gets one line an answer; what it holds already is not asked again. */
  readonly out: string;
  readonly say?: (line: string) => void;
}

/** Names an answer among those of all sets and readers. */
export const timeKey = ({
  set,
  reader,
  shown,
  id,
}: Pick<ReadAnswer, 'set' | 'reader' | 'shown' | 'id'>): string =>
  [set, reader, shown, id].join(' ');

export interface CascadeSettings {
  readonly weights: CascadeModel;
  /** Probability from which an answer of the rules stands; above 1 the model is always asked. */
  readonly sure: number;
}

/** Returns the settings with the weights of a file; the shipped ones without one. */
export function cascadeSettings(file: string | undefined, sure: number): CascadeSettings {
  const weights = cascadeLogit.read(JSON.parse(readFileSync(file ?? SHIPPED, 'utf8'))).model;
  return { weights, sure };
}

const SHIPPED = fileURLToPath(new URL('../../src/models/cascade/cascade.json', import.meta.url));

/** Name of the reader whose both sides are recorded. */
export const CASCADE = 'cascade';

/**
 * Appends the answers that `out` does not hold yet, each as soon as it is there. All readers read a
 * question before the next one is read, so that a model knows its passages from the reader before.
 */
export async function readAnswers(set: QuestionSet, request: ReadRequest): Promise<void> {
  const known = new Set(answersIn(request.out).map(timeKey));
  for (const [at, question] of set.questions.slice(0, request.limit).entries())
    for (const reader of request.readers) {
      const key = { set: request.set, reader, shown: request.shown, id: question.id };
      const time = request.times?.[timeKey(key)];
      if (known.has(timeKey(key)) || (request.times && time === undefined)) continue;
      const read = await readAnswer(set, question, reader, request);
      const line: ReadAnswer = { ...key, ...read, ms: time ?? read.ms };
      appendFileSync(request.out, `${JSON.stringify(line)}\n`);
      const asked = `${key.set} ${reader} ${key.shown} ${at + 1}/${set.questions.length}`;
      request.say?.(`${asked} ${read.score ?? '-'}`);
    }
}

/** Answers a question by one reader, and scores what it says. */
async function readAnswer(
  { engine, questions }: QuestionSet,
  question: SetQuestion,
  reader: string,
  { set, cascade, shown, frozen, model }: ReadRequest,
): Promise<Omit<ReadAnswer, 'set' | 'reader' | 'shown'>> {
  const partnerOf = partners(questions, frozen);
  let both: readonly [Answer, Answer] | undefined;
  const trace = await ask(question.text, {
    engine,
    strategy: frozenStrategy(id => frozen[shown === 'own' ? id : partnerOf(id)]!),
    reader: readerBy(reader, cascade, (...sides) => {
      both = sides;
    }),
    id: question.id,
    answerAt: 0,
    resources: model ? { model } : {},
  });
  if (shown === 'own' && sha256(trace.context.text) !== frozen[question.id]!.sha256)
    throw new Error(`${set} ${question.id}: the frozen evidence makes another text`);
  if (trace.stopped?.by === 'failure')
    throw new Error(`${set} ${question.id}, ${reader}: ${trace.stopped.message}`);
  const [rules, said] = both ?? [];
  const scored = both && scoresOf(question, both);
  return { ...answerOf(question, trace), rules, said, scored };
}

/** Returns `cascade` in short form, which tells what both sides say, or the reader of the name. */
function readerBy(
  name: string,
  cascade: CascadeSettings | undefined,
  onBoth: (rules: Answer, said: Answer) => void,
): Reader {
  if (name === BY_HEART) return byHeart;
  if (name !== CASCADE || !cascade) return readers.create(name);
  const reader = readers.create('combined-reader');
  const { readWith, ...declared } = generativeWith(SHORT);
  const read = async (reading: Reading): Promise<Answer> => {
    const { question, context, evidence, kit, call } = reading;
    const rules = await reader.read(question, context, evidence, kit, call);
    if (await stands(rules, cascade.sure, reading)) return rules;
    const said = await readWith(reading, candidateTexts(rules));
    onBoth(rules, said);
    const sides = { rules, said, question: question.text, by: reader.name };
    return chosenAnswer(sides, cascade.weights);
  };
  return readerOf(name, read, declared);
}

const SHORT = { form: 'short', prompt: 2000, uncited: 'withhold' } as const;

/** Returns the score of every text that the answers state. */
function scoresOf({ answerable, score }: SetQuestion, answers: readonly Answer[]) {
  const texts = answers.flatMap(answer => [
    (answer.kind === 'abstained' ? answer.withheld?.text : answer.text) ?? '',
    ...(answer.kind === 'evidence' ? [] : (answer.alternatives ?? [])).map(({ text }) => text),
  ]);
  return Object.fromEntries(texts.map(text => [text, answerable ? score(text) : 0]));
}

export const answersIn = (file: string): ReadAnswer[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line))
    : [];

function answerOf(
  { id, type, answerable, score }: SetQuestion,
  { answer, spent, ms }: Trace,
): Omit<ReadAnswer, 'set' | 'reader' | 'shown'> {
  const text = answer.kind === 'abstained' ? answer.withheld?.text : answer.text;
  const scored = text !== undefined && answerable ? score(text) : undefined;
  return { id, type, answerable, answer, score: scored, spent, ms: Math.round(ms) };
}

/** Returns for each question the next one of its type that is shown no document of its own. */
function partners(
  questions: readonly SetQuestion[],
  frozen: ReadRequest['frozen'],
): (id: string) => string {
  const documentsOf = (id: string): Set<string> =>
    new Set(frozen[id]!.kept.map(({ documentId }) => documentId));
  return id => {
    const at = questions.findIndex(each => each.id === id);
    const own = documentsOf(id);
    const order = [...questions.slice(at + 1), ...questions.slice(0, at)];
    const fits = (each: SetQuestion): boolean => own.isDisjointFrom(documentsOf(each.id));
    const same = order.filter(({ type }) => type === questions[at]!.type);
    return (same.find(fits) ?? order.find(fits) ?? order[0]!).id;
  };
}
