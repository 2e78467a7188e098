/** Words the records of runs for models that read text. */

import type { ContextPart, CutReply, FollowUp } from '../core/trace/trace.ts';
import { wordsOfCut } from '../models/cut-words.ts';
import { AS_IT_STANDS, followUpWords } from '../session/follow-up-words.ts';
import {
  type EvidenceFields,
  partsOf,
  type ShownEvidence,
  shownBlocks,
} from '../session/shown-evidence.ts';
import { type Quoted, quotedPassages, quotedText } from './quoted-passages.ts';

type Fields = Readonly<Record<string, unknown>>;

interface AskFields extends EvidenceFields {
  readonly id: string;
  readonly question: { readonly text: string };
  readonly followUp?: Pick<FollowUp, 'asked' | 'unsure'>;
  readonly answer: {
    readonly kind: string;
    readonly text: string | null;
    readonly reason?: string;
    readonly readBy?: string;
  } | null;
  readonly reason?: string;
  readonly probability?: number;
  readonly candidates?: readonly { readonly text: string; readonly probability: number }[];
  readonly stopped?: { readonly by: string; readonly limit?: string; readonly message?: string };
  readonly cut?: readonly CutReply[];
  readonly context: string | { readonly text: string; readonly tokens: number };
}

export function askText(fields: Fields, hints: boolean): string {
  const run = fields as unknown as AskFields;
  return paragraphs(
    questionLine(run),
    answerLine(run),
    stopLine(run),
    fallbackLine(run),
    cutLine(run),
    evidenceWords(run),
    hints ? nextLine('went', run) : '',
  );
}

/** `parts`: where each document of the evidence stands in the context. */
export function retrieveText(
  fields: Fields,
  parts: readonly ContextPart[],
  hints: boolean,
): string {
  const run = fields as unknown as AskFields;
  const { text } = run.context as { readonly text: string };
  const passages = contextPassages(text, parts, run.evidence);
  return paragraphs(
    questionLine(run),
    passages.length === 0 ? 'No evidence was found.' : '',
    stopLine(run),
    quotedPassages(passages),
    hints ? nextLine('was found', run) : '',
  );
}

/** Names the id of a document before the run's, which small models gave to `read_document`. */
function nextLine(how: string, { id, evidence: [best] }: AskFields): string {
  const more = best ? ` with id ${quotedText(best.documentId)}, or that of another passage` : '';
  return `More of a document: read_document${more}. How it ${how}: explain_run with id ${JSON.stringify(id)}.`;
}

const paragraphs = (...parts: readonly string[]): string =>
  parts.filter(part => part !== '').join('\n\n');

/** Names the question that was asked in place of a follow-up. */
function questionLine({ question, followUp }: AskFields): string {
  const words = followUpWords(question.text, followUp);
  if (words === undefined) return '';
  return words.head === AS_IT_STANDS
    ? `${words.head}${words.said}. Ask it in full if it refers to something else.`
    : `${words.head}${quotedText(words.said)}`;
}

function answerLine({ answer, reason, candidates = [], probability }: AskFields): string {
  const likely = candidates.map(({ text }) => quotedText(text)).join(', ');
  const others = likely === '' ? '' : ` Candidates: ${likely}.`;
  if (answer === null || answer.text === null)
    return `No answer: ${quotedText(answer?.reason ?? reason ?? 'the evidence holds none')}.${others}`;
  const sure = probability ?? (answer as { readonly probability?: number }).probability;
  const how = sure === undefined ? '' : ` (probability ${sure.toFixed(2)})`;
  const name = answer.kind === 'evidence' ? 'Best evidence' : 'Answer';
  return `${name}${how}, quoted: ${quotedText(answer.text)}`;
}

function stopLine({ stopped }: AskFields): string {
  if (stopped === undefined) return '';
  const cause =
    stopped.by === 'limit' ? `the limit ${stopped.limit}` : (stopped.message ?? stopped.by);
  return `The run was stopped by ${cause}: this is what it had found.`;
}

function fallbackLine({ answer }: AskFields): string {
  const reader = answer?.readBy;
  return reader === undefined ? '' : `The answer is read by ${reader}, without a language model.`;
}

function cutLine({ cut = [] }: AskFields): string {
  const [first] = cut;
  if (first === undefined) return '';
  const rest = cut.length > 1 ? ` ${cut.length - 1} more replies were cut.` : '';
  return `A reply of the language model (${first.role}) was ${wordsOfCut(first)}.${rest}`;
}

/** Shows every text of the evidence, whole, with its marked sentences between » and «. */
function evidenceWords(fields: AskFields): string {
  const passages = shownBlocks(fields).flatMap(({ side, articles }) =>
    articles.flatMap(({ texts, number: _, ...about }) =>
      texts.map((text): Quoted => {
        const parts = partsOf(text).map(part => (part.marked ? `»${part.text}«` : part.text));
        return { ...about, ...text, side, text: parts.join('') };
      }),
    ),
  );
  if (passages.length === 0) return '';
  return `${EVIDENCE_HEAD}\n${quotedPassages(passages)}`;
}

const EVIDENCE_HEAD =
  'Evidence, what the answer cites first, then best first. »« mark what the answer cites, or the sentences that fit the question best:';

/** Shows the context document by document; the text may be cut, and evidence left out. */
function contextPassages(
  text: string,
  parts: readonly ContextPart[],
  evidence: readonly ShownEvidence[],
): Quoted[] {
  const about = new Map(evidence.map(item => [item.documentId, item]));
  const places = new Map(evidence.map(({ id, places }) => [id, places]));
  return parts.flatMap(({ id, documentId, start, end }): Quoted[] => {
    const shown = text.slice(start, end);
    if (shown === '') return [];
    const { title = '', url } = about.get(documentId) ?? {};
    const found = { places: places.get(id), url };
    // Most contexts begin a document with its title, which need not stand before it too.
    return [{ documentId, title: shown.startsWith(title) ? '' : title, ...found, text: shown }];
  });
}
