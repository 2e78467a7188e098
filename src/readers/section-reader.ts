/**
 * `section-reader`: reads documentation, whose sentences mean little without the headings above
 * them: "Default: 10" below "maxsockets".
 *
 * The question tells the form of its answer: a number with its unit, a version, a setting, a
 * command, a definition, a name, a date, yes or no. Texts of that form are ranked by how far their
 * sentence, section and place hold the question's words. Yes and no follow from one sentence that
 * mentions all of the question, and from what it denies. How and why are answered by a passage,
 * which is shown without a pretended answer. See docs/papers/section-reader.md.
 */
import { type Member, member } from '../core/naming/family.ts';
import type { Reader } from './reader.ts';
import { readSectionAnswer } from './section-answer.ts';

export const sectionReader: Member<Reader> = member({
  name: 'section-reader',
  summary:
    'Documentation under headings: numbers with units, versions, settings, commands, definitions, names, yes or no; shows the passage of how and why',
  paper: 'ours; weights fitted on half of the questions of bench/documents',
  cost: 'no model',
  create: (_settings, name) => ({
    name,
    read: (question, context, evidence, kit, call) =>
      readSectionAnswer({ question, context, evidence, kit, call }),
  }),
});
