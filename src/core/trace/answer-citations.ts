/** Lists the citations of an answer. */
import type { Answer, Citation } from './trace.ts';

/** Returns all citations of an answer: given, withheld, and of the sides that it shows. */
export function citationsOfAnswer(answer: Answer): readonly Citation[] {
  if (answer.kind !== 'abstained') return answer.citations;
  const { withheld, sides = [] } = answer;
  return [...(withheld?.citations ?? []), ...sides.flatMap(({ citations }) => citations)];
}
