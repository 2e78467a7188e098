/**
 * RetrievalConditionedEM and F1: the accuracy of an oracle that prints the gold answer exactly if
 * the evidence suffices (budgeted-agent paper).
 */
import type { Trace } from '../../core/trace/trace.ts';
import { evidenceSuffices } from '../evidence-rule.ts';
import type { Example, Measure } from '../example.ts';
import { isNull } from '../gold-evidence.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';

/**
 * Below this best score of the first search a null question counts as refused. Fitted on the scale
 * of scorer S1, without meaning on any other.
 */
const TAU_NULL = 0.25;
/** The one retriever on whose scale TAU_NULL was fitted. */
const THRESHOLD_RETRIEVER = 'lexical(s1)';

/**
 * Tells whether the first search's best score lies below the null threshold. A trace that never
 * searched refuses nothing; a search that found nothing scores 0.
 */
function belowNullThreshold(trace: Trace): boolean {
  const first = trace.hops[0]?.searches[0];
  return first !== undefined && (first.hits[0]?.score ?? 0) < TAU_NULL;
}

type Reading = 'answerable' | 'paper' | 'honest';

function score(example: Example, trace: Trace, reading: Reading): number | undefined {
  if (reading !== 'answerable' && trace.retriever !== THRESHOLD_RETRIEVER) return undefined;
  if (isNull(example))
    return reading === 'answerable' ? undefined : Number(belowNullThreshold(trace));
  const suffices = evidenceSuffices(example, trace);
  if (suffices === undefined) return undefined;
  return Number(suffices && !(reading === 'honest' && belowNullThreshold(trace)));
}

function conditioned(
  about: Pick<MeasureMember, 'name' | 'printed' | 'compared'> & Pick<Measure, 'table'>,
  note: string,
): MeasureMember {
  return measureMember({
    ...about,
    summary: `Share of questions whose gold documents suffice by the budgeted-agent paper's evidence rule${note}`,
    paper: 'budgeted-agent paper',
    parameters: [
      {
        name: 'reading',
        type: 'text',
        default: 'answerable',
        choices: ['answerable', 'paper', 'honest'],
        positional: true,
        shown: true,
        summary:
          'which questions count, and whom the null threshold of lexical(s1) refuses: null questions, as the paper did (it leaks the type), or every one (honest)',
      },
    ],
    score: (example, trace, _records, { reading }) => score(example, trace, reading),
  });
}

export const retrievalConditionedEM: MeasureMember = conditioned(
  {
    name: 'RetrievalConditionedEM',
    table: 'documents',
    printed: {
      answers: ['paper', 'honest', 'answerable'].map(of => `RetrievalConditionedEM(${of})`),
    },
    compared: { answers: ['RetrievalConditionedEM(answerable)'] },
  },
  '',
);
/**
 * The wrong branch prints nothing, so that it shares no token with gold and F1 equals EM in every
 * row.
 */
export const retrievalConditionedF1: MeasureMember = conditioned(
  { name: 'RetrievalConditionedF1', printed: { answers: ['RetrievalConditionedF1(paper)'] } },
  ' (equals EM: the wrong branch prints nothing)',
);
