/**
 * The schema that HotpotQA (distractor setting) and 2WikiMultiHopQA share: each question brings its
 * paragraphs and names its supporting sentences.
 */
import type { DataSet, Gold } from '../../evaluation/example.ts';
import { listField, textField } from './data-set-file.ts';
import {
  type Paragraph,
  type ParagraphPool,
  readParagraphQuestions,
} from './paragraph-questions.ts';

interface SentenceParagraph extends Paragraph {
  /** Ranges of the sentences in the text, without the white space around them. */
  readonly spans: readonly (readonly [start: number, end: number])[];
}

/** Reads the questions of one file; `joiner` stands between the sentences of a paragraph. */
export function readDistractorQuestions(
  name: string,
  questions: string,
  joiner: string,
): Promise<DataSet> {
  return readParagraphQuestions<SentenceParagraph>(questions, {
    name,
    expected: 'objects with question, answer, context, supporting_facts',
    fields: { ids: ['_id', 'id'], paragraphs: 'context', chain: 'evidences' },
    paragraph(item) {
      const [title, sentences] = Array.isArray(item) ? item : [];
      if (
        typeof title === 'string' &&
        Array.isArray(sentences) &&
        sentences.every(sentence => typeof sentence === 'string')
      )
        return joined(title.toWellFormed(), sentences, joiner);
      return 'is not [title, [sentence, ...]]';
    },
    gold: (fields, context, pool, wrong) =>
      listField(fields, 'supporting_facts').map(item => readGold(item, context, pool, wrong)),
    noGold: 'no supporting_facts',
    type: fields => textField(fields, 'type'),
  });
}

function joined(title: string, sentences: readonly string[], joiner: string): SentenceParagraph {
  const spans: [number, number][] = [];
  let text = '';
  for (const [place, stated] of sentences.entries()) {
    const sentence = stated.toWellFormed();
    if (place > 0) text += joiner;
    const start = text.length + sentence.length - sentence.trimStart().length;
    spans.push([start, Math.max(start, text.length + sentence.trimEnd().length)]);
    text += sentence;
  }
  return { title, text, spans };
}

/**
 * The sentence that `[title, number]` names. A name that does not resolve is reported, and stays as
 * gold that nothing can find.
 */
function readGold(
  item: unknown,
  context: readonly SentenceParagraph[],
  pool: ParagraphPool,
  wrong: (what: string) => void,
): Gold {
  const [stated, number] = Array.isArray(item) ? item : [];
  const title = typeof stated === 'string' ? stated.toWellFormed() : '';
  const paragraph = context.find(candidate => candidate.title === title);
  if (paragraph === undefined) {
    wrong(
      `supporting fact ${JSON.stringify(item ?? null)}: no paragraph of the question has this title`,
    );
    return { documentId: title, title };
  }
  const documentId = pool.id(paragraph);
  const span = typeof number === 'number' ? paragraph.spans[number] : undefined;
  if (span === undefined) {
    wrong(
      `supporting fact ${JSON.stringify(item)}: the paragraph has ${paragraph.spans.length} sentences`,
    );
    return { documentId, title };
  }
  return { documentId, title, fact: paragraph.text.slice(...span), span };
}
