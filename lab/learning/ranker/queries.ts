/**
 * Makes questions of the documents themselves, where nobody asked any: a heading, content words of
 * a sentence, the sentence as a question about its circumstances or its subject. The teacher says
 * which candidates answer them, so no question need be good: a bad one is a pool of low scores.
 */
import type { Document, Passage, Span } from '../../../src/core/corpus/document.ts';
import { headingAt, subjectAt, titleAt } from '../../../src/core/corpus/outline.ts';
import { wordsIn } from '../../../src/core/text/matched-words.ts';
import { sentenceSpans } from '../../../src/core/text/sentences.ts';
import { isContentWord } from '../../../src/language/english/words/content-words.ts';
import { ENGLISH_STOP_WORDS } from '../../../src/language/english/words/stop-words.ts';
import { type Header, headed } from './candidates.ts';
import { shuffled } from './shuffled.ts';

export const KINDS = ['heading', 'words', 'circumstance', 'subject', 'sentence', 'said'] as const;
type Kind = (typeof KINDS)[number];

export interface MadeQuestion {
  readonly kind: Kind;
  readonly text: string;
  /** The passage that it was made of, without the words that give it away. */
  source(header: Header): string;
}

/** Words of a sentence that is worth a question, and of a heading. */
const SENTENCE = [7, 40] as const;
const HEADING = [1, 10] as const;
/** Content words of a search by words, as people type them. */
const TYPED = [2, 6] as const;
/** Words that follow the verb in a question. */
const REST = 10;

type Random = () => number;

/** Returns questions about a passage, at most one of a kind, of a sentence drawn by `random`. */
export function questionsOf(document: Document, passage: Passage, random: Random): MadeQuestion[] {
  const spans = sentenceSpans(passage.text).filter(([start, end]) =>
    isWithin(wordsIn(passage.text.slice(start, end)).length, SENTENCE),
  );
  const span = spans[Math.floor(random() * spans.length)];
  return [
    ...ofHeading(document, passage, random),
    ...(span ? ofSentence(document, passage, span, random) : []),
  ];
}

const headerAt = (document: Document, { start }: Passage, header: Header): string =>
  (header === 'title' ? titleAt : subjectAt)(document, start);

/** A heading as a question; its section loses it. */
function ofHeading(document: Document, passage: Passage, random: Random): MadeQuestion[] {
  const heading = headingAt(document, passage.start).at(-1)?.replace(/\s+/g, ' ').trim();
  if (heading === undefined || !isWithin(wordsIn(heading).length, HEADING)) return [];
  const { title } = document;
  const name = lowered(heading);
  const forms = [
    heading,
    `${title} ${heading}`.trim(),
    `How does ${name} work${title && ` in ${title}`}?`,
    `What is ${name}${title && ` in ${title}`}?`,
  ];
  const text = forms[Math.floor(random() * forms.length)]!;
  const source = (header: Header): string => {
    const path = headerAt(document, passage, header);
    return headed(path.slice(0, path.lastIndexOf(heading)).replace(/[\s>]+$/, ''), passage.text);
  };
  return [{ kind: 'heading', text, source }];
}

/** A sentence as it stands, whose passage loses it, and questions that it answers. */
function ofSentence(
  document: Document,
  passage: Passage,
  [start, end]: Span,
  random: Random,
): MadeQuestion[] {
  const { text } = passage;
  const sentence = text.slice(start, end).replace(/\s+/g, ' ');
  const whole = (header: Header): string => headed(headerAt(document, passage, header), text);
  const without = (header: Header): string =>
    headed(headerAt(document, passage, header), `${text.slice(0, start)}${text.slice(end)}`.trim());
  return [
    { kind: 'sentence', text: sentence, source: without },
    ...askedBy(sentence, random).map(asked => ({ ...asked, source: whole })),
  ];
}

type Asked = Omit<MadeQuestion, 'source'>;

function askedBy(sentence: string, random: Random): Asked[] {
  const said = /^([A-Z]\w+): (.+)$/.exec(sentence);
  const words = someWords(said ? said[2]! : sentence, random);
  if (words === '') return [];
  if (said) return [{ kind: 'said', text: `What did ${said[1]} say about ${words}?` }];
  return [{ kind: 'words', text: words }, ...inverted(sentence, random)];
}

/** Some content words of a text in their order, as they are typed into a search. */
function someWords(text: string, random: Random): string {
  const content = wordsIn(text).filter(word => isContentWord(word.toLowerCase()));
  const count = TYPED[0] + Math.floor(random() * (TYPED[1] - TYPED[0] + 1));
  if (content.length < TYPED[0]) return '';
  const kept = new Set(shuffled([...content.keys()], random).slice(0, count));
  return content.filter((_, at) => kept.has(at)).join(' ');
}

const CLAUSE =
  /^(\p{L}[^\s,;:()]*(?: [^\s,;:()]+){0,6}?) (must|may|shall|should|can|could|will|would|is|are|was|were) ([^,;:()]+)/u;
const CIRCUMSTANCES = ['When', 'Why', 'How', 'Where'];

/** "A person must keep records." asks "When must a person keep records?", "What must keep ..." */
function inverted(sentence: string, random: Random): Asked[] {
  const [, subject, verb, after] = CLAUSE.exec(sentence.replace(/[.!]$/, '')) ?? [];
  if (subject === undefined || !mayBeSubject(subject)) return [];
  const rest = after!.split(' ').slice(0, REST).join(' ');
  if (/^not\b/.test(rest) || rest.split(' ').length < 2) return [];
  const circumstance = CIRCUMSTANCES[Math.floor(random() * CIRCUMSTANCES.length)];
  return [
    { kind: 'circumstance', text: `${circumstance} ${verb} ${lowered(subject)} ${rest}?` },
    { kind: 'subject', text: `What ${verb} ${rest}?` },
  ];
}

/** Names and nouns behind an article; a pronoun or a conjunction begins no subject. */
function mayBeSubject(subject: string): boolean {
  const first = subject.split(' ')[0]!.toLowerCase();
  if (/['’](?:m|re|ll|ve|d)\b/.test(subject)) return false;
  return ARTICLES.has(first) ? subject.includes(' ') : !ENGLISH_STOP_WORDS.has(first);
}

const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the', 'each', 'every', 'all']);

/** Lowers the first letter unless the word is a name or an abbreviation. */
const lowered = (text: string): string =>
  /^(?:An?|The|Each|Every|All|\p{Lu}\p{Ll}+ing)\b/u.test(text)
    ? text[0]!.toLowerCase() + text.slice(1)
    : text;

const isWithin = (count: number, [least, most]: readonly [number, number]): boolean =>
  count >= least && count <= most;
