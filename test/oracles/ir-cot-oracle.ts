/**
 * Implements IRCoT's original loop (arXiv 2212.10509, section 3, and its released code) slowly and
 * plainly: full lists, and edit ratios by the full table.
 */
import type { Document } from '../../src/core/corpus/document.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import type { SearchEngine } from '../../src/search/engine.ts';

export interface OracleLimits {
  readonly k: number;
  readonly steps: number;
  readonly paragraphs: number;
  readonly longest: number;
  readonly alike: number;
}

export interface OracleRun {
  /** One query per hop; undefined if nothing was left to search for. */
  readonly queries: (string | undefined)[];
  /** Document ids per hop. */
  readonly kept: string[][];
  readonly calls: number;
}

const WH = ['who', 'what', 'when', 'where', 'why', 'which', 'how', 'does', 'is'];
const REASONS = ['thus ', 'thus,', 'so ', 'so,', 'that is,', 'therefore', 'hence'];

export async function irCotOracle(
  engine: SearchEngine,
  documents: readonly Document[],
  question: string,
  script: readonly string[],
  limits: OracleLimits,
): Promise<OracleRun> {
  const byId = new Map(documents.map(document => [document.id, document]));
  const P: Document[] = [];
  const T: string[] = [];
  const run = { queries: [] as (string | undefined)[], kept: [] as string[][], calls: 0 };
  let empty = 0;
  for (;;) {
    const factual = T.filter(
      sentence => !REASONS.some(start => sentence.toLowerCase().startsWith(start)),
    );
    const words = (factual.at(-1) ?? question)
      .split(' ')
      .filter(word => !WH.includes(word.toLowerCase().replace(/[.?]/g, '')));
    const query = words.join(' ');
    const fresh: string[] = [];
    if (query !== '') {
      const [hits] = await engine.search(
        { unit: 'passage', k: 100, queries: [{ text: query }] },
        freeCall(),
      );
      const texts = hits!.map(hit => byId.get(hit.documentId)!);
      const merged = texts.filter(
        (document, index) => texts.findIndex(({ text }) => text === document.text) === index,
      );
      for (const document of merged.slice(0, limits.k)) {
        const tooLong = document.text.split(' ').length > limits.longest;
        // Evidence holds each text once, whatever its title; the rest is the released code's rule.
        const known = P.some(
          other =>
            other.text === document.text ||
            (ratio(other.title, document.title) >= limits.alike &&
              ratio(other.text, document.text) >= limits.alike),
        );
        if (tooLong || known || P.length === limits.paragraphs) continue;
        P.push(document);
        fresh.push(document.id);
      }
    }
    run.queries.push(query === '' ? undefined : query);
    run.kept.push(fresh);
    empty = fresh.length > 0 ? 0 : empty + 1;
    if (empty === 2) return run;
    for (let steps = 1; ; steps++) {
      const s = script[Math.min(run.calls, script.length - 1)]!;
      run.calls++;
      if (s === '' || T.some(t => t.toLowerCase() === s.toLowerCase())) return run;
      T.push(s);
      if (/.* answer is:? (.*)\.?/.test(s) || T.length >= limits.steps) return run;
      if (P.length < limits.paragraphs) break;
      if (steps === 3) return run;
    }
  }
}

function ratio(a: string, b: string): number {
  if (a.length + b.length === 0) return 100;
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      table[i]![j] =
        a[i - 1] === b[j - 1]
          ? table[i - 1]![j - 1]! + 1
          : Math.max(table[i - 1]![j]!, table[i]![j - 1]!);
  return (200 * table[a.length]![b.length]!) / (a.length + b.length);
}
