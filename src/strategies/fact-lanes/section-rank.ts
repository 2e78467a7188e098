/**
 * Ranks sections of documents with headings, such as manuals, in place of sentences: "Default: 10"
 * means nothing without its section. The score is the sum of features of equal weight, each divided
 * by its greatest value (CombSUM: Lee, SIGIR 1997, doi 10.1145/258525.258587), plus likeness to the
 * first passages of that sum. docs/strategies/fact-lanes.md lists the features.
 */
import type { AnalysisCache } from '../../core/corpus/analysis-cache.ts';
import type { Document, Passage } from '../../core/corpus/document.ts';
import { headingLine, subjectAt } from '../../core/corpus/outline.ts';
import { Projects } from '../../core/corpus/projects.ts';
import type { Call } from '../../core/trace/call.ts';
import type { EvidenceItem } from '../../core/trace/trace.ts';
import {
  asksForDefault,
  asksForNumber,
  hasNumber,
  mentionsDefault,
} from '../../language/english/question/question-cues.ts';
import {
  type TextReader,
  textWordsKind,
  type Vocabulary,
} from '../../models/fact-ranker/text-words.ts';
import type { SearchEngine } from '../../search/engine.ts';
import { CandidateStems, stemmingOf } from './document-stems.ts';
import type { FoundPassage } from './found-passages.ts';
import type { Option } from './keep.ts';
import { scaled, total } from './passage-rank.ts';

/** Passages with which others are compared, as in `passage-rank.ts`. */
const FEEDBACK_PASSAGES = 5;

/** Documents that are read by one call: the run can be stopped between two calls. */
const AT_ONCE = 8;

const PASSAGES = textWordsKind('words of passages');
const SUBJECTS = textWordsKind('words of subjects');

/** A passage with its document. */
export interface Section extends FoundPassage {
  readonly passage: Passage;
  readonly document: Document;
}

/** Reads the passages that were found, with their documents. */
export async function readSections(
  found: readonly FoundPassage[],
  engine: SearchEngine,
  call: Call,
): Promise<Section[]> {
  const ids = [...new Set(found.map(({ hit }) => hit.documentId))];
  const documents = new Map<string, Document>();
  for (let at = 0; at < ids.length; at += AT_ONCE)
    for (const document of await engine.read('document', ids.slice(at, at + AT_ONCE), call)) {
      // A store parses a document at the first use of its outline, which titles of sections need.
      void document.outline;
      documents.set(document.id, document);
    }
  const passages = await engine.read(
    'passage',
    found.map(({ hit }) => hit.id),
    call,
  );
  return found.map((section, at) => ({
    ...section,
    passage: passages[at]!,
    document: documents.get(section.hit.documentId)!,
  }));
}

export interface SectionSignals {
  readonly question: string;
  /** ISO 639-1. */
  readonly language: string;
  /** Scores of documents by the words of the whole question. */
  readonly asked: ReadonlyMap<string, number>;
  readonly vocabulary: Vocabulary;
  /** Keeps the stems of passages. */
  readonly analysis: AnalysisCache;
}

/** Returns the score of each section. */
export function scoreSections(
  sections: readonly Section[],
  { question, language, asked, vocabulary, analysis }: SectionSignals,
): number[] {
  const parts = sections.map(({ passage, document }): Document => {
    const title = subjectAt(document, passage.start);
    return { id: passage.id, title, text: passage.text, metadata: {} };
  });
  const stems = new CandidateStems(parts, vocabulary, analysis, stemmingOf(language, 'sections'));
  const first = total([
    sections.map(({ words }) => words),
    stems.coverage(question),
    stems.bm25(question),
    stems.sharedPairs(question),
    sections.map(({ document }) => asked.get(document.id) ?? 0),
    ofNamedProjects(sections, question),
    ...cued(parts, question),
  ]);
  const like = scaled(stems.likeness(first, FEEDBACK_PASSAGES));
  return first.map((score, at) => score + like[at]!);
}

/** Returns 1 for each part that has what the question asks for, else 0; no row without a cue. */
function cued(parts: readonly Document[], question: string): number[][] {
  const rows: number[][] = [];
  if (asksForDefault(question))
    rows.push(parts.map(({ title, text }) => Number(mentionsDefault(`${title} ${text}`))));
  if (asksForNumber(question)) rows.push(parts.map(({ text }) => Number(hasNumber(text))));
  return rows;
}

/**
 * Returns 1 for each section of a project that the question names, else 0. Other words of paths are
 * no names: a question about cookies is none about a package of that name alone.
 */
export function ofNamedProjects(sections: readonly Section[], question: string): number[] {
  const projects = new Projects(sections.map(({ document }) => document.id));
  const asked = new Set<string | undefined>(projects.namedIn(question));
  return sections.map(({ document }) => Number(asked.has(projects.of(document.id))));
}

/** Returns the sections as candidates for evidence. */
export function sectionOptions(
  sections: readonly Section[],
  scores: readonly number[],
  reader: TextReader,
): Option[] {
  return sections.map(({ passage, document, search, lane }, at) => {
    const { id, documentId, start, end, text } = passage;
    const item: EvidenceItem = {
      id,
      documentId,
      search,
      score: scores[at]!,
      spans: [[start, end]],
    };
    const heading = [document.title, headingLine(document, start)].join(' ');
    return {
      item,
      lane,
      source: '',
      score: scores[at]!,
      // Most candidates are never weighed: a budget holds the first few.
      get text() {
        return reader.read(PASSAGES, id, () => text);
      },
      get header() {
        return reader.read(SUBJECTS, id, () => heading);
      },
    };
  });
}
