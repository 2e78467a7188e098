/** Words a finished run as the content of a chat message, with its citations as annotations. */
import type { Hop, Trace } from '../../trace/trace.ts';
import type { ShownCitation } from '../serving/evidence-view.ts';
import type { Finished } from './answering-store.ts';
import { inertMarkdown } from './inert-markdown.ts';

/** A citation in the form of OpenAI's chat completions. */
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

/**
 * Returns the answer with a numbered list of what it cites: many front ends show no annotations.
 * `written`: the answer was sent already.
 */
export function chatAnswer({ record, trace }: Finished, written: string): ChatAnswer {
  const citations = sourcesOf(record['citations'] as readonly ShownCitation[]);
  let content = written === '' ? inertMarkdown(answerText(trace, record)) : '';
  const annotations: Annotation[] = [];
  if (citations.length > 0) content += '\n\nSources:';
  for (const [index, cited] of citations.entries()) {
    content += '\n';
    const start = written.length + content.length;
    content += `[${index + 1}]`;
    const end = written.length + content.length;
    content += ` ${lineOf(cited)}`;
    annotations.push({
      type: 'url_citation',
      url_citation: {
        ...{ start_index: start, end_index: end },
        title: cited.title || cited.documentId,
        url: addressOf(cited),
      },
    });
  }
  return { content, annotations };
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
  if (answer.kind !== 'abstained') return answer.text;
  const candidates = (record['candidates'] ?? []) as readonly { readonly text: string }[];
  const likely = candidates.map(({ text }) => text).join(', ');
  const next = likely === '' ? '' : ` Candidates: ${likely}.`;
  const why = answer.reason.startsWith('No ') ? answer.reason : `No answer: ${answer.reason}`;
  return `${why}.${next}${cause}`;
}

/** Each cited passage once. */
const sourcesOf = (citations: readonly ShownCitation[]): ShownCitation[] => [
  ...new Map(citations.map(one => [`${one.documentId} ${one.start} ${one.end}`, one])).values(),
];

function lineOf({
  title,
  documentId,
  source,
  date,
  text,
  heading,
  page,
  line,
}: ShownCitation): string {
  const about = [
    source,
    date,
    heading?.join(' > '),
    page && `page ${page}`,
    line && `line ${line}`,
  ];
  const shown = about.filter(part => part !== undefined && part !== '').join(', ');
  const named = plain(title || documentId);
  return `${named}${shown === '' ? '' : ` (${plain(shown)})`}: ${plain(text)}`;
}

/** A document's own address if it is one of the web, else a name that no front end opens. */
const addressOf = ({ url, documentId }: ShownCitation): string =>
  url !== undefined && /^https?:\/\/[^\s]+$/i.test(url)
    ? url
    : `urn:multihop:document:${encodeURIComponent(documentId.toWellFormed())}`;

/**
 * Texts of documents are data: a front end that renders Markdown must not load an image or show a
 * link from them.
 */
const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>!#|~]/g, '\\$&');
