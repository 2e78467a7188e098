/**
 * `headers`: title, source and date alone, not one word of body.
 *
 * A control: it shows what document-level exact match is worth once a system chooses how much of a
 * document to pass on (evaluation.md 4.6).
 */
import { type Member, member } from '../naming/family.ts';
import { byDocument } from './by-document.ts';
import type { UnboundContext } from './context.ts';

export const headers: Member<UnboundContext> = member({
  name: 'headers',
  summary: 'Control: titles, sources and dates only; it grounds nothing',
  cost: 'about 18 tokens a document',
  create: (_settings, name) => ({
    name,
    // A document without title, source and date still has to be named by something, else it would
    // be free and invisible.
    bind: (engine, call) =>
      byDocument(
        name,
        (document, _kept, header) => ({ header: header || document.id, spans: [] }),
        engine,
        call,
      ),
  }),
});
