/** Makes pools of candidates to learn from: some of the first of BM25, and some of anywhere. */

import type { Passage } from '../../../src/core/corpus/document.ts';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import type { AskedQuestion } from './asked-questions.ts';
import { Candidates, type Header } from './candidates.ts';
import type { TrainingDomain } from './domains.ts';
import type { WrittenPool } from './pool-file.ts';
import { KINDS, type MadeQuestion, questionsOf } from './queries.ts';
import { shuffled } from './shuffled.ts';

/** All of the first are read, since their order decides; the others are drawn of those behind. */
const FIRST = 8;
const BEHIND = 22;
/** Passages drawn of the whole corpus: the student must know what is far from any question. */
const ANYWHERE = 2;
/** Same as that of samples of questions; any would do. */
const SEED = 20231226;

interface Asked {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly source?: MadeQuestion['source'];
  readonly passage?: Passage;
}

/**
 * Yields at most `count` pools in random order, so that the first of them are a sample. Equal
 * input gives equal pools. Questions that people asked come whole, made ones fill up; where a
 * model asked questions of passages, pools are of these alone.
 */
export async function* trainingPools(
  domain: TrainingDomain,
  count: number,
  byModel?: readonly AskedQuestion[],
): AsyncGenerator<WrittenPool, void, void> {
  const candidates = await Candidates.of(domain.documents);
  const random = mulberry32(SEED);
  const asked = byModel
    ? byModel.slice(0, count).map(each => ofModel(each, candidates))
    : domain.questions.slice(0, count);
  const made = byModel ? [] : madeQuestions(candidates, count - asked.length, random);
  for (const each of shuffled<Asked>([...asked, ...made], random)) {
    const pool = await poolOf(each, candidates, random);
    if (pool) yield pool;
  }
}

function ofModel({ id, text }: AskedQuestion, candidates: Candidates): Asked {
  const kind = 'model';
  const passage = candidates.passage(id);
  if (passage === undefined) return { id, kind, text };
  return { id, kind, text, passage, source: header => candidates.text(passage, header) };
}

/** Passages that are tried for a question of the next kind before any kind will do. */
const TRIED = 20;

/** Makes questions of passages in random order, of each kind equally often as far as they go. */
function madeQuestions(candidates: Candidates, count: number, random: () => number): Asked[] {
  const made = new Map<string, Asked>();
  const order = sourcesOf(shuffled(candidates.passages, random));
  // Short corpora are asked again, by other sentences.
  const last = 3 * order.length;
  for (let at = 0, since = 0; made.size < count && at < last; at += 1, since += 1) {
    const passage = order[at % order.length]!;
    const document = candidates.documents.get(passage.documentId)!;
    const questions = questionsOf(document, passage, random).filter(({ text }) => !made.has(text));
    const next = KINDS[made.size % KINDS.length];
    const fitting = questions.find(({ kind }) => kind === next);
    const question = fitting ?? (since >= TRIED ? oneOf(questions, random) : undefined);
    if (question === undefined) continue;
    made.set(question.text, { id: `${passage.id} ${at}`, ...question, passage });
    since = 0;
  }
  return [...made.values()];
}

/** A change log of megabytes asks no more questions than a manual. */
const OF_A_DOCUMENT = 100;

function sourcesOf(passages: readonly Passage[]): Passage[] {
  const counts = new Map<string, number>();
  return passages.filter(({ documentId }) => {
    const count = (counts.get(documentId) ?? 0) + 1;
    counts.set(documentId, count);
    return count <= OF_A_DOCUMENT;
  });
}

const oneOf = <T>(items: readonly T[], random: () => number): T | undefined =>
  items[Math.floor(random() * items.length)];

async function poolOf(
  asked: Asked,
  candidates: Candidates,
  random: () => number,
): Promise<WrittenPool | undefined> {
  const { id, kind, text: question, passage: own } = asked;
  const found = (await candidates.search(question)).filter(each => each !== own);
  if (found.length < FIRST) return undefined;
  const all = candidates.passages;
  const anywhere = Array.from({ length: ANYWHERE }, () => all[Math.floor(random() * all.length)]!);
  const behind = shuffled(found.slice(FIRST), random).slice(0, BEHIND);
  // Runs of the ranker may name the project in the header or not: it reads both forms.
  const header: Header = random() < 0.5 ? 'title' : 'subject';
  const texts = [...found.slice(0, FIRST), ...behind, ...anywhere].map(each =>
    candidates.text(each, header),
  );
  const source = asked.source ? [asked.source(header)] : [];
  return { id, kind, question, candidates: [...new Set([...source, ...texts])] };
}
