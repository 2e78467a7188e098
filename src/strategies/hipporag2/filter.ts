/**
 * The recognition filter of HippoRAG 2 (Gutiérrez et al., ICML 2025, arXiv 2502.14802, section
 * 3.3): a language model picks the facts of a search that help to answer.
 */

import { indelDistance } from '../../core/text/edit-ratio.ts';
import { DATA_RULE, passagesAsData } from '../../core/text/passages-as-data.ts';
import type { Call } from '../../core/trace/call.ts';
import type { ModelOutput } from '../../core/trace/trace.ts';
import type { LanguageModel, Prompt } from '../../models/language-model.ts';
import { listOf, objectOf } from '../../models/reply-schema.ts';
import { generateStructured, outputsOf } from '../../models/structured.ts';
import { isFields } from '../../planning/json-fields.ts';
import { firstWords } from '../../planning/paragraphs.ts';
import { fittingPrompt, questionLine } from '../../planning/passages-prompt.ts';
import type { FoundFact } from '../../search/ports/entity-facts-port.ts';

/** Role of the prompt in traces and ledgers. */
export const FACT_FILTER = 'factFilter';
const FILTER_TOKENS = 400;

/** Subject, relation and object. */
export type Fact = readonly [head: string, relation: string, tail: string];

export const factOf = ({ head, relation, tail }: FoundFact): Fact => [
  head.name,
  relation,
  tail.name,
];

const EXAMPLE = {
  question: 'Who was the first captain of the ferry that Harbour Works built?',
  facts: [
    ['harbour works', 'built', 'linnet'],
    ['reed line', 'renamed linnet', 'plover'],
    ['orla vell', 'first captain of', 'linnet'],
  ],
  kept: [
    ['harbour works', 'built', 'linnet'],
    ['orla vell', 'first captain of', 'linnet'],
  ],
} as const;

const TASK =
  'Pick the facts that help to answer the question, directly or as a step to the answer. Copy each as it is listed, add none, and pick none if none helps. Reply with JSON alone: {"fact": [["subject", "relation", "object"], ...]}.';

const PART = { ...listOf({ type: 'string' }, 3), minItems: 3 };

/** Parts of facts are shortened to so many words, then facts dropped from the last, to fit. */
export function factFilterPrompt(
  question: string,
  facts: readonly Fact[],
  { words, prompt }: { readonly words: number; readonly prompt: number },
): Prompt {
  return fittingPrompt(
    room =>
      filterPrompt(
        question,
        facts
          .slice(0, room.passages)
          .map(
            ([head, relation, tail]): Fact => [
              firstWords(head, room.words),
              firstWords(relation, room.words),
              firstWords(tail, room.words),
            ],
          ),
      ),
    { demonstrations: 0, words, passages: facts.length },
    prompt,
  );
}

function filterPrompt(question: string, facts: readonly Fact[]): Prompt {
  const shown = [EXAMPLE.facts, facts].map(factsAsData);
  const asked = (data: (typeof shown)[number], of: string): string =>
    `${passagesAsData([data])}\n\n${questionLine(of)}`;
  return {
    role: FACT_FILTER,
    messages: [
      { role: 'system', text: `${TASK}\n${DATA_RULE}` },
      { role: 'user', text: asked(shown[0]!, EXAMPLE.question) },
      { role: 'assistant', text: JSON.stringify({ fact: EXAMPLE.kept }) },
      { role: 'user', text: asked(shown[1]!, question) },
    ],
    maxTokens: FILTER_TOKENS,
    temperature: 0,
    schema: objectOf('facts', { fact: listOf(PART, Math.max(1, facts.length)) }),
  };
}

const factsAsData = (facts: readonly Fact[]) => ({
  title: 'Facts',
  text: JSON.stringify({ fact: facts }),
});

/** Entries of a reply that are read. */
const MOST_ENTRIES = 100;
/** Characters of an entry that are compared. UTF-16 units. */
const LONGEST = 1000;

/** Returns the entries `{ fact: [[...], ...] }` as texts; undefined if it has no such list. */
function entriesIn(json: unknown): string[] | undefined {
  const list = isFields(json) && Object.hasOwn(json, 'fact') ? json['fact'] : undefined;
  if (!Array.isArray(list)) return undefined;
  return list.slice(0, MOST_ENTRIES).flatMap((entry: unknown) => {
    const parts = Array.isArray(entry) ? entry : [entry];
    return parts.every(each => typeof each === 'string' || typeof each === 'number')
      ? [parts.join(' ')]
      : [];
  });
}

/** Least edit ratio of an entry and the fact that it means: that of Python's `difflib`. */
const LEAST_RATIO = 0.6;

/**
 * Returns the candidates that entries of a reply mean, in the order of the candidates: each entry
 * the closest by edit ratio, the first of equals. Entries that are close to none are ignored.
 */
export function meantFacts(entries: readonly string[], facts: readonly Fact[]): number[] {
  const texts = facts.map(fact => comparable(fact.join(' ')));
  const meant = entries.flatMap(entry => closest(comparable(entry), texts) ?? []);
  return [...new Set(meant)].sort((a, b) => a - b);
}

const comparable = (text: string): string =>
  text.toLowerCase().replace(/\s+/g, ' ').trim().slice(0, LONGEST);

function closest(entry: string, texts: readonly string[]): number | undefined {
  let best: { readonly at: number; readonly ratio: number } | undefined;
  for (const [at, text] of texts.entries()) {
    const length = entry.length + text.length;
    const distance = indelDistance(entry, text, (1 - (best?.ratio ?? LEAST_RATIO)) * length);
    if (distance === undefined) continue;
    const ratio = length === 0 ? 1 : 1 - distance / length;
    if (!best || ratio > best.ratio) best = { at, ratio };
  }
  return best?.at;
}

/** Facts that a model kept; undefined for a reply that holds no list of facts. */
export interface Filtered {
  readonly kept: readonly FoundFact[] | undefined;
  readonly outputs: readonly ModelOutput[];
}

/** Asks the filter, with one repair. Throws the model's errors. */
export async function filterFacts(
  model: LanguageModel,
  question: string,
  candidates: readonly FoundFact[],
  room: { readonly words: number; readonly prompt: number },
  call: Call,
): Promise<Filtered> {
  const facts = candidates.map(factOf);
  const prompt = factFilterPrompt(question, facts, room);
  const reply = await generateStructured(model, prompt, entriesIn, call);
  const parsed = reply.kind === 'parsed';
  const outputs = outputsOf(FACT_FILTER, reply.texts, parsed);
  const kept = parsed ? meantFacts(reply.value, facts).map(place => candidates[place]!) : undefined;
  return { kept, outputs };
}

/**
 * Returns the weights of a walk's entities: of each the mean, over its facts, of the fact's score
 * divided by the number of items that mention the entity; the greatest, the first of equals by
 * name. `best`: the score of the best candidate; the least of all facts is 0.
 */
export function entityWeights(
  kept: readonly FoundFact[],
  best: number,
  most: number,
): [name: string, weight: number][] {
  const shares = new Map<string, number[]>();
  for (const { head, tail, score } of kept)
    for (const { name, items } of head.name === tail.name ? [head] : [head, tail])
      shares.set(name, [...(shares.get(name) ?? []), score / best / items]);
  return [...shares]
    .map(([name, shares]): [string, number] => [
      name,
      shares.reduce((sum, share) => sum + share, 0) / shares.length,
    ])
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, most);
}
