/**
 * MuSiQue: each question brings its paragraphs, marks those that support it, and says how it
 * decomposes.
 */
import type { DataSet } from '../../evaluation/example.ts';
import { isFields } from '../records/record.ts';
import { listField, textField } from './data-set-file.ts';
import { type Paragraph, readParagraphQuestions } from './paragraph-questions.ts';

interface Marked extends Paragraph {
  readonly number: unknown;
  readonly supports: boolean;
}

const CHAIN = 'question_decomposition';

/**
 * Gold are whole paragraphs in the order of the hops, without facts: the data set marks no
 * sentences. The type is the shape of the decomposition: `2hop`, `3hop1`.
 */
export function readMusique(questions: string): Promise<DataSet> {
  return readParagraphQuestions<Marked>(questions, {
    name: 'musique',
    expected: 'objects with question, answer, paragraphs, question_decomposition',
    fields: { ids: ['id', '_id'], paragraphs: 'paragraphs', chain: CHAIN },
    paragraph(item, place) {
      const text = isFields(item) ? textField(item, 'paragraph_text', 'text') : undefined;
      if (!isFields(item) || text === undefined) return 'has no paragraph_text';
      return {
        title: textField(item, 'title') ?? '',
        text,
        number: item['idx'] ?? place,
        supports: item['is_supporting'] === true,
      };
    },
    gold: (fields, paragraphs, pool, wrong) =>
      goldOf(paragraphs, listField(fields, CHAIN), wrong).map(paragraph => ({
        documentId: pool.id(paragraph),
        title: paragraph.title,
      })),
    noGold: 'no supporting paragraph',
    type: (_fields, id) => /^(\d+hop\d*)__/.exec(id)?.[1],
  });
}

/**
 * The supporting paragraphs: first those that the hops name, in their order, then the others that
 * are marked.
 */
function goldOf(
  paragraphs: readonly Marked[],
  chain: readonly unknown[],
  wrong: (what: string) => void,
): Marked[] {
  const inOrder = chain.flatMap((step, hop) => {
    const number = isFields(step) ? step['paragraph_support_idx'] : undefined;
    if (number === undefined || number === null) return [];
    const paragraph = paragraphs.find(candidate => candidate.number === number);
    if (paragraph === undefined)
      wrong(`step ${hop}: no paragraph has the idx ${JSON.stringify(number)}`);
    return paragraph === undefined ? [] : [paragraph];
  });
  return [...new Set([...inOrder, ...paragraphs.filter(paragraph => paragraph.supports)])];
}
