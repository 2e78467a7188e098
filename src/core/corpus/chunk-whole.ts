/** The chunker `whole`: makes one passage per document, from the first character to the last. */
import { type Member, member } from '../naming/family.ts';
import { type Chunker, passagesAt } from './chunker.ts';

export const whole: Member<Chunker> = member({
  name: 'whole',
  summary: 'One passage per document',
  create: (_, name) => ({
    name,
    chunk: document =>
      /\S/.test(document.text) ? passagesAt(document, [[0, document.text.length]]) : [],
  }),
});
