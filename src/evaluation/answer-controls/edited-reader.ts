/**
 * Wraps a reader so that it reads edited evidence: context, titles and the documents behind them
 * agree, and citations are returned as spans of the stored texts.
 */
import { AnalysisCache, type AnalysisKind, analysisOf } from '../../core/corpus/analysis-cache.ts';
import type { Document, Passage, Span } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { countWords } from '../../core/text/words.ts';
import type { Call } from '../../core/trace/call.ts';
import type {
  Answer,
  Citation,
  ContextPart,
  ContextText,
  Evidence,
} from '../../core/trace/trace.ts';
import type { Reader } from '../../readers/reader.ts';
import type { SearchEngine } from '../../search/engine.ts';
import type { Edit, Treatment } from './answer-control.ts';

type Edited = Extract<Treatment, { kind: 'edited' }>;

/** Returns the reader under the same name; `treatment` says what it reads instead. */
export function editedReader(reader: Reader, treatment: Edited): Reader {
  return {
    ...reader,
    async read(question, context, evidence, kit, call) {
      const editions = editionsOf(treatment);
      const engine = editedEngine(kit.engine, editions);
      const ids = [...new Set(context.parts.map(({ documentId }) => documentId))];
      const texts = new Map(
        (await kit.engine.read('document', ids, call)).map(document => [document.id, document]),
      );
      const answer = await reader.read(
        question,
        editedContext(context, texts, editions),
        evidence.map(item => editedItem(item, editions)),
        { ...kit, engine },
        call,
      );
      return withOwnCitations(answer, editions);
    },
  };
}

/** The edits of one document, ascending and without overlaps, and its new title. */
export interface Edition {
  readonly edits: readonly Edit[];
  readonly title?: string;
}
type Editions = ReadonlyMap<string, Edition>;

function editionsOf({ edits, titles }: Edited): Editions {
  const ids = new Set([...edits.map(({ documentId }) => documentId), ...Object.keys(titles)]);
  return new Map(
    [...ids].map(id => {
      const inDocument = edits.filter(({ documentId }) => documentId === id);
      const title = titles[id];
      return [id, { edits: inDocument.sort((a, b) => a.start - b.start), title }];
    }),
  );
}

/** Returns the edited text. */
export function editedText(text: string, { edits }: Edition): string {
  let made = '';
  let at = 0;
  for (const { start, end, text: replacement } of edits) {
    made += text.slice(at, start) + replacement;
    at = end;
  }
  return made + text.slice(at);
}

/**
 * Returns where an offset of the stored text lies in the edited text; inside a replaced span, the
 * start of the replacement, or its end for the end of a span.
 */
export function toEdited(offset: number, { edits }: Edition, isEnd: boolean): number {
  let shift = 0;
  for (const { start, end, text } of edits) {
    if (end <= offset) shift += text.length - (end - start);
    else if (start < offset) return start + shift + (isEnd ? text.length : 0);
  }
  return offset + shift;
}

/** The inverse of `toEdited`; inside a replacement, the start or the end of what it replaced. */
export function toStored(offset: number, { edits }: Edition, isEnd: boolean): number {
  let shift = 0;
  for (const { start, end, text } of edits) {
    const from = start + shift;
    if (from + text.length <= offset) shift += text.length - (end - start);
    else if (from < offset) return isEnd ? end : start;
  }
  return offset - shift;
}

const editedSpan = ([start, end]: Span, edition: Edition): Span => [
  toEdited(start, edition, false),
  toEdited(end, edition, true),
];

function editedItem(item: Evidence, editions: Editions): Evidence {
  const edition = editions.get(item.documentId);
  if (!edition) return item;
  return {
    ...item,
    title: edition.title ?? item.title,
    spans: item.spans.map(span => editedSpan(span, edition)),
  };
}

/** Renders each part again: its header, with the new title, and its spans of the edited text. */
function editedContext(
  context: ContextText,
  documents: ReadonlyMap<string, Document>,
  editions: Editions,
): ContextText {
  const parts: ContextPart[] = [];
  let text = '';
  for (const [index, part] of context.parts.entries()) {
    text += context.text.slice(context.parts[index - 1]?.end ?? 0, part.start);
    const shown = editedPart(
      context.text.slice(part.start, part.end),
      part,
      documents.get(part.documentId)!,
      editions.get(part.documentId),
    );
    parts.push({
      ...part,
      start: text.length,
      end: text.length + shown.text.length,
      spans: shown.spans,
    });
    text += shown.text;
  }
  text += context.text.slice(context.parts.at(-1)?.end ?? 0);
  return { ...context, text, parts, tokens: countWords(text) };
}

function editedPart(
  shown: string,
  part: ContextPart,
  document: Document,
  edition: Edition | undefined,
): { readonly text: string; readonly spans: readonly Span[] } {
  if (!edition) return { text: shown, spans: part.spans };
  const body = part.spans.map(([start, end]) => document.text.slice(start, end)).join('\n');
  const spans = part.spans.map(span => editedSpan(span, edition));
  const { title = document.title } = edition;
  const head = (text: string): string =>
    document.title !== '' && text.startsWith(document.title)
      ? title + text.slice(document.title.length)
      : text;
  if (!shown.endsWith(body)) return { text: head(shown), spans };
  const edited = editedText(document.text, edition);
  const lines = spans.map(([start, end]) => edited.slice(start, end)).join('\n');
  return { text: head(shown.slice(0, shown.length - body.length)) + lines, spans };
}

/** Returns an engine that reads the edited documents, and analyses them anew. */
function editedEngine(engine: SearchEngine, editions: Editions): SearchEngine {
  const edited = (document: Document): Document => {
    const edition = editions.get(document.id);
    if (!edition) return document;
    const { title = document.title } = edition;
    return { ...document, title, text: editedText(document.text, edition) };
  };
  const read = async (
    unit: Unit,
    ids: readonly string[],
    call: Call,
  ): Promise<(Document | Passage)[]> =>
    unit === 'document'
      ? (await engine.read('document', ids, call)).map(edited)
      : engine.read(unit, ids, call);
  return {
    ...engine,
    analysis: new EditedAnalyses(analysisOf(engine), editions),
    read: read as SearchEngine['read'],
  };
}

/** Keeps analyses of edited documents apart from those of the stored ones. */
class EditedAnalyses extends AnalysisCache {
  private readonly stored: AnalysisCache;
  private readonly editions: Editions;

  constructor(stored: AnalysisCache, editions: Editions) {
    super();
    this.stored = stored;
    this.editions = editions;
  }

  override get<T>(kind: AnalysisKind<T>, key: string): T | undefined {
    return this.isEdited(key) ? super.get(kind, key) : this.stored.get(kind, key);
  }

  override set<T>(kind: AnalysisKind<T>, key: string, value: T): void {
    if (this.isEdited(key)) super.set(kind, key, value);
    else this.stored.set(kind, key, value);
  }

  /** Keys begin with the id of a document. */
  private isEdited(key: string): boolean {
    return this.editions.keys().some(id => key.startsWith(id));
  }
}

function withOwnCitations(answer: Answer, editions: Editions): Answer {
  const stored = (citations: readonly Citation[]): Citation[] =>
    citations.map(citation => {
      const edition = editions.get(citation.documentId);
      if (!edition) return citation;
      return {
        ...citation,
        start: toStored(citation.start, edition, false),
        end: toStored(citation.end, edition, true),
      };
    });
  if (answer.kind !== 'abstained') return { ...answer, citations: stored(answer.citations) };
  const { withheld, sides } = answer;
  return defined<Answer>({
    ...answer,
    withheld: withheld && { ...withheld, citations: stored(withheld.citations) },
    sides: sides?.map(({ claim, citations }) => ({ claim, citations: stored(citations) })),
  });
}
