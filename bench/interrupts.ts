/**
 * `npm run node24 -- bench/interrupts.ts NAME [--cache DIR] [--times N]`: sends SIGINT to the built
 * command (ask, traced-ask, ingest or eval) at moments spread over its work, and prints how
 * long it takes to end. The documents are those of `npm run documents -- --cache DIR`; `eval` reads
 * MULTIHOP_DATA.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mulberry32 } from '../src/core/mulberry32.ts';

const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cache: { type: 'string', default: '.cache' },
    times: { type: 'string', default: '40' },
  },
});
const corpus = join(values.cache, 'documents', 'corpus');
const [name = 'ask'] = positionals;
const times = Number(values.times);
const folder = mkdtempSync(join(tmpdir(), 'multihop-interrupts-'));
const random = mulberry32(7);

interface Ended {
  /** Milliseconds of the whole run. */
  readonly ran: number;
  /** Milliseconds from the signal on; undefined if it ended before. */
  readonly after: number | undefined;
  /** Its exit code, or the signal that ended it. */
  readonly by: number | string | null;
}

/** Runs the command, interrupted after so many milliseconds. */
function run(words: readonly string[], at: number): Promise<Ended> {
  const began = performance.now();
  const child = spawn(process.execPath, [command, ...words], { stdio: 'ignore' });
  let sent: number | undefined;
  const timer = setTimeout(
    () => {
      sent = performance.now();
      child.kill('SIGINT');
    },
    Math.min(at, 2 ** 31 - 1),
  );
  return new Promise(resolve => {
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      const now = performance.now();
      const after = sent === undefined ? undefined : now - sent;
      resolve({ ran: now - began, after, by: code ?? signal });
    });
  });
}

const store = join(folder, 'store');
const question = 'What is the default body limit of Fastify, and who began it?';
const data = join(process.env['MULTIHOP_DATA'] ?? '', 'multihop-rag');
const files = [
  '--corpus',
  join(data, 'corpus.json'),
  '--questions',
  join(data, 'MultiHopRAG.dev.json'),
  '--limit',
  '25',
];
const WORDS: Readonly<Record<string, readonly string[]>> = {
  ask: ['ask', question, '--store', store],
  'traced-ask': ['ask', question, '--store', store, '--trace', join(folder, 'trace.jsonl')],
  ingest: ['ingest', corpus, '--store', join(folder, 'interrupted')],
  eval: ['eval', 'multihop-rag', '--out', join(folder, 'run'), ...files],
};

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
}

try {
  const words = WORDS[name];
  if (!words) throw new Error(`Expected ask, traced-ask, ingest or eval, received "${name}"`);
  if (name !== 'ingest') await run(['ingest', corpus, '--store', store, '-q'], Number.MAX_VALUE);
  const target = join(folder, name === 'eval' ? 'run' : 'interrupted');
  const prepare = (): void => {
    if (name.endsWith('ask')) return;
    rmSync(target, { recursive: true, force: true });
  };
  prepare();
  const whole = await run(words, Number.MAX_VALUE);
  console.log(`${name}: ${whole.ran.toFixed(0)} ms without an interrupt, exit ${whole.by}`);
  const delays: number[] = [];
  const ends = new Map<string, number>();
  for (let time = 0; time < times; time++) {
    const at = (whole.ran * (time + random())) / times;
    prepare();
    const { after, by } = await run(words, at);
    const end = after === undefined ? 'ended before' : String(by);
    ends.set(end, (ends.get(end) ?? 0) + 1);
    if (after === undefined) continue;
    delays.push(after);
    console.log(`  at ${at.toFixed(0)} ms: ${after.toFixed(0)} ms, ${by}`);
  }
  const sorted = delays.sort((a, b) => a - b);
  const figures = [0.5, 0.9, 1].map(share => percentile(sorted, share).toFixed(0));
  console.log(
    `n ${sorted.length}: p50 ${figures[0]} ms, p90 ${figures[1]} ms, max ${figures[2]} ms`,
  );
  console.log([...ends].map(([end, count]) => `${end}: ${count}`).join(', '));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
