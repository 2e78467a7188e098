/** Chooses the questions, and judges what an agent read and answered. */
import { sha256 } from '../../src/platform/sha256.ts';
import {
  type DocumentQuestion,
  documentQuestions,
  halfOf,
  isRight,
  type Kind,
  suffices,
} from '../documents/questions.ts';
import type { Spent } from './spent.ts';

const EACH: Readonly<Partial<Record<Kind, number>>> = {
  'one-hop': 20,
  'multi-hop': 21,
  'how-to': 19,
};

/**
 * Returns 60 questions of the half that choices may use, all that have an answer in turn by kind:
 * those whose ids have the smallest hashes, so that no package is preferred.
 */
export function chosenQuestions(): DocumentQuestion[] {
  const all = documentQuestions()
    .filter(({ id }) => halfOf(id) === 'tune')
    .toSorted((a, b) => (sha256(a.id) < sha256(b.id) ? -1 : 1));
  const kinds = Object.entries(EACH).map(([kind, n]) =>
    all.filter(each => each.kind === kind).slice(0, n),
  );
  return Array.from({ length: 21 }, (_, at) => kinds.flatMap(each => each[at] ?? [])).flat();
}

/** Numbers of lines and paths before the text of a line are of the tool, not of the document. */
const readable = (text: string): string => text.replace(/^ *\d+: /gm, '');

/** Returns true if results together show every passage that the answer needs. */
export const reached = (texts: readonly string[], question: DocumentQuestion): boolean =>
  suffices(readable(texts.join('\n')), question);

export interface AgentRun {
  readonly answer: string;
  /** Results of tools, as the model saw them. */
  readonly texts: readonly string[];
  readonly calls: readonly string[];
  /** Tokens of the last prompt, which holds all results. */
  readonly context: number;
  /** Tokens of all prompts together. */
  readonly read: number;
}

export interface AgentOutcome extends Omit<AgentRun, 'texts'> {
  readonly id: string;
  readonly kind: Kind;
  readonly right: boolean;
  readonly reached: boolean;
}

export function agentOutcome(
  question: DocumentQuestion,
  { texts, ...run }: AgentRun,
): AgentOutcome {
  const { id, kind } = question;
  return {
    id,
    kind,
    ...run,
    right: isRight(run.answer, question),
    reached: reached(texts, question),
  };
}

/** Tokens of results at which the script is judged; a token is taken for `CHARACTERS`. */
export const CURVE = [500, 1000, 2000, 4000] as const;
export const CHARACTERS = 4;

export interface ScriptOutcome {
  readonly id: string;
  readonly kind: Kind;
  /** Tells for each length of `CURVE` if the results up to there show all evidence. */
  readonly reached: readonly boolean[];
  readonly calls: number;
}

/** Results of `npm run results:agents`. */
export interface AgentResults {
  readonly documents: number;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly sets: readonly MeasuredSet[];
  /** The agent without tools, which reads nothing. */
  readonly control: readonly AgentOutcome[];
}

export interface Index {
  /** Seconds of CPU that making it took. */
  readonly seconds: number;
  readonly bytes: number;
}

/** Outcomes of one set of tools with the questions; questions that were not asked are left out. */
export interface MeasuredSet {
  readonly label: string;
  readonly index?: Index | undefined;
  /** CPU and memory of the process of the script, and of a server of the tools. */
  readonly own: Spent;
  readonly server?: Spent | undefined;
  readonly script: readonly ScriptOutcome[];
  /** Only questions all whose replies are recorded. */
  readonly agent: readonly AgentOutcome[];
}
