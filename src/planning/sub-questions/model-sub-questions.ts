/**
 * Sub-questions by a language model: one call, one repair, then whatever numbered lines it wrote
 * (query-decomposition sheet, sections 5 and 7).
 */
import type { LanguageModel, Prompt } from '../../models/language-model.ts';
import { generateStructured } from '../../models/structured.ts';
import type { Call } from '../../trace/call.ts';
import type { ModelOutput } from '../../trace/trace.ts';
import {
  distinctSubQuestions,
  subQuestionsInJson,
  subQuestionsInLines,
} from './sub-question-list.ts';

/** The role in traces and ledgers. */
export const DECOMPOSE = 'decompose';

/** The longest completion is that of so many sub-questions. */
const TOKENS_A_QUESTION = 60;
/**
 * What the chained prompt's example asks about, and what is left of it where nothing is named.
 * Small models say it again: a list that names it, where the question does not, is no list of the
 * question, nor is one of its rest alone.
 */
const EXAMPLE = /\bsolaris\b/i;
const EXAMPLE_REST = /^\s*(?:#\d{1,2}|in which town was #\d{1,2} born)\W*$/i;

export interface SplitSettings {
  /** Sub-questions, at most. */
  readonly parts: number;
  /** A later sub-question may refer to the answer of an earlier one. */
  readonly chained: boolean;
  /** Fewer will do. */
  readonly fewer?: boolean;
}

export function decomposePrompt(
  question: string,
  { parts, chained, fewer = false }: SplitSettings,
): Prompt {
  const asked = chained
    ? [
        `Split the question into at most ${parts} simpler sub-questions, in the order in which they have to be answered.`,
        'Where a sub-question needs the answer of an earlier one, write # and the number of that one in its place: #1 is the answer of the first. Example: {"subqueries": ["Who wrote the novel Solaris?", "In which town was #1 born?"]}',
        'Apart from that, each must be understood by someone who sees neither the question nor the other sub-questions.',
      ]
    : [
        `Split the question into ${fewer ? 'at most' : 'exactly'} ${parts} simpler sub-questions that together answer it.`,
        'Each is searched for and answered alone, by someone who sees neither the question nor the other sub-questions.',
      ];
  const system = [
    ...asked,
    'Name its entities in full, and the source and the date where the question names them. Keep quoted names as they are. Add nothing that the question does not say.',
    'Reply with JSON alone: {"subqueries": ["...", "..."]}',
  ].join('\n');
  return {
    role: DECOMPOSE,
    messages: [
      { role: 'system', text: system },
      { role: 'user', text: `Question: ${question}` },
    ],
    maxTokens: TOKENS_A_QUESTION * parts + 20,
    temperature: 0,
    schema: { name: 'sub_questions', schema: schemaOf(parts) },
  };
}

const schemaOf = (parts: number): Record<string, unknown> => ({
  type: 'object',
  properties: {
    subqueries: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: parts },
  },
  required: ['subqueries'],
  additionalProperties: false,
});

/**
 * What the model said, and its sub-questions; none where nothing of it could be read. Throws what
 * the model throws.
 */
export async function modelSubQuestions(
  model: LanguageModel,
  question: string,
  settings: SplitSettings,
  call: Call,
): Promise<{ readonly questions: readonly string[]; readonly said: readonly ModelOutput[] }> {
  const own = (list: readonly string[]): boolean =>
    EXAMPLE.test(question) ||
    (!list.some(text => EXAMPLE.test(text)) && !list.every(text => EXAMPLE_REST.test(text)));
  const inJson = (json: unknown): string[] | undefined => {
    const list = subQuestionsInJson(json);
    return list && own(list) ? list : undefined;
  };
  const inLines = (text: string): string[] => {
    const list = subQuestionsInLines(text);
    return own(list) ? list : [];
  };
  const { texts, ...structured } = await generateStructured(
    model,
    decomposePrompt(question, settings),
    inJson,
    call,
  );
  const read =
    structured.kind === 'parsed'
      ? structured.value
      : (texts.map(inLines).findLast(found => found.length > 0) ?? []);
  const questions = distinctSubQuestions(read, settings.parts);
  // Of several texts the last readable one counted; those before it are what was repaired.
  const counted =
    structured.kind === 'parsed'
      ? texts.length - 1
      : texts.findLastIndex(text => inLines(text).length > 0);
  return {
    questions,
    said: texts.map((text, index) => ({
      role: DECOMPOSE,
      text,
      parsed: questions.length > 0 && index === counted,
    })),
  };
}
