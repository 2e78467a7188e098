/**
 * `swapped-evidence`: the reader answers each question with the evidence of another question of the
 * same type that names the same sources or entities. An answer that stays as accurate rests on the
 * question's words.
 */
import { metadataText } from '../../core/corpus/document.ts';
import { type Member, member } from '../../core/naming/family.ts';
import { findNames } from '../../language/english/names/names.ts';
import { findSources, sourceNames } from '../../language/english/names/source-names.ts';
import { goldDocuments } from '../gold-evidence.ts';
import {
  type AnswerControl,
  type OwnRun,
  pick,
  SEED_PARAMETER,
  streamOf,
  type Treatment,
} from './answer-control.ts';

export const swappedEvidence: Member<AnswerControl> = member({
  name: 'swapped-evidence',
  summary:
    'the evidence of another question of the same type that has the sources, else a name, which the question names',
  parameters: [SEED_PARAMETER],
  create: ({ seed }, name) => ({
    name,
    over: 'rows',
    asGiven: true,
    treat: runs => partnersOf(runs, seed),
  }),
});

/** Facts of a question and of its evidence, for the choice of partners. */
interface Facts {
  readonly type: string;
  readonly gold: ReadonlySet<string>;
  readonly documents: ReadonlySet<string>;
  /** Sources of the evidence. */
  readonly sources: ReadonlySet<string>;
  /** Known sources that the question names, each with all that its spelling may mean. */
  readonly namedSources: readonly (readonly string[])[];
  /** Other names in the question. */
  readonly names: ReadonlySet<string>;
}

/**
 * Returns the partner of each question. The rule `sources` takes any question whose evidence has
 * all sources that the question names; `entities` one of those whose evidence has most of its other
 * names, at least one. A partner has the same type, and evidence without any gold document of the
 * question.
 */
export function partnersOf(runs: readonly OwnRun[], seed: number): (Treatment | undefined)[] {
  const facts = factsOf(runs);
  const byType = Map.groupBy(facts.keys(), index => facts[index]!.type);
  const holding = new Map<string, number[]>();
  for (const [index, { context }] of runs.entries())
    for (const name of namesIn(context.text))
      holding.set(name, [...(holding.get(name) ?? []), index]);
  return runs.map(({ example }, index): Treatment | undefined => {
    const asked = facts[index]!;
    const random = streamOf(seed, example);
    const fits = (other: number): boolean =>
      other !== index && asked.gold.isDisjointFrom(facts[other]!.documents);
    if (asked.namedSources.length > 0) {
      const same = byType
        .get(asked.type)!
        .filter(other => fits(other) && hasAll(facts[other]!, asked.namedSources));
      const from = pick(same, random);
      if (from !== undefined) return { kind: 'swapped', rule: 'sources', from };
    }
    const counts = new Map<number, number>();
    for (const name of asked.names)
      for (const other of holding.get(name) ?? [])
        if (facts[other]!.type === asked.type && fits(other))
          counts.set(other, (counts.get(other) ?? 0) + 1);
    const most = Math.max(0, ...counts.values());
    const best = [...counts].flatMap(([other, count]) => (count === most ? [other] : []));
    const from = pick(
      best.sort((a, b) => a - b),
      random,
    );
    return from === undefined ? undefined : { kind: 'swapped', rule: 'entities', from };
  });
}

const hasAll = ({ sources }: Facts, groups: Facts['namedSources']): boolean =>
  groups.every(names => names.some(name => sources.has(name)));

function factsOf(runs: readonly OwnRun[]): Facts[] {
  const all = new Set(
    runs.flatMap(({ evidence }) =>
      evidence.map(({ metadata }) => metadataText(metadata, 'source')),
    ),
  );
  const sources = [...all].filter(source => source.trim() !== '').sort();
  const aliases = sourceNames(sources);
  return runs.map(({ example, evidence }) => {
    const question = example.question.text;
    const mentions = findSources(question, sources, aliases);
    return {
      type: example.type ?? '',
      gold: new Set(goldDocuments(example)),
      documents: new Set(evidence.map(({ documentId }) => documentId)),
      sources: new Set(evidence.map(({ metadata }) => metadataText(metadata, 'source'))),
      namedSources: mentions.map(({ names }) => names),
      names: namesIn(without(question, mentions)),
    };
  });
}

const namesIn = (text: string): Set<string> =>
  new Set(findNames(text).map(name => name.text.toLowerCase()));

function without(
  text: string,
  spans: readonly { readonly start: number; readonly end: number }[],
): string {
  const pieces = spans.map(({ start }, index) => text.slice(spans[index - 1]?.end ?? 0, start));
  return [...pieces, text.slice(spans.at(-1)?.end ?? 0)].join(' , ');
}
