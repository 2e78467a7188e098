/**
 * Answers from claims without a model: by a name that claims of two documents support, or yes or no
 * by their polarity.
 */

import { findNames } from '../../language/english/names/names.ts';
import { findSources, findUnknownSources } from '../../language/english/names/source-names.ts';
import { predictQuestionType } from '../../language/english/question/question-type.ts';
import { questionNames } from '../../planning/claims/claim-targets.ts';
import { nameWords } from '../../planning/claims/entities.ts';
import type { ClaimAnswer, ClaimQuestionType } from './answer-prompt.ts';
import type { Candidate, ClaimPool } from './claim-pool.ts';

/**
 * Returns the type of a question: `null` if nothing was found, if it names sources and the corpus
 * has none of them, or if no document that was found mentions one of its names; otherwise by its
 * form.
 */
export function questionTypeOf(
  question: string,
  sources: readonly string[],
  found: Pick<ClaimPool, 'mentionsAll'>,
): ClaimQuestionType {
  const known = findSources(question, sources);
  const unknown = known.length === 0 && findUnknownSources(question, known).length > 0;
  const isNull =
    (unknown && sources.length > 0) || !found.mentionsAll(questionNames(question, known));
  return isNull ? 'null' : predictQuestionType(question);
}

/** Documents that must speak for a name. */
const LEAST_DOCUMENTS = 2;
const NEGATION =
  /\b(?:not|no|never|none|neither|nor|without|cannot|un(?:likely|able)|den(?:y|ies|ied)|fail(?:s|ed)?|reject(?:s|ed)?)\b|n['’]t\b/i;

/** Returns the answer over claims in order, best first, or undefined if nothing speaks for one. */
export function answerByRules(
  question: string,
  type: ClaimQuestionType,
  claims: readonly Candidate[],
  sources: readonly string[],
): Omit<ClaimAnswer, 'type'> | undefined {
  if (type === 'null' || claims.length === 0) return undefined;
  if (type === 'inference') return nameFor(question, claims, sources);
  const best = claims.slice(0, 2);
  const negated = best.filter(({ claim }) => NEGATION.test(claim.text)).length;
  return { answer: negated === 1 ? 'No' : 'Yes', evidence: [...best.keys()] };
}

/** Returns the name with the greatest sum of 1 / rank over claims of at least two documents. */
function nameFor(
  question: string,
  claims: readonly Candidate[],
  sources: readonly string[],
): Omit<ClaimAnswer, 'type'> | undefined {
  const asked = new Set(nameWords(question));
  const outlets = new Set(sources.map(source => source.toLowerCase()));
  const found = new Map<string, { score: number; at: number[]; documents: Set<string> }>();
  for (const [at, { claim, source, hit }] of claims.entries())
    for (const name of new Set(findNames(source.sentence).map(({ text }) => text))) {
      if (outlets.has(name.toLowerCase()) || nameWords(name).every(word => asked.has(word)))
        continue;
      if (!claim.text.includes(name)) continue;
      const entry = found.get(name) ?? { score: 0, at: [], documents: new Set() };
      entry.score += 1 / (1 + at);
      entry.at.push(at);
      entry.documents.add(hit.documentId);
      found.set(name, entry);
    }
  const [best] = [...found]
    .filter(([, { documents }]) => documents.size >= LEAST_DOCUMENTS)
    .sort(([, a], [, b]) => b.score - a.score);
  return best && { answer: best[0], evidence: best[1].at };
}
