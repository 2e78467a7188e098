/** The family of text templates: the texts that an embedder reads of passages and queries. */
import {
  type Document,
  metadataText,
  type Passage,
  publishedDay,
} from '../../core/corpus/document.ts';
import { titleAt } from '../../core/corpus/outline.ts';
import { type Family, family, type Member, member } from '../../core/naming/family.ts';
import { cleanCharacters } from '../../core/text/clean-characters.ts';

/** Leaves prefixes that a model was trained with ("query: ") to the embedder. */
export interface TextTemplate {
  /** Canonical. Two templates of one name give the same words. */
  readonly name: string;
  passage(document: Document, item: Passage): string;
  query(text: string): string;
}

/**
 * Writes a line of title with the headings above the item, source and day, as far as known, above
 * the item's own words, so that a query that matches the header alone finds the item.
 */
export function withHeader(document: Document, { text, start, end }: Passage): string {
  const { title, metadata } = document;
  const whole = start === 0 && end === document.text.length;
  const header = [
    whole ? title : titleAt(document, start),
    metadataText(metadata, 'source'),
    publishedDay(metadata),
  ]
    .filter(part => part !== '')
    .join(', ');
  return header === '' ? text : `${header}\n${text}`;
}

const header: Member<TextTemplate> = member({
  name: 'header',
  summary:
    'a line "TITLE, SOURCE, DAY", as far as they are known, above the words; queries as they are',
  create: (_, name) => ({ name, passage: withHeader, query: text => text }),
});

const titleContext: Member<TextTemplate> = member({
  name: 'title-context',
  summary:
    'the lines "Title: ...", "Source: ..." where it is known, and "Context: ..."; queries without a label',
  paper: 'TreeHop, Tables 7 and 8',
  parameters: [
    {
      name: 'normalise',
      type: 'flag',
      default: true,
      summary:
        'quotes, dashes, primes, ellipses, slashes and tildes of passages and queries in ASCII, as Contriever has them',
    },
  ],
  create: ({ normalise }, name) => {
    const clean = normalise ? cleanCharacters : (text: string): string => text;
    return {
      name,
      passage: ({ title, metadata }, { text }) =>
        clean(labelled({ Title: title, Source: metadataText(metadata, 'source'), Context: text })),
      query: clean,
    };
  },
});

/** Writes a line each; none for an empty field. */
function labelled(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .flatMap(([label, value]) => (value === '' ? [] : [`${label}: ${value}`]))
    .join('\n');
}

const text: Member<TextTemplate> = member({
  name: 'text',
  summary: 'the words alone, without title or source',
  create: (_, name) => ({ name, passage: (_document, item) => item.text, query: query => query }),
});

export const textTemplates: Family<TextTemplate> = family('template', [header, titleContext, text]);

export const DEFAULT_TEMPLATE = 'header';
