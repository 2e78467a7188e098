/**
 * Computes how well the evidence supports each clause of a question: its words, names, numbers and
 * days, in the articles of the sources that the clause names. An answer needs every clause, so the
 * weakest one has features of its own.
 */

import type { EntityName } from '../../language/english/names/entity-names.ts';
import { findNames } from '../../language/english/names/names.ts';
import { topicStems } from '../../language/english/words/topic-stems.ts';
import { FeatureList, type Features, heldShare, mean } from '../features.ts';
import type { Candidate } from './entity-features.ts';
import type { Article, Articles, Stems } from './evidence-articles.ts';
import type { ClauseFact, FactReading } from './reading.ts';

/** The stems of a clause, and the articles that should support it. */
interface Clause {
  readonly stems: readonly string[];
  readonly names: readonly string[];
  readonly numbers: readonly string[];
  readonly cited: readonly Article[];
  /**
   * False if the clause names days of which none of its source's articles is; undefined if it
   * names none or the corpus records none.
   */
  readonly dated: boolean | undefined;
}

/** Shares from 0 to 1; undefined if a clause has nothing of the kind. */
type Shares = Readonly<Record<(typeof KINDS)[number], number | undefined>>;
const KINDS = [
  'part',
  'document',
  'names',
  'namesShown',
  'namesTogether',
  'pairs',
  'rarest',
  'numbers',
  'dated',
  'sourced',
] as const;
/** Number of the rarest stems of a clause that have a feature of their own. */
const RAREST = 3;

/** Returns mean, least and most of each share over the clauses, and support with a candidate. */
export function clauseSupport(
  reading: FactReading,
  articles: Articles,
  candidates: readonly Candidate[],
): Features {
  const features = new FeatureList();
  const clauses = reading.facts.map(fact => clauseOf(fact, articles));
  const rows = clauses.map(clause => sharesOf(clause, articles));
  for (const kind of KINDS) {
    const values = rows.map(row => row[kind]).filter(value => value !== undefined);
    features.add(`clause.${kind}.missing`, values.length === 0);
    if (values.length === 0) continue;
    features.add(`clause.${kind}`, mean(values));
    features.add(`clause.${kind}.least`, Math.min(...values));
    features.add(`clause.${kind}.most`, Math.max(...values));
  }
  features.add('clause.number', Math.log2(1 + clauses.length));
  if (reading.catalogue.sources.length > 0)
    features.add(
      'clause.unsourced',
      mean(reading.facts.map(({ sources }) => Number(sources.length === 0))),
    );
  candidateSupport(features, reading, clauses, articles, candidates);
  return features.values;
}

function clauseOf({ text, stems, sources, days }: ClauseFact, articles: Articles): Clause {
  const nameStems = topicStems(
    findNames(text)
      .map(name => name.text)
      .join(' '),
  );
  const fits =
    sources.length === 0
      ? articles.all
      : articles.all.filter(({ source }) => sources.includes(source));
  const recorded = articles.all.some(({ day }) => day !== '');
  const ofDays = fits.filter(({ day }) =>
    days.some(({ from = '', to = '9999' }) => day !== '' && day >= from && day <= to),
  );
  return {
    stems: stems.map(stem => (nameStems.has(stem) ? articles.spelled(stem) : stem)),
    names: stems.filter(stem => nameStems.has(stem)).map(stem => articles.spelled(stem)),
    numbers: stems.filter(stem => /^\p{N}+$/u.test(stem)),
    cited: ofDays.length > 0 ? ofDays : fits,
    dated: days.length === 0 || !recorded ? undefined : ofDays.length > 0,
  };
}

function sharesOf({ stems, names, numbers, cited, dated }: Clause, { weight }: Articles): Shares {
  const whole = cited.map(article => article.whole);
  const shown = cited.map(article => article.shown);
  const rarest = [...stems].sort((a, b) => weight(b) - weight(a)).slice(0, RAREST);
  return {
    part: most(stems, shown, weight),
    document: most(stems, whole, weight),
    names: most(names, whole),
    namesShown: most(names, shown),
    namesTogether:
      names.length === 0 ? undefined : Math.max(0, ...cited.map(each => togetherIn(names, each))),
    pairs: stems.length < 2 ? undefined : Math.max(0, ...cited.map(each => pairsHeld(stems, each))),
    rarest: most(rarest, whole),
    numbers: most(numbers, whole),
    dated: dated === undefined ? undefined : Number(dated),
    sourced: Number(cited.length > 0),
  };
}

/** Returns the greatest share of stems that one of the sets has; undefined without stems. */
function most(
  stems: readonly string[],
  sets: readonly Stems[],
  weight: (stem: string) => number = () => 1,
): number | undefined {
  if (stems.length === 0) return undefined;
  return sets.reduce((best, set) => Math.max(best, held(stems, set, weight)), 0);
}

/** Returns the greatest share of stems that one sentence of the article holds. */
function togetherIn(stems: readonly string[], { having, sentences }: Article): number {
  const counts = new Uint32Array(sentences);
  let most = 0;
  for (const stem of stems)
    for (const sentence of having.get(stem) ?? []) most = Math.max(most, ++counts[sentence]!);
  return most / stems.length;
}

/** Returns the share of adjacent stems of a clause that one sentence of the article holds. */
function pairsHeld(stems: readonly string[], { having }: Article): number {
  let held = 0;
  for (let at = 1; at < stems.length; at++)
    if (meet(having.get(stems[at - 1]!), having.get(stems[at]!))) held++;
  return held / (stems.length - 1);
}

/** Returns true if two ascending lists have a number in common. */
function meet(a: readonly number[] = [], b: readonly number[] = []): boolean {
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) return true;
    if (a[i]! < b[j]!) i++;
    else j++;
  }
  return false;
}

/**
 * Adds the support of the clauses by the articles, and by the shown sentences, that name one and
 * the same candidate: each the most over the candidates.
 */
function candidateSupport(
  features: FeatureList,
  reading: FactReading,
  clauses: readonly Clause[],
  { weight }: Articles,
  candidates: readonly Candidate[],
): void {
  if (candidates.length === 0 || clauses.length === 0) return;
  const shares = clauses.map(
    ({ stems, cited }) => new Map(cited.map(({ id, whole }) => [id, held(stems, whole, weight)])),
  );
  const best = { least: 0, mean: 0, clauses: 0, sentences: 0 };
  for (const { name } of candidates) {
    const ids = [...new Set(name.mentions.map(({ part }) => reading.parts[part]!.documentId))];
    const of = shares.map(share => Math.max(0, ...ids.map(id => share.get(id) ?? 0)));
    best.least = Math.max(best.least, Math.min(...of));
    best.mean = Math.max(best.mean, mean(of));
    best.clauses = Math.max(best.clauses, mean(of.map(share => Number(share > 0))));
    best.sentences = Math.max(best.sentences, sentenceSupport(name, reading));
  }
  for (const [kind, value] of Object.entries(best)) features.add(`candidate.${kind}`, value);
}

/** Returns the mean over the clauses of the best share of a sentence that has the name. */
function sentenceSupport(
  { mentions }: EntityName,
  { facts, parts, sentences }: FactReading,
): number {
  const holding = [...new Set(mentions.map(({ sentence }) => sentence))].filter(
    index => index !== undefined,
  );
  return mean(
    facts.map(({ sources, shares }) =>
      holding.reduce(
        (most, index) =>
          sources.length === 0 || sources.includes(parts[sentences[index]!.part]!.source)
            ? Math.max(most, shares[index]!)
            : most,
        0,
      ),
    ),
  );
}

/** Returns the weighted share of stems that a set has. */
const held = (stems: readonly string[], set: Stems, weight: (stem: string) => number): number =>
  heldShare(
    stems.map(stem => [stem, weight(stem)]),
    stem => set.has(stem),
  );
