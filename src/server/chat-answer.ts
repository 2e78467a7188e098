/** Words a finished run as the content of a chat message, with its citations as annotations. */
import type { Hop, Trace } from '../core/trace/trace.ts';
import { AS_IT_STANDS, followUpWords, QUESTION_ASKED } from '../session/follow-up-words.ts';
import type { Finished } from '../session/requests/answering-store.ts';
import {
  type ArticleText,
  areApart,
  type EvidenceFields,
  partsOf,
  placesWords,
  type ShownArticle,
  shownBlocks,
} from '../session/shown-evidence.ts';
import { isWithdrawn, WITHDRAWN } from '../session/streamed-answer.ts';
import { inertMarkdown } from './inert-markdown.ts';

/** An article of the evidence, as a citation in the form of OpenAI's chat completions. */
export interface Annotation {
  readonly type: 'url_citation';
  readonly url_citation: {
    /** The marker, such as `[1]`, in the content. */
    readonly start_index: number;
    readonly end_index: number;
    readonly title: string;
    readonly url: string;
  };
}

export interface ChatAnswer {
  readonly content: string;
  readonly annotations: readonly Annotation[];
}

/** The text that a client got before the run ended. */
export interface Sent {
  /** The text of the model. */
  readonly streamed: string;
  /** The same, made inert. */
  readonly written: string;
}

/**
 * Returns the answer with the evidence as a list: many front ends show no annotations. An answer
 * that was sent is not repeated; a text that is not the answer is withdrawn.
 */
export function chatAnswer(
  { record, trace }: Finished,
  { streamed, written }: Sent = { streamed: '', written: '' },
): ChatAnswer {
  const articles = shownBlocks(record as unknown as EvidenceFields).flatMap(block =>
    block.articles.map(article => ({ article, side: block.side })),
  );
  const isGone = isWithdrawn(streamed, trace);
  let content = isGone ? `\n\n${WITHDRAWN} ` : '';
  if (isGone || written === '') content += inertMarkdown(answerText(trace, record));
  const annotations: Annotation[] = [];
  content += questionText(trace);
  if (articles.length > 0) content += EVIDENCE_HEAD;
  for (const [at, { article, side }] of articles.entries()) {
    content += at === 0 ? '\n' : '\n\n';
    const start = written.length + content.length;
    content += `[${article.number}]`;
    const end = written.length + content.length;
    content += ` ${lineOf(article, side)}`;
    annotations.push({
      type: 'url_citation',
      url_citation: {
        start_index: start,
        end_index: end,
        title: article.title || article.documentId,
        url: addressOf(article),
      },
    });
  }
  return { content, annotations };
}

/** Begin the parts of a content behind the answer; `chat-turns.ts` reads them again. */
export const EVIDENCE_HEAD = '\n\nEvidence:';
export const UNSURE_HEAD: string = `\n\n${AS_IT_STANDS}`;
export const QUESTION_HEAD: string = `\n\n${QUESTION_ASKED}`;

/** Names the question that was asked in place of a follow-up, or why it was asked as it stands. */
export function questionText({ question, followUp }: Pick<Trace, 'question' | 'followUp'>): string {
  const words = followUp && followUpWords(question.text, followUp);
  if (!words) return '';
  const said = plain(words.said);
  return `\n\n${words.head}${words.head === AS_IT_STANDS ? ended(said) : said}`;
}

/** Words one hop, for front ends that show what a model thinks. */
export const hopText = ({ reason, searches, kept }: Hop, index: number): string => {
  const texts = [...new Set(searches.flatMap(({ text }) => (text === undefined ? [] : [text])))];
  const why = reason === undefined ? '' : ` ${plain(reason)}`;
  const searched = texts.map(text => `\n  searched: ${plain(text)}`).join('');
  return `Hop ${index + 1}:${why}${searched}\n  kept ${kept.length}\n`;
};

function answerText({ answer, stopped }: Trace, record: Finished['record']): string {
  const cause = stopped ? ` The run was stopped: ${stopped.by}.` : '';
  const instead =
    answer.readBy === undefined ? '' : ` Read by ${answer.readBy}, without a language model.`;
  if (answer.kind !== 'abstained')
    return instead === '' ? answer.text : `${answer.text}\n\n${`${cause}${instead}`.trim()}`;
  const candidates = (record['candidates'] ?? []) as readonly { readonly text: string }[];
  const likely = candidates.map(({ text }) => text).join(', ');
  const next = likely === '' ? '' : ` Candidates: ${likely}.`;
  const why = answer.reason.startsWith('No ') ? answer.reason : `No answer: ${answer.reason}`;
  return `${ended(why)}${next}${cause}${instead}`;
}

/** Ends a sentence with one full stop; a reader of one's own may have written it. */
const ended = (sentence: string): string =>
  /[.!?…。]$/.test(sentence) ? sentence : `${sentence}.`;

/** Shows every text of an article, whole, with its marked sentences in bold. */
function lineOf(
  { title, documentId, source, date, texts }: ShownArticle,
  side: string | undefined,
): string {
  const name = plain(title || documentId);
  const words = texts.map((text, at) => {
    const before = texts[at - 1];
    if (before === undefined) return textOf(text, placeOf(text));
    const place = placeOf(text);
    if (place !== placeOf(before)) return HARD_BREAK + textOf(text, place);
    return (areApart(before, text) ? ' … ' : ' ') + textOf(text, '');
  });
  return `${name}${inBrackets([source, date, side && `about ${side}`])}: ${words.join('')}`;
}

const placeOf = ({ heading, page, line, places }: ArticleText): string =>
  inBrackets([
    heading?.join(' > '),
    page && `page ${page}`,
    line && `line ${line}`,
    placesWords(places),
  ]);

function textOf(text: ArticleText, place: string): string {
  const words = partsOf(text).map(part =>
    part.marked ? bold(plainLines(part.text)) : plainLines(part.text),
  );
  const shown = words
    .join('')
    .replace(/(?: {2}\n){2,}/g, HARD_BREAK)
    .replace(BEGINS_BLOCK, '$1\\$2');
  return `${place} ${shown}`.trim();
}

function inBrackets(facts: readonly (string | number | undefined)[]): string {
  const shown = facts.filter(fact => fact !== undefined && fact !== '').join(', ');
  return shown === '' ? '' : ` (${plain(shown)})`;
}

/** White space inside the asterisks would leave them as they are. */
function bold(text: string): string {
  const inner = text.trim();
  return inner === '' ? text : text.replace(inner, () => `**${inner}**`);
}

/** A document's own address if it is one of the web, else a name that no front end opens. */
const addressOf = ({ url, documentId }: ShownArticle): string =>
  url !== undefined && /^https?:\/\/[^\s]+$/i.test(url)
    ? url
    : `urn:multihop:document:${encodeURIComponent(documentId.toWellFormed())}`;

/**
 * Texts of documents are data: a front end that renders Markdown must not load an image or show a
 * link from them.
 */
const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>!#|~]/g, '\\$&');

/** Keeps the lines of a text, and the indentation of code, in one paragraph of Markdown. */
function plainLines(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).map((line, at) => {
    const words = plain(at === 0 ? line : line.trimStart());
    if (at === 0 || words === '') return words;
    const indent = '\u00a0'.repeat(line.length - line.trimStart().length);
    return indent + words;
  });
  // A line end at either end of the text stays: what stands beside it is another part.
  return lines
    .filter((line, at) => line !== '' || at === 0 || at === lines.length - 1)
    .join(HARD_BREAK);
}
const HARD_BREAK = '  \n';
/** Matches what begins an item of a list or underlines a heading, at the beginning of a line. */
const BEGINS_BLOCK = /(?<=\n\u00a0*(?:\*\*)?)(\d{0,9})([-+=.)])/g;
