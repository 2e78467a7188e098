/**
 * The time of reading files of one repeated piece, and its growth as the file doubles: 2 for a
 * parser that is linear in its input.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocuments } from '../src/edges/formats/index.ts';
import { cpuTime, machine, median, type Result, type Task } from './measure.ts';

/** Marks that begin something in one of the formats, alone and around a letter. */
const PIECES = [
  ...['_a_', '*a*', '**a', '`a`', '[a](b)', '![a](b)', '[a]', '<a>', '&amp;', '~~a~~', '- a\n'],
  ...['> ', '| a |', '1. a\n', '# a\n', '***', '___', '[', '](', '`', '\\_', 'a_', '_a', 'a'],
  ...['http://a.b ', '<!--', '  ', '\t', '[^1]', '|-|\n', '```\n', '<b>', 'a@b.c ', 'a\n: b\n'],
  ...[
    '<a href="',
    '<![CDATA[',
    '<p>',
    '</p>',
    '"a',
    "'a",
    'A. ',
    '.\n',
    '|===\n',
    ':a: ',
    '.B a\n',
  ],
  ...['---\n- a\n', '{', '(', 'Mr. ', '...', ',', 'a,"b"\n'],
];
const FORMATS = ['md', 'html', 'rst', 'adoc', '1', 'txt', 'csv'];
/** Characters of a file. */
const SIZES = [20_000, 40_000, 80_000];

async function timesOf(path: string, piece: string, runs: number): Promise<number[]> {
  const times: number[] = [];
  for (const size of SIZES) {
    writeFileSync(path, `Title\n\n${piece.repeat(size / piece.length)}`);
    const all: number[] = [];
    for (let run = 0; run < Math.min(3, runs); run++)
      all.push(
        await cpuTime(async () => {
          for await (const _ of readDocuments([path]));
        }),
      );
    times.push(median(all));
  }
  return times;
}

export const parserGrowth: Task = async ({ runs, say }) => {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-growth-'));
  const results: Result[] = [];
  try {
    for (const format of FORMATS) {
      say(`growth: ${PIECES.length} pieces, .${format}`);
      const measured: { readonly piece: string; readonly times: readonly number[] }[] = [];
      for (const piece of PIECES)
        measured.push({ piece, times: await timesOf(join(folder, `a.${format}`), piece, runs) });
      const slowest = measured.reduce((a, b) => (b.times.at(-1)! > a.times.at(-1)! ? b : a));
      const [, middle, last] = slowest.times as [number, number, number];
      const each = slowest.times.map(ms => ms.toFixed(0)).join(', ');
      results.push({
        ...{ task: `growth: a file .${format} of one repeated piece`, n: SIZES.at(-1)! },
        ...{ unit: 'times as long for twice the size, the slowest piece', ours: last / middle },
        note: `${JSON.stringify(slowest.piece)}: CPU ms ${each} for ${SIZES.join(', ')} characters`,
        ...{ peers: [], machine: machine() },
      });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return results;
};
