/** Asks the questions of one language over its pages, and judges what is found and shown. */
import { basename } from 'node:path';
import type { Document } from '../../src/core/corpus/document.ts';
import { countWords } from '../../src/core/text/words.ts';
import { readDocuments } from '../../src/documents/read-documents.ts';
import type { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import { ask, ingest } from '../../src/session/verbs.ts';
import { holds, lettersOf } from './parts.ts';
import { plainBm25 } from './plain-bm25.ts';
import { type AlignedQuestion, type Gold, goldOf } from './questions.ts';

/** Ranks that count. */
const DEPTH = 5;
export const TOKENS = 510;

/** The ranking and the text that a system returns for a question. */
interface Found {
  /** Ids of documents, best first. */
  readonly ranking: readonly string[];
  readonly shown: string;
}

/** A system by its label; it asks one question. */
interface System {
  readonly label: (typeof SYSTEMS)[number];
  ask(question: string): Promise<Found>;
}

export interface Outcome {
  readonly id: string;
  /** Share of the pages that answer among the first five. */
  readonly recall: number;
  /** The shown text holds every paragraph that the answer needs. */
  readonly suffices: boolean;
  /** The same figures for what answers another question. */
  readonly control: { readonly recall: number; readonly suffices: boolean };
  /** Share of the letters of all pages that is shown. */
  readonly shown: number;
  readonly tokens: number;
  readonly ranking: readonly string[];
}

export interface MeasuredLanguage {
  readonly language: string;
  readonly pages: number;
  /** Parts that the loader's text does not hold. */
  readonly lost: readonly string[];
  readonly systems: readonly { readonly label: string; readonly outcomes: readonly Outcome[] }[];
}

/** The labels of the systems, in the order of the table. */
export const SYSTEMS = ['default', 'search, passages', 'search, documents', 'plain BM25'] as const;

/**
 * Measures systems on the questions of a language over the pages in a folder, and in `beside` where
 * they are searched at once.
 */
export async function measureLanguage(
  language: string,
  folder: string,
  questions: readonly AlignedQuestion[],
  labels: readonly string[] = SYSTEMS,
  beside: readonly string[] = [],
): Promise<MeasuredLanguage> {
  const pages = await pagesOf([folder, ...beside]);
  // Ids of pages in several folders begin with that of their folder.
  const before = beside.length > 0 ? `${basename(folder)}/` : '';
  const golds = questions.map(question => goldOf(question, folder, before));
  const letters = pages.reduce((sum, { text }) => sum + lettersOf(text).length, 0);
  const systems: { label: string; outcomes: Outcome[] }[] = [];
  const wanted = (await systemsOf(pages)).filter(({ label }) => labels.includes(label));
  for (const { label, ask: run } of wanted) {
    const outcomes: Outcome[] = [];
    for (const [at, question] of questions.entries()) {
      const found = await run(question.asked[language]!);
      const another = golds[(at + Math.floor(golds.length / 2)) % golds.length]!;
      outcomes.push({
        id: question.id,
        ...judged(found, golds[at]!),
        control: judged(found, another),
        shown: lettersOf(found.shown).length / letters,
        tokens: countWords(found.shown),
        ranking: found.ranking.slice(0, DEPTH),
      });
    }
    systems.push({ label, outcomes });
  }
  const lost = lostParts(questions, golds, textsOf(pages, before));
  return { language, pages: pages.length, lost, systems };
}

function judged({ ranking, shown }: Found, { pages, parts }: Gold): Outcome['control'] {
  const first = new Set([...new Set(ranking)].slice(0, DEPTH));
  const found = [...pages].filter(page => first.has(page)).length;
  return { recall: found / pages.size, suffices: parts.every(part => holds(shown, part)) };
}

/** Names the paragraphs that answer and that the loader lost: no ranking could show them. */
function lostParts(
  questions: readonly AlignedQuestion[],
  golds: readonly Gold[],
  texts: ReadonlyMap<string, string>,
): string[] {
  return questions.flatMap(({ evidence }, at) =>
    evidence
      .filter(({ page }, index) => !holds(texts.get(page) ?? '', golds[at]!.parts[index]!))
      .map(({ page, part }) => `${page}#${part}`),
  );
}

/** Returns the texts of the pages whose ids begin so, by the rest of the id. */
const textsOf = (pages: readonly Document[], before: string): ReadonlyMap<string, string> =>
  new Map(
    pages.flatMap(({ id, text }) =>
      id.startsWith(before) ? [[id.slice(before.length), text]] : [],
    ),
  );

async function pagesOf(folders: readonly string[]): Promise<Document[]> {
  const pages: Document[] = [];
  for await (const event of readDocuments(folders))
    if (event.type === 'document') pages.push(event.document);
  return pages;
}

async function systemsOf(pages: readonly Document[]): Promise<System[]> {
  const engine: EmbeddedEngine = await ingest(pages);
  const through = (
    label: System['label'],
    options: { strategy?: string; retriever?: string },
  ): System => ({
    label,
    async ask(question) {
      const { ranking, context } = await ask(question, { engine, ...options });
      return { ranking, shown: context.text };
    },
  });
  const strategy = `equal-budget-top-k(tokens=${TOKENS})`;
  return [
    through('default', {}),
    through('search, passages', { strategy, retriever: 'lexical(unit=passage)' }),
    through('search, documents', { strategy, retriever: 'lexical' }),
    plainSystem(pages),
  ];
}

/** Ranks pages, and shows the best lines of all pages that fit. */
function plainSystem(pages: readonly Document[]): System {
  const rankPages = plainBm25(pages.map(({ title, text }) => `${title}\n${text}`));
  const lines = pages.flatMap(({ text }) => text.split('\n').filter(line => line.trim() !== ''));
  const rankLines = plainBm25(lines);
  return {
    label: 'plain BM25',
    async ask(question) {
      const shown: string[] = [];
      let left = TOKENS;
      for (const at of rankLines(question)) {
        left -= countWords(lines[at]!);
        if (left < 0) break;
        shown.push(lines[at]!);
      }
      return { ranking: rankPages(question).map(at => pages[at]!.id), shown: shown.join('\n') };
    },
  };
}
