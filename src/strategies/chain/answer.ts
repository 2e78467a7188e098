/** Answers sub-questions from their sentences, and integrates the answers. */

import type { Hit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { End, ModelOutput } from '../../core/trace/trace.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import { stemOf } from '../../language/english/words/stems.ts';
import { generateStructured, outputsOf } from '../../models/structured.ts';
import type { ModelInUse } from '../../planning/model-in-use.ts';
import type { Paragraph } from '../../planning/paragraphs.ts';
import { answerFromPassages, type PassagesAnswer } from '../../planning/passages-answer.ts';
import { answerFromSubAnswers, type SubAnswer } from '../../planning/sub-answers.ts';
import { modelSubAnswer } from '../../planning/sub-questions/model-sub-answer.ts';
import { type ReadAnswer, UNKNOWN } from '../../planning/sub-questions/read-answer.ts';
import { citationsOf, type ReadPassage } from '../../planning/sub-questions/read-passage.ts';
import { relatedSubAnswer } from '../../planning/sub-questions/related-sub-answer.ts';
import type { Kit } from '../strategy.ts';
import { readSummary, SUMMARISE, summarisePrompt } from './prompts.ts';
import { asReadPassages, type Documents, ontoSentences, runsOf } from './sentence-context.ts';
import { answererNeed, type ChainSettings } from './settings.ts';

/** Documents that a question answerer reads for a sub-question. */
const READ_DOCUMENTS = 5;

/** The sentences of a sub-question. */
export interface Material {
  readonly question: string;
  readonly sentences: readonly Hit[];
  readonly documents: Documents;
  /** Summaries of unanswered sub-questions that it needs. */
  readonly carried: readonly string[];
}

export class Answering {
  private readonly kit: Kit;
  private readonly call: Call;
  private readonly settings: ChainSettings;
  private readonly model: ModelInUse;

  constructor(kit: Kit, call: Call, settings: ChainSettings, model: ModelInUse) {
    [this.kit, this.call, this.settings, this.model] = [kit, call, settings, model];
  }

  /** Answers a sub-question; unknown without sentences. */
  async subAnswer(material: Material): Promise<ReadAnswer> {
    const { settings, call, model } = this;
    const passages = passagesOf(material);
    if (material.sentences.length === 0) return UNKNOWN;
    const read = model.present
      ? await model.ask(language =>
          modelSubAnswer(language, material.question, passages, call, settings.prompt),
        )
      : await this.answerWithoutModel(material.question, passages);
    if (!read) return UNKNOWN;
    return {
      ...read,
      citations: ontoSentences(read.citations, material.sentences),
      occurrences: ontoSentences(read.occurrences, material.sentences),
      outputs: read.outputs.map(({ citations = [], ...output }) => {
        const onto = ontoSentences(citations, material.sentences);
        return onto.length > 0 ? { ...output, citations: onto } : output;
      }),
    };
  }

  private async answerWithoutModel(
    question: string,
    passages: readonly ReadPassage[],
  ): Promise<ReadAnswer> {
    const answerer = this.kit.resource(answererNeed(this.settings));
    if (!answerer) return relatedSubAnswer(question, passages);
    const ids = [...new Set(passages.map(({ documentId }) => documentId))].slice(0, READ_DOCUMENTS);
    let best: { readonly answer: string; readonly score: number } | undefined;
    for (const id of ids) {
      const ofDocument = passages.filter(({ documentId }) => documentId === id);
      const text = ofDocument.map(each => each.text).join('\n');
      const { spans, none } = await answerer.answer(question, text, this.call);
      const [first] = spans;
      if (!first) continue;
      const score = first.score - none;
      if (score > (best?.score ?? 0)) best = { answer: text.slice(first.start, first.end), score };
    }
    if (!best) return UNKNOWN;
    const occurrences = citationsOf(best.answer, passages);
    return { answer: best.answer, occurrences, outputs: [], citations: occurrences.slice(0, 1) };
  }

  /** Summarises the sentences of an unanswered sub-question; undefined without a usable reply. */
  async summary(material: Material, outputs: ModelOutput[]): Promise<string | undefined> {
    if (material.sentences.length === 0) return undefined;
    const reply = await this.model.ask(language =>
      generateStructured(
        language,
        summarisePrompt(material.question, passagesOf(material), this.settings.prompt),
        readSummary,
        this.call,
      ),
    );
    if (reply) outputs.push(...outputsOf(SUMMARISE, reply.texts, reply.kind === 'parsed'));
    return reply?.kind === 'parsed' ? reply.value : undefined;
  }

  /** Answers from the sub-answers alone. */
  async fromAnswers(
    question: string,
    asked: readonly SubAnswer[],
    outputs: ModelOutput[],
  ): Promise<End> {
    const read = await this.model.ask(language =>
      answerFromSubAnswers(question, asked, language, this.call),
    );
    outputs.push(...(read?.outputs ?? []));
    return read?.end ?? { why: 'completed' };
  }

  /** Answers from sentences alone, shown in their order. */
  async fromSentences(
    question: string,
    sentences: readonly Hit[],
    documents: Documents,
    outputs: ModelOutput[],
  ): Promise<End> {
    if (sentences.length === 0) return { why: 'completed' };
    const paragraphs: Paragraph[] = runsOf(sentences, documents);
    const { words, prompt } = this.settings;
    const read: PassagesAnswer | undefined = await this.model.ask(language =>
      answerFromPassages(language, { question, paragraphs }, { words, prompt }, this.call),
    );
    if (!read) return { why: 'completed' };
    outputs.push(...read.outputs);
    const { draft, ...end } = read.end;
    const citations = ontoSentences(draft?.citations ?? [], sentences);
    return draft && citations.length > 0 ? { ...end, draft: { ...draft, citations } } : end;
  }
}

/** Returns the sentences as passages, and the summaries after them. */
function passagesOf({ sentences, documents, carried }: Material): ReadPassage[] {
  const shown = asReadPassages(runsOf(sentences, documents));
  const summaries = carried.map(text => ({
    id: '',
    documentId: '',
    about: '',
    start: 0,
    title: 'What is known of an earlier question',
    text,
  }));
  return [...shown, ...summaries];
}

/** Every content word of the question stands in the sentences, and something answers it. */
export function sufficeByRule(material: Material): boolean {
  const { question } = material;
  const passages = passagesOf(material);
  const shown = new Set(
    passages.flatMap(({ title, text }) =>
      [...contentWords(`${title} ${text}`)].map(word => stemOf(word)),
    ),
  );
  return (
    [...contentWords(question)].every(word => shown.has(stemOf(word))) &&
    relatedSubAnswer(question, passages).answer !== undefined
  );
}
