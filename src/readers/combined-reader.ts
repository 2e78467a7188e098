/**
 * `combined-reader`: hands a question to `fact-reader`, to `section-reader` or to `open-reader`, by
 * what the question cites and what the corpus records.
 *
 * Over documents with headings, as manuals are, `section-reader` answers what cites no source.
 *
 * A question that cites reports ("according to A and B, which company ...?") describes one thing by
 * several facts: `fact-reader` compares clauses and sources, and so it does for any yes or no over
 * texts with sources. Any other question leads from what it names to what it leaves open:
 * `open-reader` follows the names that sentences share, and compares what passages are about.
 */
import { type Member, member } from '../core/naming/family.ts';
import { metadataCatalogue, readQuestion } from '../planning/metadata/extractor.ts';
import { FACT_SUPPORT } from './fact-reader/decide.ts';
import { type Reader, readerOf } from './reader.ts';

/** Words of questions about what texts report, whether or not sources are recorded. */
const REPORTS = /\b(?:according to|report(?:s|ed|ing)?|articles?|coverage|headlines)\b/iu;

export const combinedReader: Member<Reader> = member({
  name: 'combined-reader',
  summary:
    'section-reader over documents with headings, else fact-reader for questions that cite reports, and open-reader for others: names, dates, numbers, yes or no, and short phrases',
  paper: 'ours; see fact-reader, section-reader and open-reader',
  cost: 'no model',
  parameters: [
    {
      name: 'support',
      type: 'number',
      default: 1,
      min: 0,
      max: 100,
      summary: 'times the thresholds of both readers below which they abstain (0: always answer)',
    },
  ],
  create({ support }, name, readers) {
    const readerBy = (reader: string, ...least: number[]): Reader => {
      const args = least.map(value => ({ key: 'support', value }));
      return readers.create({ name: reader, args });
    };
    const sections = readerBy('section-reader');
    const facts = readerBy('fact-reader', Math.min(NEVER, support * FACT_SUPPORT));
    const open = readerBy('open-reader', support);
    return readerOf(name, async ({ question, context, evidence, kit, call }) => {
      const catalogue = await metadataCatalogue(kit.engine, call);
      const { cited, sought } = await readQuestion(question.text, kit.engine, call);
      const known = cited.sources.length;
      const cites = known + cited.unknown.length > 0 || REPORTS.test(question.text);
      const byFacts = cites || (catalogue.sources.length > 0 && sought.kind === 'verdict');
      const bySections = known === 0 && kit.corpusKind === 'sections';
      const reader = bySections ? sections : byFacts ? facts : open;
      return reader.read(question, context, evidence, kit, call);
    });
  },
});

/** A support that no answer reaches. */
const NEVER = 1.01;
