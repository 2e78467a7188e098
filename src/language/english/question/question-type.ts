/**
 * Predicts the type of a question from its text alone.
 *
 * On MultiHop-RAG the opening word alone separates inference from the yes/no types. That is a
 * property of the benchmark and may not generalise: only reports and answer forms may depend on it.
 * `null` is never predicted, because only the evidence can show whether the corpus contains an
 * answer.
 */
import { REPORTED, REPORTS } from '../names/citing-words.ts';
import { MONTH } from '../values/dates.ts';
import { AUXILIARIES, INTERROGATIVES, withoutCourtesy } from './courtesy.ts';

export type PredictedType = 'comparison' | 'inference' | 'temporal';

const ORDER = /\b(?:before|after|between|following|since|prior to)\b/i;
const REPORT = new RegExp(String.raw`\b(?:${REPORTS}|${REPORTED})\b`, 'i');
const TEMPORAL = [
  /\bremain(?:ed|s)? consistent\b|\bchanges? in\b|\bconsisten(?:t|cy)\b|\binconsisten(?:t|cy)\b/i,
  new RegExp(String.raw`\b(?:${MONTH}) \d{1,2}\b|\b\d{4}-\d{2}-\d{2}\b`, 'i'),
];
/** A word that opens a question, at its beginning or after punctuation. */
const HEAD = new RegExp(
  String.raw`(^|(?<!\.)[,.:;?!]["”’']?\s+(?:and\s+|but\s+|then\s+)?)[\s"“‘'(–—-]*(?:(${INTERROGATIVES})|(${AUXILIARIES}|whether))\b(?!['’]t\b)`,
  'giu',
);
/** "Meta, which has ...", "Altman, who was ...": a relative clause, if a question follows. */
const RELATIVE = new RegExp(
  String.raw`^(?:who|whom|whose|which|where|when)\s+(?:\p{L}+ly\s+)?(?:(?:${AUXILIARIES})\b|\p{L}+ed\b)`,
  'iu',
);
/** "... is located in which country?" */
const LAST = /\b(?:which|what|whom|whose)(?:\s+[\p{L}'’-]+){0,3}\s*\?*\s*$/iu;
/** Subordinate clauses after a comma: "..., when it opened". */
const SUBORDINATE = /^(?:when|where|why|how)\b/i;

/** Opens an adverbial, behind which a verb may ask: "After the report, did ...", "Given ...". */
const ADVERBIAL =
  /^[^\p{L}]*(?:after|although|as|at|based|because|before|between|both|by|during|for|from|given|if|in|on|since|though|to|under|when|whereas|while|with|within|question|\p{L}{1,30}(?:ing|ly))\b/iu;

/**
 * Returns the form of the answer that a question asks for: by its first interrogative or auxiliary
 * verb that opens a clause ("Considering the report by A, which ...", "After B, did ..."), so that
 * an adverbial clause before it decides nothing. Undefined if none opens a clause.
 */
function formOf(question: string): 'open' | 'verdict' | undefined {
  const heads = [...question.matchAll(HEAD)].map(match => {
    const [, before, open] = match;
    return {
      first: before === '' || /^[.!?;:]/.test(before!),
      open: open !== undefined,
      rest: question.slice(match.index + before!.length).replace(/^[\s"“‘'(–—-]+/, ''),
    };
  });
  // "The hotel, built in 1908, was burnt in which year?": the verb of a statement asks nothing.
  const aside = ADVERBIAL.test(question);
  const asking = heads.filter(
    ({ first, open, rest }) =>
      first || (open ? !(RELATIVE.test(rest) || SUBORDINATE.test(rest)) : aside),
  );
  if (!asking[0]?.first && LAST.test(question)) return 'open';
  const head = asking[0] ?? heads.findLast(({ open }) => open);
  return head && (head.open ? 'open' : 'verdict');
}

export function predictQuestionType(question: string): PredictedType {
  return typeOf(withoutCourtesy(singleSpaced(question)));
}

/** Long white space would take the expressions quadratic time. */
const singleSpaced = (question: string): string => question.replace(/\s+/g, ' ');

/** Returns true if a word of reports follows a word of temporal order in the same question. */
const ordersReports = (question: string): boolean =>
  question.split('?').some(part => {
    const order = ORDER.exec(part);
    return order !== null && REPORT.test(part.slice(order.index + order[0].length));
  });

function typeOf(question: string): PredictedType {
  const form = formOf(question);
  // "Who ... after the report of October 7?" asks for an entity: the form of the answer decides.
  if (form === 'open') return 'inference';
  if (ordersReports(question) || TEMPORAL.some(pattern => pattern.test(question)))
    return 'temporal';
  return form === 'verdict' || /\b(?:while|compared|contrast|both|differ|align)\b/i.test(question)
    ? 'comparison'
    : 'inference';
}

/** Matches what asks yes or no behind an interrogative: "When A closed, did B?", "Who? Is A?" */
const VERDICT_BEHIND = new RegExp(
  String.raw`^(?:when|where|why|how)\b.*,\s+(?:${AUXILIARIES})\b|[:?]["”’']?\s+(?:${AUXILIARIES})\b|^(?:who|what|which|how)\b.*\band\b.*\b(?:are|were)\s+both\b|\byes or no\b|\bwhether\b`,
  'iu',
);

/** Returns true if an English interrogative asks and nothing says that yes or no may answer. */
export function asksOpenly(question: string): boolean {
  const asked = withoutCourtesy(singleSpaced(question));
  return formOf(asked) === 'open' && !VERDICT_BEHIND.test(asked);
}

/** Returns true if the question can be answered by yes or no. */
export function asksYesOrNo(question: string): boolean {
  const asked = withoutCourtesy(singleSpaced(question));
  const form = formOf(asked);
  if (form !== undefined) return form === 'verdict';
  return typeOf(asked) !== 'inference' && !/\b(?:which|what|whom?|whose)\b/i.test(asked);
}
