/** Words for people what became of a follow-up. */
import type { FollowUp } from '../../core/trace/trace.ts';
import { AS_IT_STANDS, followUpWords } from '../../session/follow-up-words.ts';
import type { Page } from '../run-text.ts';
import { printable, wrapBehind } from '../wrap.ts';

/** Names the question that is asked, or says why it is asked as it stands. */
export function followUpLines(text: string, followUp: FollowUp, page: Page): string[] {
  const { style, width } = page;
  const { by, outputs = [] } = followUp;
  const notes = outputs
    .filter(({ role }) => role === 'degraded')
    .flatMap(note => behind('Degraded: ', style.yellow('Degraded: '), note.text, width));
  const words = followUpWords(text, followUp);
  if (words === undefined) return notes;
  const { head: plain, said } = words;
  if (plain === AS_IT_STANDS) return [...notes, ...behind(plain, style.yellow(plain), said, width)];
  const read = turnsWords(followUp);
  const how = by === 'model' ? '' : ' (by rules)';
  const head = `Asked${how}: `;
  return [...notes, ...behind(head, style.faint(head), `${said}${read}`, width)];
}

const behind = (plain: string, first: string, text: string, width: number): string[] =>
  wrapBehind(first, printable(text), width, plain.length);

/** Says which turns were not read. */
function turnsWords({ turns, of, cut }: FollowUp): string {
  const parts = [
    ...(turns < of ? [`the last ${turns} of ${of} earlier turns were read`] : []),
    ...(cut ? ['the last turn was cut'] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
