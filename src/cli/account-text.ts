/** Prints what became of the gold evidence of questions, hop by hop. */
import type { GoldAccount, HopCost, QuestionAccount } from '../evaluation/hop-account.ts';
import type { GoldFate } from '../evaluation/question-records.ts';
import type { Output } from './output.ts';
import { printable } from './wrap.ts';

/** Questions with lost evidence that are printed; the others are in the object of `--json`. */
const SHOWN = 20;

/** Prints the questions of a row whose gold evidence did not all reach the answer. */
export function printAccounts(
  row: string,
  accounts: readonly QuestionAccount[],
  output: Output,
): void {
  const all = accounts.flatMap(({ gold }) => gold);
  const losing = accounts.filter(({ gold }) => gold.some(({ fate }) => fate.is !== 'reached'));
  const reached = all.filter(({ fate }) => fate.is === 'reached').length;
  output.line(`\n${output.style.bold(printable(row))}: gold evidence hop by hop`);
  output.line(
    `  ${reached} of ${all.length} pieces reached the answer; questions that lost some: ${losing.length} of ${accounts.length}`,
  );
  for (const account of losing.slice(0, SHOWN)) printAccount(account, output);
  if (losing.length > SHOWN)
    output.line(`\n  and ${losing.length - SHOWN} more questions: see --json or --out`);
}

function printAccount(account: QuestionAccount, output: Output): void {
  const { question, text, gold, answer, answerText, restsOn, hops } = account;
  output.line(`\n  ${output.style.bold(printable(question))} ${printable(text)}`);
  for (const piece of gold) output.line(`    ${goldWords(piece)}`);
  const documents = restsOn.map(
    ({ documentId, hop }) => `${printable(documentId)}${hop === undefined ? '' : ` (hop ${hop})`}`,
  );
  const rests = documents.length > 0 ? documents.join(', ') : 'no words that were found';
  if (answer === 'answered') output.line(`    answer "${printable(answerText)}" rests on ${rests}`);
  else
    output.line(
      `    ${answer === 'evidence' ? 'no answer in the trace' : `no answer: ${printable(answerText)}`}`,
    );
  for (const [index, hop] of hops.entries()) output.line(`    hop ${index + 1}: ${costWords(hop)}`);
}

/** `ships#linnet: found in hop 1 at rank 2, reached the answer`. */
function goldWords({ documentId, fact, fate, found, withdrawn }: GoldAccount): string {
  const name = fact === undefined || fact === documentId ? documentId : `${documentId}: "${fact}"`;
  const short = name.length > 100 ? `${name.slice(0, 99)}…` : name;
  const rank = found?.rank === undefined ? '' : ` at rank ${found.rank}`;
  const place = found ? `found in hop ${found.hop}${rank}` : 'found by no hop';
  const lost = withdrawn === undefined ? fateWords(fate) : `dropped in hop ${withdrawn}`;
  return `${printable(short)}: ${[place, lost].filter(Boolean).join(', ')}`;
}

const FATES: Readonly<Record<GoldFate['is'], string>> = {
  reached: 'reached the answer',
  cut: 'its words were not shown',
  dropped: 'not kept',
  unfound: '',
  absent: '',
};

const fateWords = (fate: GoldFate): string =>
  fate.is === 'dropped' && fate.why ? `not kept (${fate.why})` : FATES[fate.is];

function costWords({ searches, gold, spent, ms }: HopCost): string {
  const { modelTokens, contextTokens = 0 } = spent;
  return [
    searches === 1 ? '1 search' : `${searches} searches`,
    gold === 1 ? '1 piece of gold' : `${gold} pieces of gold`,
    `${contextTokens} words read`,
    ...(modelTokens === undefined ? [] : [`${modelTokens} model tokens`]),
    ...(ms === undefined ? [] : [`${(ms / 1000).toFixed(2)} s`]),
  ].join(', ');
}
