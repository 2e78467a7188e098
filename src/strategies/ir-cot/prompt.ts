/**
 * Builds the prompt of a step of IR-CoT: demonstrations, the paragraphs so far as data, the
 * question and the sentences so far; asks for one next sentence.
 */
import { defined } from '../../core/defined.ts';
import { withBrokenTokens } from '../../core/text/control-tokens.ts';
import { DATA_RULE, type DataPassage, passagesAsData } from '../../core/text/passages-as-data.ts';
import type { Prompt } from '../../models/language-model.ts';
import { type NamedSchema, objectOf, TEXT } from '../../models/reply-schema.ts';
import { firstWordsOf, type Paragraph } from '../../planning/paragraphs.ts';
import { fittingPrompt, type PromptRoom, questionLine } from '../../planning/passages-prompt.ts';
import type { IrCotProfile } from './reply.ts';

export const COT_STEP = 'cotStep';
/**
 * Most tokens of a completion: 300 of the model's 8,000 are reserved, since comparison-code keeps
 * the whole reply.
 */
export const STEP_TOKENS = 300;
export const DEMONSTRATIONS_AT_MOST = 3;

const SCHEMA: NamedSchema = objectOf('next_sentence', { sentence: TEXT, answer: TEXT });

interface Demonstration {
  readonly passages: readonly DataPassage[];
  readonly question: string;
  readonly facts: readonly string[];
  readonly answer: string;
}

/**
 * Demonstrations of our own, about an invented world: passages with the answer, and a distractor.
 * The paper uses annotated questions of each data set.
 */
const DEMONSTRATIONS: readonly Demonstration[] = [
  {
    passages: [
      {
        title: 'Harrow Point',
        text: 'The lighthouse of Harrow Point belongs to the boat builder Cy Lund.',
      },
      { title: 'Cy Lund', text: 'Cy Lund was born in Tarn in 1950 and builds boats.' },
    ],
    question: 'In which year was the owner of the lighthouse of Harrow Point born?',
    facts: ['The lighthouse of Harrow Point belongs to Cy Lund.', 'Cy Lund was born in 1950.'],
    answer: '1950',
  },
  {
    passages: [
      {
        title: 'Blue Heron',
        text: 'Blue Heron is a film of 1962 by the Tarn director Ines Quill.',
      },
      { title: 'Red Kite', text: 'Red Kite is a film of 1971 by Osk Maren.' },
      { title: 'Heron', text: 'Herons are wading birds with long legs.' },
    ],
    question: 'Which film came out first, Blue Heron or Red Kite?',
    facts: ['Blue Heron is a film of 1962.', 'Red Kite is a film of 1971.'],
    answer: 'Blue Heron',
  },
  {
    passages: [
      {
        title: 'Vell Observatory',
        text: 'The Vell Observatory was founded by the lens grinder Pia Sol.',
      },
      { title: 'Vell', text: 'Vell is a town on the river Orr.' },
    ],
    question: 'Where was the founder of the Vell Observatory born?',
    facts: [
      'The Vell Observatory was founded by Pia Sol.',
      'The birthplace of Pia Sol is missing.',
    ],
    answer: 'Insufficient information.',
  },
];

export interface Step {
  readonly question: string;
  readonly paragraphs: readonly Paragraph[];
  readonly sentences: readonly string[];
}

export interface PromptSettings {
  readonly profile: IrCotProfile;
  readonly demonstrations: number;
  /** Words of a passage that are shown. */
  readonly words: number;
  /** The longest prompt, in tokens. */
  readonly prompt: number;
}

export function stepPrompt(
  { question, paragraphs, sentences }: Step,
  settings: PromptSettings,
): Prompt {
  const { profile, demonstrations, words, prompt } = settings;
  const code = profile === 'comparison-code';
  const build = (room: PromptRoom): Prompt => {
    const passages = paragraphs
      .slice(0, room.passages)
      .map(paragraph => firstWordsOf(paragraph, room.words));
    // Fewer demonstrations are a beginning of more, which servers keep.
    const shown = DEMONSTRATIONS.slice(0, room.demonstrations);
    const parts = [
      ...shown.map(demonstration => `Example\n${demonstrated(demonstration, profile)}`),
      `${passagesAsData(passages)}\n${questionLine(question)}\nSo far: ${withBrokenTokens(sentences.join(' ')) || '(nothing)'}\n${code ? 'Continue:' : 'Next:'}`,
    ];
    return defined({
      role: COT_STEP,
      messages: [
        {
          role: 'system',
          text: `${code ? REPLY_RULES : sentenceRules(profile)}\n${DATA_RULE}`,
        },
        { role: 'user', text: parts.join('\n\n') },
      ],
      maxTokens: STEP_TOKENS,
      temperature: 0,
      schema: code ? undefined : SCHEMA,
    });
  };
  return fittingPrompt(build, { demonstrations, words, passages: paragraphs.length }, prompt);
}

const INSUFFICIENT = 'If the passages cannot answer the question';

const conclusion = (profile: IrCotProfile, answer: string): string =>
  `${profile === 'comparison-text' ? 'The' : 'So the'} answer is: ${answer.replace(/\.$/, '')}.`;

const sentenceRules = (profile: IrCotProfile): string =>
  `Answer a question one sentence at a time. Write exactly one next sentence: a fact from the passages that leads to the answer, or what is still missing. When the answer is known, the sentence is "${conclusion(profile, 'X')}" with X as short as can be and in the language of the question. ${INSUFFICIENT}: "${conclusion(profile, 'Insufficient information')}"
Reply with JSON alone: {"sentence": "...", "answer": null}, where "answer" is X in the last sentence.`;

const REPLY_RULES: string = `Answer a question by reasoning step by step over the passages. State the facts that lead to the answer, or what is still missing. When the answer is known, end with "${conclusion('comparison-code', 'X')}" with X as short as can be and in the language of the question. ${INSUFFICIENT}: "${conclusion('comparison-code', 'Insufficient information')}"`;

function demonstrated(
  { passages, question, facts, answer }: Demonstration,
  profile: IrCotProfile,
): string {
  const sentences = [...facts, conclusion(profile, answer)];
  const asked = `${passagesAsData(passages)}\n${questionLine(question)}`;
  if (profile === 'comparison-code') return `${asked}\nContinue: ${sentences.join(' ')}`;
  const replies = sentences.map((sentence, index) =>
    JSON.stringify({ sentence, answer: index === facts.length ? answer : null }),
  );
  return `${asked}\n${replies.map(reply => `Next: ${reply}`).join('\n')}`;
}
