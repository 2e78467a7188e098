/** `whole`: shows the full text of the evidence, under one header a document. */
import { type Member, member } from '../core/naming/family.ts';
import { byDocument, keptSpans } from './by-document.ts';
import type { UnboundContext } from './context.ts';

export const whole: Member<UnboundContext> = member({
  name: 'whole',
  summary: 'The full kept passages or documents, under title, source and date',
  cost: 'all words of the evidence',
  create: (_settings, name) => ({
    name,
    bind: (engine, call) =>
      byDocument(
        name,
        (document, kept, header) => ({ header, spans: keptSpans(document, kept) }),
        engine,
        call,
      ),
  }),
});
