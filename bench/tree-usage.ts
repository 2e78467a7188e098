/** CPU time and the largest resident size of a command with all its children, by `/proc`. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Used } from './child-usage.ts';

const POLL_MS = 5;
/** Clock ticks a second and bytes a page, as Linux tells them on all its usual machines. */
const [TICKS, PAGE_BYTES] = [100, 4096];

/** Resident sizes of all processes are added, with what they share. */
export interface TreeUsed extends Omit<Used, 'wall'> {
  readonly code: number | null;
  /** Both outputs. */
  readonly output: string;
}

/** Runs `node WORDS` to its end, on Linux. */
export async function treeUsed(words: readonly string[]): Promise<TreeUsed> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let code: number | null | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text.toString();
    });
  child.on('close', ended => {
    code = ended;
  });
  let memory = 0;
  /** Ticks of each process; one that has ended keeps its last. */
  const ticks = new Map<number, number>();
  while (code === undefined) {
    let bytes = 0;
    for (const { pid, used, resident } of processesBelow(child.pid!)) {
      bytes += resident;
      ticks.set(pid, used);
    }
    memory = Math.max(memory, bytes);
    await setTimeout(POLL_MS);
  }
  const used = [...ticks.values()].reduce((sum, each) => sum + each, 0);
  return { code, output, cpu: (used * 1000) / TICKS, memory: memory / 1e6 };
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly used: number;
  readonly resident: number;
}

function processesBelow(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => processOf(Number(name)));
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

/** Fields of proc(5), from the third on; none if the process has ended. */
function processOf(pid: number): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent, user, system, pages] = [1, 11, 12, 21].map(at => fields[at]!);
    return [{ pid, parent: parent!, used: user! + system!, resident: pages! * PAGE_BYTES }];
  } catch {
    return [];
  }
}
