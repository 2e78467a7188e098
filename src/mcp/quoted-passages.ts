/** Words passages of documents, and texts inside a line, as data of unknown authors. */
import {
  DATA_RULE,
  lineAsData,
  linesAsData,
  passagesAsData,
} from '../core/text/passages-as-data.ts';
import { placesWords } from '../session/shown-evidence.ts';

/** A quoted passage of a result, with what is known of its document. */
export interface Quoted {
  /** Missing for a text of several documents. */
  readonly documentId?: string;
  readonly title?: string;
  readonly source?: string;
  readonly date?: string;
  readonly url?: string | undefined;
  readonly path?: string;
  readonly heading?: readonly string[];
  readonly page?: number;
  readonly line?: number;
  /** True if the answer cites its document. */
  readonly cited?: boolean;
  /** Number of places where the text stands; missing for a single place. */
  readonly places?: number | undefined;
  /** The thing that it is about, of those that the question compares. */
  readonly side?: string | undefined;
  readonly text: string;
  /** Its number, if it is not its place in the list. */
  readonly number?: number;
}

/** Returns the passages between markers that none of them can hold; empty without passages. */
export function quotedPassages(quoted: readonly Quoted[]): string {
  if (quoted.length === 0) return '';
  const passages = quoted.map(passage => ({
    title: passage.title ?? '',
    about: originOf(passage),
    text: passage.text,
    number: passage.number,
  }));
  return `${DATA_RULE}\n${passagesAsData(passages, linesAsData)}`;
}

function originOf(quoted: Quoted): string {
  const { documentId, source, date, url, path, heading, page, line, cited, places, side } = quoted;
  const parts = [
    documentId === undefined ? undefined : `document ${JSON.stringify(documentId)}`,
    source,
    date,
    url,
    path,
    heading?.join(' > '),
    page === undefined ? undefined : `page ${page}`,
    line === undefined ? undefined : `line ${line}`,
    cited ? 'cited' : undefined,
    side === undefined ? undefined : `about ${side}`,
    placesWords(places),
  ];
  return parts.filter(part => part !== undefined && part !== '').join(', ');
}

/**
 * Returns the text as one line in the quotes of JSON, which it cannot leave, without invisible
 * characters, and without what begins a marker of passages.
 */
export const quotedText = (text: string): string => JSON.stringify(lineAsData(text));
