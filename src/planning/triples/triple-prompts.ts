/**
 * The two prompts by which a language model reads a passage into a graph, as HippoRAG asks them
 * (Gutiérrez et al., NeurIPS 2024, arXiv 2405.14831, appendix): its named entities, then triples
 * of which each has at least one of them.
 */

import { DATA_RULE, passagesAsData } from '../../core/text/passages-as-data.ts';
import type { Prompt } from '../../models/language-model.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { promptTokens } from '../../models/prompt-tokens.ts';
import { listOf, objectOf } from '../../models/reply-schema.ts';

export interface TriplePassage {
  readonly title: string;
  readonly text: string;
}

export const ENTITY_ROLE = 'ner';
export const TRIPLE_ROLE = 'triple';

const ENTITY_TOKENS = 400;
const TRIPLE_TOKENS = 1200;

const EXAMPLE: TriplePassage = {
  title: 'Linnet (ferry)',
  text: 'The Linnet is a ferry that Harbour Works built at Dunmar in 1931. Its first captain, Orla Vell, sold it to the Reed Line, which renamed it Plover.',
};
const ENTITIES = ['Linnet', 'Harbour Works', 'Dunmar', '1931', 'Orla Vell', 'Reed Line', 'Plover'];
const TRIPLES = [
  ['Linnet', 'is a', 'ferry'],
  ['Harbour Works', 'built', 'Linnet'],
  ['Linnet', 'built at', 'Dunmar'],
  ['Linnet', 'built in', '1931'],
  ['Orla Vell', 'first captain of', 'Linnet'],
  ['Orla Vell', 'sold Linnet to', 'Reed Line'],
  ['Reed Line', 'renamed Linnet', 'Plover'],
];

/** Entries of a list: the completion has room for no more. */
const MOST_ENTITIES = 50;
const MOST_TRIPLES = 60;
const TRIPLE = { ...listOf({ type: 'string' }, 3), minItems: 3 };

export function entityPrompt(passage: TriplePassage): Prompt {
  return {
    ...promptOf(
      'Name the entities of the passage: people, organisations, places, works, things with a name of their own, and dates, each as the passage writes it. Reply with JSON alone: {"named_entities": ["...", ...]}.',
      { passage: EXAMPLE, reply: { named_entities: ENTITIES } },
      passage,
    ),
    role: ENTITY_ROLE,
    maxTokens: ENTITY_TOKENS,
    schema: objectOf('named_entities', {
      named_entities: listOf({ type: 'string' }, MOST_ENTITIES),
    }),
  };
}

/** `entities`: what the model named; it is of the passage, and stands among the quoted data. */
export function triplePrompt(passage: TriplePassage, entities: readonly string[]): Prompt {
  return {
    ...promptOf(
      'State what the passage says as triples of subject, relation and object, in its words. Each triple has at least one, better two, of the listed entities; write the name instead of a pronoun. Reply with JSON alone: {"triples": [["subject", "relation", "object"], ...]}.',
      { passage: EXAMPLE, entities: ENTITIES, reply: { triples: TRIPLES } },
      passage,
      entities,
    ),
    role: TRIPLE_ROLE,
    maxTokens: TRIPLE_TOKENS,
    schema: objectOf('triples', { triples: listOf(TRIPLE, MOST_TRIPLES) }),
  };
}

interface Demonstration {
  readonly passage: TriplePassage;
  readonly entities?: readonly string[];
  readonly reply: object;
}

function promptOf(
  task: string,
  shown: Demonstration,
  passage: TriplePassage,
  entities?: readonly string[],
): Pick<Prompt, 'messages' | 'temperature'> {
  const asked = (passage: TriplePassage, entities?: readonly string[]): string =>
    passagesAsData(dataOf(passage, entities));
  return {
    messages: [
      { role: 'system', text: `${task}\n${DATA_RULE}` },
      { role: 'user', text: asked(shown.passage, shown.entities) },
      { role: 'assistant', text: JSON.stringify(shown.reply) },
      { role: 'user', text: asked(passage, entities) },
    ],
    temperature: 0,
  };
}

const dataOf = (
  passage: TriplePassage,
  entities: readonly string[] | undefined,
): readonly TriplePassage[] => [
  passage,
  ...(entities ? [{ title: 'Entities', text: JSON.stringify(entities) }] : []),
];

/** Returns the calls that reading these passages takes; a cache may answer some of them. */
export function plannedTripleCalls(passages: readonly TriplePassage[]): PlannedCalls[] {
  const most = (prompts: readonly Prompt[]): number =>
    prompts.reduce((largest, prompt) => Math.max(largest, promptTokens(prompt)), 0);
  const atMost = passages.length;
  return [
    {
      role: ENTITY_ROLE,
      atMost,
      completionTokens: ENTITY_TOKENS,
      promptTokens: most(passages.map(entityPrompt)),
    },
    {
      role: TRIPLE_ROLE,
      atMost,
      completionTokens: TRIPLE_TOKENS,
      // The entities are at most as long as the reply that named them.
      promptTokens: most(passages.map(passage => triplePrompt(passage, []))) + ENTITY_TOKENS,
    },
  ];
}
