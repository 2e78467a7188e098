/**
 * The laws of measures, as plain data for any test runner: `for (const { name, run } of
 * measureLaws(measure)) test(name, run)`.
 */
import type { Trace } from '../core/trace/trace.ts';
import type { Example, Measure, Score } from './example.ts';
import { emptyLawTrace, lawExamples, lawRecords, perfectLawTrace } from './measure-fixtures.ts';
import { valueOfScores } from './value-of-scores.ts';

export interface Law {
  readonly name: string;
  /** Throws an `Error` that says what broke. */
  run(): void;
}

export interface MeasureClaims {
  /** Score of a question with an empty trace, if any; 0 when missing. */
  readonly empty?: number;
  /**
   * The value of perfect traces; for shares 1 (or 0 when lower is better) when missing, for
   * anything else unchecked.
   */
  readonly perfect?: number;
  /** The measure reads the order of the evidence: the law that it does not is left out. */
  readonly readsOrder?: boolean;
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;

/** Scores of the law questions under a kind of trace. */
const scoresOf = (measure: Measure, trace: (example: Example) => Trace): (Score | undefined)[] =>
  lawExamples.map(example => measure.score(example, trace(example), lawRecords));

const valueUnder = (measure: Measure, trace: (example: Example) => Trace): number | undefined =>
  valueOfScores(measure, scoresOf(measure, trace))?.value;

const numbersIn = (score: Score): number[] =>
  typeof score === 'number' ? [score] : Object.values(score as unknown as Record<string, number>);

/** A trace that has all documents, gold or not, in a fixed order, and a wrong answer. */
const wasteful = (example: Example): Trace => ({
  ...perfectLawTrace(example, ['d3', 'd1', 'd2']),
  answer: {
    kind: 'answered',
    text: 'Somebody else',
    citations: [],
    questionType: 'comparison',
  },
});
/** A trace that found half of the gold documents. */
const partial = (example: Example): Trace =>
  perfectLawTrace(example, [example.gold[0]?.documentId ?? 'd1']);

const traces: Readonly<Record<string, (example: Example) => Trace>> = {
  perfect: example => perfectLawTrace(example),
  wasteful,
  partial,
  empty: emptyLawTrace,
};

function bestLaw(measure: Measure, { perfect }: MeasureClaims): Law {
  const share = (measure.unit ?? 'share') === 'share';
  const lower = measure.better === 'lower';
  return {
    name: `${measure.name}: the perfect trace scores best`,
    run() {
      const best = valueUnder(measure, traces['perfect']!);
      if (best === undefined) return;
      const stated = perfect ?? (share ? Number(!lower) : undefined);
      check(
        stated === undefined || near(best, stated),
        `the perfect trace scores ${best}, not ${stated}`,
      );
      if (!share) return;
      for (const [name, trace] of Object.entries(traces)) {
        const other = valueUnder(measure, trace);
        if (other !== undefined)
          check(
            lower ? best <= other + 1e-9 : best >= other - 1e-9,
            `the ${name} trace scores ${other}, the perfect one ${best}`,
          );
      }
    },
  };
}

function emptyLaw(measure: Measure, { empty = 0 }: MeasureClaims): Law {
  return {
    name: `${measure.name}: the empty trace scores ${empty}`,
    run() {
      const value = valueUnder(measure, emptyLawTrace);
      check(
        value === undefined || near(value, empty),
        `the empty trace scores ${value}, not ${empty}`,
      );
    },
  };
}

function finiteLaw(measure: Measure): Law {
  return {
    name: `${measure.name}: scores are never NaN or infinite, and a share lies from 0 to 1`,
    run() {
      for (const [name, trace] of Object.entries(traces)) {
        for (const score of scoresOf(measure, trace)) {
          if (score !== undefined)
            check(
              numbersIn(score).every(Number.isFinite),
              `the ${name} trace scores ${JSON.stringify(score)}`,
            );
        }
        const value = valueUnder(measure, trace);
        if (value === undefined) continue;
        check(Number.isFinite(value), `the ${name} traces have the value ${value}`);
        if ((measure.unit ?? 'share') === 'share')
          check(value >= 0 && value <= 1, `the share of the ${name} traces is ${value}`);
      }
    },
  };
}

function orderLaw(measure: Measure): Law {
  return {
    name: `${measure.name}: the order of the evidence does not matter`,
    run() {
      for (const trace of [traces['perfect']!, wasteful]) {
        const turned = (example: Example): Trace => ({
          ...trace(example),
          evidence: [...trace(example).evidence].reverse(),
        });
        const [before, after] = [valueUnder(measure, trace), valueUnder(measure, turned)];
        check(before === after, `${before} became ${after} when the evidence was reversed`);
      }
    },
  };
}

function purityLaw(measure: Measure): Law {
  return {
    name: `${measure.name}: the same trace scores the same, and is not changed`,
    run() {
      for (const example of lawExamples) {
        const trace = perfectLawTrace(example);
        const before = JSON.stringify(trace);
        const scores = [
          measure.score(example, trace, lawRecords),
          measure.score(example, trace, lawRecords),
        ].map(score => JSON.stringify(score));
        check(scores[0] === scores[1], `the first score was ${scores[0]}, the second ${scores[1]}`);
        check(JSON.stringify(trace) === before, 'the trace was changed');
      }
    },
  };
}

/** Every law that a measure must obey. */
export function measureLaws(measure: Measure, claims: MeasureClaims = {}): Law[] {
  const laws = [
    bestLaw(measure, claims),
    emptyLaw(measure, claims),
    finiteLaw(measure),
    purityLaw(measure),
  ];
  return claims.readsOrder ? laws : [...laws, orderLaw(measure)];
}

/**
 * Question by question one measure never exceeds another: EM and F1, GroundedRecall and
 * EvidenceRecall.
 */
export function dominanceLaw(smaller: Measure, larger: Measure): Law {
  return {
    name: `${smaller.name} never exceeds ${larger.name}`,
    run() {
      for (const [name, trace] of Object.entries(traces)) {
        for (const example of lawExamples) {
          const [low, high] = [smaller, larger].map(measure =>
            measure.score(example, trace(example), lawRecords),
          );
          if (typeof low === 'number' && typeof high === 'number')
            check(
              low <= high + 1e-12,
              `${low} > ${high} on question ${example.id} with the ${name} trace`,
            );
        }
      }
    },
  };
}
