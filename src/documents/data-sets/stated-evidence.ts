/** Finds where the evidence that a file of questions states stands in the corpus, as text. */
import type { Document } from '../../core/corpus/document.ts';
import { InputError } from '../../core/errors.ts';
import type { Gold } from '../../evaluation/example.ts';
import { type Fields, isFields } from '../records/record.ts';
import { textField } from './data-set-file.ts';

/** Number of evidence texts without a place that an error names. */
const NAMED = 5;
/** Characters of each that it shows. */
const SHOWN = 80;

/** Evidence as a file of questions states it. */
interface StatedEvidence {
  readonly text: string;
  /** Id or title of the document that holds it, where the file says so. */
  readonly document?: string | undefined;
}

/**
 * Resolves the field `evidence` of questions: a text, `{ text, document }`, or a list of these.
 * A text stands in a document if all its words do in this order; white space counts alike.
 */
export class EvidencePlaces {
  private readonly documents: readonly Document[];
  private readonly isWhole: boolean;
  private readonly lost: string[] = [];

  /** `isWhole`: false if the corpus may hold further documents, where evidence may stand too. */
  constructor(documents: readonly Document[], isWhole = true) {
    this.documents = documents;
    this.isWhole = isWhole;
  }

  /** Returns the gold of a question, and keeps in mind what stands nowhere. */
  goldOf(index: number, fields: Fields, wrong: (what: string) => void): Gold[] {
    return statedEvidence(fields, wrong).flatMap(({ text, document }) => {
      const matching = this.documents.filter(
        ({ id, title }) => id === document || title === document,
      );
      const found = placesOf(text, document === undefined ? this.documents : matching);
      const quoted = JSON.stringify(shortened(text));
      if (found.length === 0 && !this.isWhole)
        return [{ documentId: document ?? text, title: document ?? '', fact: text }];
      if (found.length === 0) {
        const where = document === undefined ? '' : ` of ${JSON.stringify(document)}`;
        this.lost.push(`question ${index}: ${quoted}${where}`);
      }
      if (found.length > 1)
        wrong(`evidence ${quoted} stands in ${found.length} documents; the first is taken`);
      return found.slice(0, 1);
    });
  }

  /** Throws `InputError('evidence-not-found')` if evidence of any question stands nowhere. */
  check(path: string): void {
    if (this.lost.length === 0) return;
    const more = this.lost.length > NAMED ? `, and ${this.lost.length - NAMED} more` : '';
    throw new InputError(
      'evidence-not-found',
      `Evidence in ${JSON.stringify(path)} stands in no document of the corpus`,
      {
        expected: 'texts copied from the documents; "document" names one by its id or title',
        received: `${this.lost.slice(0, NAMED).join(', ')}${more} (questions counted from 0)`,
        hint: 'multihop search finds the passage to copy from',
      },
    );
  }
}

function statedEvidence(fields: Fields, wrong: (what: string) => void): StatedEvidence[] {
  const stated = Object.hasOwn(fields, 'evidence') ? fields['evidence'] : undefined;
  if (stated === undefined || stated === null) return [];
  return (Array.isArray(stated) ? stated : [stated]).flatMap((item): StatedEvidence[] => {
    if (typeof item === 'string' && item.trim() !== '') return [{ text: item }];
    const text = isFields(item) ? textField(item, 'text') : undefined;
    if (text !== undefined) return [{ text, document: textField(item as Fields, 'document') }];
    wrong('evidence: left out what is neither a text nor { text, document }');
    return [];
  });
}

/** Returns the first place of the text in each document that holds it. */
function placesOf(text: string, documents: readonly Document[]): Gold[] {
  const exact = text.trim();
  const words = exact.split(/\s+/);
  const loose = new RegExp(words.map(escaped).join('\\s+'));
  return documents.flatMap(({ id, title, text: whole }): Gold[] => {
    const at = whole.indexOf(exact);
    if (at >= 0) return [goldAt({ id, title, text: whole }, at, exact.length)];
    // Most documents lack the longest word: the search with patterns is for those that have it.
    if (!whole.includes(longest(words))) return [];
    const match = loose.exec(whole);
    return match ? [goldAt({ id, title, text: whole }, match.index, match[0].length)] : [];
  });
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const longest = (words: readonly string[]): string =>
  words.reduce((best, word) => (word.length > best.length ? word : best), '');

function goldAt(
  { id, title, text }: Pick<Document, 'id' | 'title' | 'text'>,
  at: number,
  length: number,
): Gold {
  const end = at + length;
  return { documentId: id, title, fact: text.slice(at, end), span: [at, end] };
}

const shortened = (text: string): string =>
  (text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text).toWellFormed();
