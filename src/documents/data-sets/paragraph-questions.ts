/**
 * Data sets whose questions bring their own paragraphs: what HotpotQA, 2WikiMultiHopQA and MuSiQue
 * share. The paragraphs of all are one corpus.
 */
import type { Document } from '../../core/corpus/document.ts';
import type { DataSet, Gold } from '../../evaluation/example.ts';
import { contentId, type Fields } from '../records/record.ts';
import {
  type Entry,
  Gathered,
  listField,
  problemOf,
  readEntries,
  readQuestions,
  textField,
} from './data-set-file.ts';

export interface Paragraph {
  readonly title: string;
  readonly text: string;
}

/**
 * Ids are titles; where paragraphs of one title differ, each gets its title and a short hash of its
 * content. Ids do not depend on the order of questions.
 */
export class ParagraphPool {
  private readonly byTitle = new Map<string, Set<string>>();

  add({ title, text }: Paragraph): void {
    const texts = this.byTitle.get(title);
    if (texts) texts.add(text);
    else this.byTitle.set(title, new Set([text]));
  }

  /** Asked once all paragraphs are in. */
  id({ title, text }: Paragraph): string {
    if (title !== '' && this.byTitle.get(title)?.size === 1) return title;
    return `${title} [${contentId(title, text).slice(0, 8)}]`.trimStart();
  }

  documents(): Document[] {
    return [...this.byTitle].flatMap(([title, texts]) =>
      [...texts].map(text => ({ id: this.id({ title, text }), title, text, metadata: {} })),
    );
  }
}

/** Settings that differ from one data set to the next. */
export interface ParagraphQuestions<P extends Paragraph> {
  readonly name: string;
  /** Fields of the questions, for the error of a file that holds none. */
  readonly expected: string;
  /** The fields that may hold the id, the paragraphs, and the chain. */
  readonly fields: {
    readonly ids: readonly string[];
    readonly paragraphs: string;
    readonly chain: string;
  };
  /** One item of the paragraphs, or what is wrong with it. */
  paragraph(item: unknown, place: number): P | string;
  /** Each problem goes to `wrong`. */
  gold(
    fields: Fields,
    paragraphs: readonly P[],
    pool: ParagraphPool,
    wrong: (what: string) => void,
  ): Gold[];
  /** Description of the gold that a question lacks. */
  readonly noGold: string;
  type(fields: Fields, id: string): string | undefined;
}

/** Consistency problems are named with their question; loading goes on where it can. */
export async function readParagraphQuestions<P extends Paragraph>(
  questions: string,
  format: ParagraphQuestions<P>,
): Promise<DataSet> {
  const gathered = new Gathered();
  const pool = new ParagraphPool();
  const entries = await readEntries(questions, 'question', gathered.problems);
  const paragraphs = new Map(
    entries.map(entry => [entry.index, paragraphsOf(entry, format, gathered.problems)] as const),
  );
  for (const each of paragraphs.values()) for (const paragraph of each) pool.add(paragraph);
  readQuestions(questions, entries, gathered, {
    expected: format.expected,
    texts: ['question'],
    ids: format.fields.ids,
    read({ index, id, fields, wrong }) {
      const brought = paragraphs.get(index)!;
      if (brought.length === 0) {
        wrong(`left out: it has no ${format.fields.paragraphs}`);
        return undefined;
      }
      const gold = format.gold(fields, brought, pool, wrong);
      if (gold.length === 0) wrong(format.noGold);
      const chain = listField(fields, format.fields.chain);
      return {
        type: format.type(fields, id),
        gold,
        within: [...new Set(brought.map(paragraph => pool.id(paragraph)))],
        chain: chain.length > 0 ? chain : undefined,
      };
    },
  });
  for (const document of pool.documents()) gathered.documents.push(document);
  return { name: format.name, ...gathered };
}

function paragraphsOf<P extends Paragraph>(
  { index, fields }: Entry,
  format: ParagraphQuestions<P>,
  problems: string[],
): P[] {
  return listField(fields, format.fields.paragraphs).flatMap((item, place) => {
    const paragraph = format.paragraph(item, place);
    if (typeof paragraph !== 'string') return [paragraph];
    problems.push(
      problemOf(index, textField(fields, 'question') ?? '', `paragraph ${place} ${paragraph}`),
    );
    return [];
  });
}
