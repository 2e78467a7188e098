/**
 * `lead(words=90)`: shows title, source, date and the first words of the body, the snippet of the
 * budgeted-agent paper.
 */
import type { Span } from '../core/corpus/document.ts';
import { type Member, member } from '../core/naming/family.ts';
import { nthWordEnd } from '../core/text/words.ts';
import { byDocument, keptSpans } from './by-document.ts';
import type { UnboundContext } from './context.ts';

export const lead: Member<UnboundContext> = member({
  name: 'lead',
  summary:
    'Title, source, date and the first words of each document (of each passage, if passages are kept)',
  paper:
    'Su, Chen, Zhao: Budgeted Multi-Hop Retrieval Agent (docs/papers/budgeted-agent.md): 90 words',
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
            // Cuts before spans are merged: otherwise the second of two adjacent passages would not
            // be shown.
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
