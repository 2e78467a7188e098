/**
 * Computes features of yes and no besides the words of the question: agreement of the paired facts
 * with their clauses and with each other.
 */
import { stemOf } from '../../language/english/words/stems.ts';
import { FeatureList, type Features, mean } from './features.ts';
import { polarityOf } from './polarity.ts';
import type { ClauseFact, FactReading } from './reading.ts';

export function verdictFeatures({ facts, sentences, parts, question }: FactReading): Features {
  const features = new FeatureList();
  const paired = facts.filter(({ best }) => best !== undefined);
  const polarities = paired.map(({ text, best }) => ({
    clause: polarityOf(text),
    evidence: polarityOf(sentences[best!]!.text),
  }));
  features.add('fact:share', mean(paired.map(({ share }) => share)));
  features.add(
    'fact:least',
    paired.length === 0 ? 0 : Math.min(...paired.map(({ share }) => share)),
  );
  features.add('fact:first', paired[0]?.share ?? 0);
  features.add('fact:clauses', Math.log2(1 + paired.length));
  const negated = polarities.map(({ clause }) => clause.negations > 0);
  features.add('fact:negated', negated.includes(true));
  features.add('fact:negatedFirst', negated[0] ?? false);
  const mismatch = polarities.map(({ clause, evidence }) =>
    Number(clause.negations % 2 !== evidence.negations % 2),
  );
  features.add('fact:negationDiffers', mean(mismatch));
  features.add('fact:negationDiffersFirst', mismatch[0] ?? 0);
  const against = polarities.map(({ clause, evidence }) => clause.direction * evidence.direction);
  features.add('fact:against', mean(against.map(product => Number(product < 0))));
  features.add('fact:along', mean(against.map(product => Number(product > 0))));
  features.add('fact:askedUp', mean(polarities.map(({ clause }) => Number(clause.direction > 0))));
  features.add(
    'fact:askedDown',
    mean(polarities.map(({ clause }) => Number(clause.direction < 0))),
  );
  features.add(
    'fact:absolute',
    polarities.some(({ clause }) => clause.absolute),
  );
  const numbers = paired.map(({ text, best }) => numberAgreement(text, sentences[best!]!.text));
  features.add('fact:numbersHeld', numbers.filter(value => value === 1).length > 0);
  features.add('fact:numbersMissing', numbers.filter(value => value === 0).length > 0);
  pairFeatures(features, paired, { sentences, parts, question } as FactReading);
  askedFeatures(features, question);
  return features.values;
}

/** Features that the question alone decides. */
const OF_QUESTION =
  /^(?:fact:(?:clauses|negated|negatedFirst|askedUp|askedDown|absolute)|pair:clauses)$/;
/** Prefixes of the features of clauses and paired facts; others are words of the question. */
const OF_EVIDENCE = /^(?:fact|pair|order):/;

/** Returns the features that depend on the evidence, without those under a relation. */
export const evidenceFeatures = (verdict: Features): Features =>
  new Map([...verdict].filter(([name]) => OF_EVIDENCE.test(name) && !OF_QUESTION.test(name)));

/** Relations that a question asks about; without any, it asks whether its clauses are true. */
const RELATIONS: readonly (readonly [relation: string, cue: RegExp])[] = [
  [
    'alike',
    /\b(?:same|align\w*|agree\w*|similar\w*|both|consisten\w+|uniform\w*|unchanged|alike|also)\b/i,
  ],
  [
    'unlike',
    /\b(?:differ\w*|contrast\w*|unlike|contradict\w*|disagree\w*|inconsisten\w+|discrepan\w+|conflict\w*)\b/i,
  ],
  ['change', /\b(?:chang\w+|shift\w*|evolv\w+)\b/i],
  ['order', /\b(?:before|after|prior|following)\b/i],
];
/** Features whose meaning depends on the relation. */
const RELATIONAL = /^(?:pair:|order:|fact:(?:against|along|negat))/;

/**
 * Repeats each relational feature under the question's relations: the same two facts are a yes to
 * one question and a no to its opposite.
 */
function askedFeatures(features: FeatureList, question: string): void {
  const relations = RELATIONS.flatMap(([name, cue]) => (cue.test(question) ? [name] : []));
  const relational = [...features.values].filter(([name]) => RELATIONAL.test(name));
  for (const name of relations.length === 0 ? ['true'] : relations) {
    features.add(`asked:${name}`, 1);
    for (const [feature, value] of relational) features.add(`${name}*${feature}`, value);
  }
}

/** Compares the best facts of the first two clauses. */
function pairFeatures(
  features: FeatureList,
  paired: readonly ClauseFact[],
  { sentences, parts, question }: FactReading,
): void {
  const [a, b] = paired;
  if (!a || !b) return;
  const [first, second] = [sentences[a.best!]!, sentences[b.best!]!];
  const common = [...first.stems].filter(stem => second.stems.has(stem)).length;
  features.add('pair:overlap', common / Math.max(1, Math.min(first.stems.size, second.stems.size)));
  const [clause, other] = [new Set(a.stems), new Set(b.stems)];
  features.add(
    'pair:clauses',
    [...clause].filter(stem => other.has(stem)).length /
      Math.max(1, Math.min(clause.size, other.size)),
  );
  features.add(
    'pair:sameSource',
    parts[first.part]!.source !== '' && parts[first.part]!.source === parts[second.part]!.source,
  );
  features.add('pair:sameDocument', first.documentId === second.documentId);
  const [x, y] = [polarityOf(first.text), polarityOf(second.text)];
  features.add('pair:opposed', x.direction * y.direction < 0);
  features.add('pair:alike', x.direction * y.direction > 0);
  orderFeatures(features, question, a, b, parts[first.part]!.day, parts[second.part]!.day);
}

/**
 * Compares the days of the paired facts with the order in the question ("Did A report ... before B
 * reported ...?").
 */
function orderFeatures(
  features: FeatureList,
  question: string,
  a: ClauseFact,
  b: ClauseFact,
  dayA: string,
  dayB: string,
): void {
  if (dayA === '' || dayB === '' || dayA === dayB) return;
  const between = question.slice(
    question.indexOf(a.text) + a.text.length,
    question.indexOf(b.text),
  );
  const word = /\b(before|prior to|after|following|since)\b/i.exec(between)?.[1]?.toLowerCase();
  if (word === undefined) return;
  const inOrder = word === 'before' || word === 'prior to' ? dayA < dayB : dayA > dayB;
  features.add(inOrder ? 'order:holds' : 'order:fails', 1);
}

/**
 * Returns 1 if the sentence contains a number of the clause, 0 if it contains none, undefined if
 * the clause has none.
 */
function numberAgreement(clause: string, sentence: string): number | undefined {
  const numbers = [...clause.matchAll(/\p{N}[\p{N}.,]*\p{N}|\p{N}/gu)].map(([number]) =>
    stemOf(number.replace(/,/g, '')),
  );
  if (numbers.length === 0) return undefined;
  const sentenceNumbers = new Set(
    [...sentence.matchAll(/\p{N}[\p{N}.,]*\p{N}|\p{N}/gu)].map(([number]) =>
      stemOf(number.replace(/,/g, '')),
    ),
  );
  return numbers.some(number => sentenceNumbers.has(number)) ? 1 : 0;
}
