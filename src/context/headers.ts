/**
 * `headers`: shows title, source and date only.
 *
 * A control: it measures document-level exact match for a system that decides how much of a
 * document it passes on. A passed document counts as retrieved even if no word of its body is
 * passed on.
 */
import { type Member, member } from '../core/naming/family.ts';
import { byDocument } from './by-document.ts';
import type { UnboundContext } from './context.ts';

export const headers: Member<UnboundContext> = member({
  name: 'headers',
  summary: 'Control: titles, sources and dates only, without text that supports an answer',
  cost: 'about 18 tokens a document',
  create: (_settings, name) => ({
    name,
    // A document without title, source and date shows its id; otherwise it would cost nothing and
    // be invisible.
    bind: (engine, call) =>
      byDocument(
        name,
        (document, _kept, header) => ({ header: header || document.id, spans: [] }),
        engine,
        call,
      ),
  }),
});
