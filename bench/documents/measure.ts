/** Asks systems the questions over the corpus and judges what they show and answer. */
import type { Answer, Trace } from '../../src/core/trace/trace.ts';
import { readDocuments } from '../../src/documents/read-documents.ts';
import type { Reranker } from '../../src/models/reranker.ts';
import { metadataExtractors } from '../../src/planning/metadata/extractors.ts';
import type { RecordedSubQuestions } from '../../src/planning/sub-questions/recorded-sub-questions.ts';
import type { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import { ask, ingest } from '../../src/session/verbs.ts';
import { strategiesWith } from '../../src/strategies/strategies.ts';
import { type DocumentQuestion, isRight, type Kind, suffices } from './questions.ts';

/** A system by the names that `ask` reads. */
export interface DocumentSystem {
  readonly label: string;
  readonly strategy: string;
  readonly retriever: string;
  readonly reader: string;
}

/** `unsure` is an answer that its probability withholds; `none` has no candidate. */
export type Given = 'answered' | 'unsure' | 'none';

export interface Outcome {
  readonly id: string;
  readonly kind: Kind;
  /** The shown text carries every passage of the evidence; missing if unanswerable. */
  readonly suffices?: boolean;
  /** Share of gold documents among the first five; missing if unanswerable. */
  readonly recall?: number;
  readonly given: Given;
  /** The answer that is given is right; missing without one. */
  readonly right?: boolean;
  /** The text of the answer, given or withheld. */
  readonly said?: string;
  readonly probability?: number;
  readonly tokens: number;
  readonly ms: number;
}

export interface MeasuredSystem extends DocumentSystem {
  readonly outcomes: readonly Outcome[];
}

export interface MeasureOptions {
  /** The folder or files of the corpus; ids are paths below it. */
  readonly paths: readonly string[];
  readonly questions: readonly DocumentQuestion[];
  readonly systems: readonly DocumentSystem[];
  /** Least probability of an answer that is given. */
  readonly answerAt: number;
  readonly say?: (line: string) => void;
  /** Opened by the caller, for systems that name one. */
  readonly rerankers?: readonly Reranker[];
  /** Plans for systems that replay them, by the label of the system. */
  readonly plans?: ReadonlyMap<string, RecordedSubQuestions>;
}

/** Ranks counted by the recall of gold documents. */
export const DEPTH = 5;

/** Returns what each system did with each question, in the order of the questions. */
export async function measureSystems(options: MeasureOptions): Promise<MeasuredSystem[]> {
  const { questions, systems, answerAt, say = () => {} } = options;
  const engine = await engineOf(options.paths, say);
  const measured: MeasuredSystem[] = [];
  for (const system of systems) {
    const { retriever, reader, label } = system;
    const family = strategiesWith(metadataExtractors, options.plans?.get(label));
    const strategy = family.create(system.strategy);
    const resources = { reranker: options.rerankers };
    const how = { engine, strategy, retriever, reader, answerAt, resources };
    const outcomes: Outcome[] = [];
    for (const question of questions)
      outcomes.push(outcomeOf(question, await ask(question.question, { ...how, id: question.id })));
    say(`${label}: ${outcomes.length} questions asked`);
    measured.push({ ...system, outcomes });
  }
  return measured;
}

/** Reads and stores the corpus. */
export async function engineOf(
  paths: readonly string[],
  say: (line: string) => void,
): Promise<EmbeddedEngine> {
  let read = 0;
  const documents = async function* () {
    for await (const event of readDocuments(paths))
      if (event.type === 'skipped') say(`skipped ${event.path}: ${event.reason}`);
      else {
        read += 1;
        yield event.document;
      }
  };
  const engine = await ingest(documents());
  say(`${read} documents ingested`);
  return engine;
}

/** Judges one run. */
export function outcomeOf(question: DocumentQuestion, trace: Trace): Outcome {
  const { answer, context, ranking } = trace;
  const given = givenOf(answer);
  const said = saidOf(answer);
  const gold = new Set(question.evidence.map(({ document }) => document));
  const found = new Set([...new Set(ranking)].slice(0, DEPTH).filter(id => gold.has(id)));
  const ranked = { suffices: suffices(context.text, question), recall: found.size / gold.size };
  const probability = answer.kind === 'evidence' ? undefined : answer.probability;
  return {
    id: question.id,
    kind: question.kind,
    ...(gold.size > 0 ? ranked : {}),
    given,
    right: given === 'answered' && said !== undefined ? isRight(said, question) : undefined,
    said,
    probability,
    tokens: context.tokens,
    ms: Math.round(trace.ms),
  };
}

function givenOf(answer: Answer): Given {
  if (answer.kind === 'answered') return 'answered';
  return answer.kind === 'abstained' && answer.withheld !== undefined ? 'unsure' : 'none';
}

function saidOf(answer: Answer): string | undefined {
  if (answer.kind === 'answered') return answer.text;
  return answer.kind === 'abstained' ? answer.withheld?.text : undefined;
}
