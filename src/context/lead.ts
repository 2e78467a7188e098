/** `lead(words=90)`: the paper's snippet - title, source, date and the first words of the body. */
import type { Span } from '../corpus/document.ts';
import { type Member, member } from '../naming/family.ts';
import { nthWordEnd } from '../text/words.ts';
import { byDocument, keptSpans } from './by-document.ts';
import type { UnboundContext } from './context.ts';

export const lead: Member<UnboundContext> = member({
  name: 'lead',
  summary:
    'Title, source, date and the first words of each document (of each passage, where passages were kept)',
  paper: 'the budgeted-agent paper, section 3.3 of its sheet: 90 words',
  cost: 'about 108 tokens a document',
  parameters: [
    {
      name: 'words',
      type: 'integer',
      default: 90,
      min: 1,
      max: 100_000,
      shown: true,
      summary: 'word runs of the body',
    },
  ],
  create(settings, name) {
    const words = settings.words;
    return {
      name,
      bind: (engine, call) =>
        byDocument(
          name,
          (document, kept, header) => {
            // Each passage shows its own first words: were neighbours merged first, the second
            // would be kept and not shown.
            const opening = ([start, end]: Span): Span => [
              start,
              start + nthWordEnd(document.text.slice(start, end), words),
            ];
            return { header, spans: keptSpans(document, kept, opening) };
          },
          engine,
          call,
        ),
    };
  },
});
