/**
 * SubQuestionRecall@k: finds the gold passage of a sub-question among the first k passages of its
 * own search, before and after it was completed by earlier answers (ChainRAG, arXiv 2502.14245,
 * Table 2). Reads outputs of role `probe`, which name both searches.
 */
import type { Search, Trace } from '../../core/trace/trace.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import type { Example, Records } from '../example.ts';
import { goldDocuments } from '../gold-evidence.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { cutOffParameter } from '../ranked-gold.ts';

/** A sub-question as a trace records it. */
interface Probe {
  /** The text as written, references and all. */
  readonly written: string;
  readonly original: string;
  readonly searches: Readonly<Record<'original' | 'rewritten', Search | undefined>>;
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** Returns the probes of a trace by the number of their sub-question, from 1. */
function probesOf({ hops }: Trace): Map<number, Probe> {
  const probes = new Map<number, Probe>();
  for (const { outputs = [], searches } of hops)
    for (const { role, text } of outputs) {
      if (role !== 'probe') continue;
      const { number, written, original, searches: places } = fieldsOf(parsed(text));
      const at = (name: string): Search | undefined => searches[Number(fieldsOf(places)[name])];
      if (typeof number === 'number' && !probes.has(number))
        probes.set(number, {
          written: String(written),
          original: String(original),
          searches: { original: at('original'), rewritten: at('rewritten') },
        });
    }
  return probes;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A step of a data set's own decomposition, with the document that supports it. */
interface Step {
  readonly question: string;
  readonly gold: string;
}

/**
 * Returns the steps of MuSiQue's own decomposition; undefined if any names no paragraph. Gold
 * documents are in the order in which steps first name them.
 */
function stepsOf(example: Example): Step[] | undefined {
  if (!Array.isArray(example.chain) || example.chain.length === 0) return undefined;
  const steps = example.chain.map(fieldsOf);
  const places = [...new Set(steps.map(step => step['paragraph_support_idx']))];
  const gold = goldDocuments(example);
  if (places.some(place => typeof place !== 'number') || places.length > gold.length)
    return undefined;
  return steps.map(step => ({
    question: String(step['question']),
    gold: gold[places.indexOf(step['paragraph_support_idx'])]!,
  }));
}

const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/**
 * Matches each sub-question, in order and as it was written, with the gold document left that has
 * most of its words; equal ones in the order of the gold list.
 */
function matched(
  probes: ReadonlyMap<number, Probe>,
  example: Example,
  records: Records,
): Map<number, string> {
  const titles = new Map(example.gold.map(({ documentId, title }) => [documentId, title]));
  const left = new Map(
    goldDocuments(example).map(id => [
      id,
      contentWords(`${titles.get(id) ?? ''} ${records.text(id)}`),
    ]),
  );
  const gold = new Map<number, string>();
  for (const [number, { original }] of [...probes].sort(([a], [b]) => a - b)) {
    const words = [...contentWords(original)];
    let best: { readonly id: string; readonly shared: number } | undefined;
    for (const [id, wordsLeft] of left) {
      const shared = words.filter(word => wordsLeft.has(word)).length;
      if (!best || shared > best.shared) best = { id, shared };
    }
    if (!best) break;
    gold.set(number, best.id);
    left.delete(best.id);
  }
  return gold;
}

type Source = 'any' | 'steps' | 'matched';

/** Returns the gold document of a sub-question, if any. */
function goldOf(
  number: number,
  probes: ReadonlyMap<number, Probe>,
  example: Example,
  records: Records,
  source: Source,
): string | undefined {
  const written = folded(probes.get(number)!.written);
  const step = stepsOf(example)?.find(({ question }) => folded(question) === written);
  if (source !== 'matched' && step) return step.gold;
  return source === 'steps' ? undefined : matched(probes, example, records).get(number);
}

export const subQuestionRecallAt: MeasureMember = measureMember({
  name: 'SubQuestionRecall@k',
  summary:
    "Share of sub-questions whose gold document is among the documents of the first k passages of their own search; undefined for runs without probes, such as chain(probe=true)'s",
  paper: 'ChainRAG',
  parameters: [
    cutOffParameter(2, 'passages'),
    {
      name: 'number',
      type: 'integer',
      default: 1,
      min: 1,
      positional: true,
      shown: true,
      summary: 'the sub-question, from 1',
    },
    {
      name: 'rewritten',
      type: 'flag',
      default: false,
      summary: 'the search after the sub-question was completed, instead of before',
    },
    {
      name: 'gold',
      type: 'text',
      default: 'any',
      choices: ['any', 'steps', 'matched'],
      summary:
        "steps: sub-questions of the data set, each with its own gold document (MuSiQue replayed); matched: in order, each with the gold document left that has most of its words; any: steps where they are the data set's, else matched",
    },
  ],
  score(example, trace, records, { k, number, rewritten, gold: source }) {
    const probes = probesOf(trace);
    const search = probes.get(number)?.searches[rewritten ? 'rewritten' : 'original'];
    if (!search) return undefined;
    const gold = goldOf(number, probes, example, records, source);
    if (gold === undefined) return undefined;
    return Number(search.hits.slice(0, k).some(({ documentId }) => documentId === gold));
  },
});
