/** Time to load a stored index from a file, and until its first answer. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { LexicalIndex, type Packed } from '../src/search/indexes/lexical/lexical-index.ts';
import { scorers } from '../src/search/indexes/lexical/scorers.ts';
import { realCorpus } from './corpora.ts';
import { loadPeers, miniSearchOptions } from './lexical-peers.ts';
import { cpuTime, interleave, machine, type Result, type Task } from './measure.ts';

const VIEWS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array } as const;

/**
 * One file: the length of the header, the header as JSON, the arrays, each from a multiple of 8 on.
 */
function writePacked(path: string, { header, arrays }: Packed): void {
  const places: Record<string, [number, number]> = {};
  let at = 0;
  for (const [name, array] of Object.entries(arrays)) {
    places[name] = [at, array.length];
    at = Math.ceil((at + array.byteLength) / 8) * 8;
  }
  const json = Buffer.from(JSON.stringify({ header, places }));
  const start = Math.ceil((4 + json.length) / 8) * 8;
  const file = Buffer.alloc(start + at);
  file.writeUInt32LE(json.length, 0);
  json.copy(file, 4);
  for (const [name, array] of Object.entries(arrays))
    Buffer.from(array.buffer, array.byteOffset, array.byteLength).copy(
      file,
      start + places[name]![0],
    );
  writeFileSync(path, file);
}

function readPacked(path: string): Packed {
  const file = readFileSync(path);
  const length = file.readUInt32LE(0);
  const { header, places } = JSON.parse(file.toString('utf8', 4, 4 + length)) as {
    header: Packed['header'];
    places: Record<string, [number, number]>;
  };
  const start = file.byteOffset + Math.ceil((4 + length) / 8) * 8;
  const arrays = Object.entries(places).map(([name, [at, size]]) => [
    name,
    new VIEWS[header.types[name]!](file.buffer as ArrayBuffer, start + at, size),
  ]);
  return { header, arrays: Object.fromEntries(arrays) };
}

export const load: Task = async ({ data, runs, say }) => {
  const { items, questions } = realCorpus(data);
  const folder = mkdtempSync(join(tmpdir(), 'multihop-bench-'));
  const [ourFile, theirFile] = [join(folder, 'index.bin'), join(folder, 'index.json')];
  writePacked(ourFile, LexicalIndex.build(items, 'plain').pack());
  const { peers } = await loadPeers(['minisearch']);
  const built = await peers[0]!.build(items);
  writeFileSync(theirFile, JSON.stringify(built.native));
  const scorer = scorers.create('bm25');
  const openOurs = (): LexicalIndex => LexicalIndex.unpack(readPacked(ourFile));
  const openTheirs = (): MiniSearch =>
    MiniSearch.loadJSON(readFileSync(theirFile, 'utf8'), miniSearchOptions);
  const answerOurs = (): unknown => openOurs().search([{ text: questions[0]! }], 10, scorer);
  const answerTheirs = (): unknown => openTheirs().search(questions[0]!).slice(0, 10);
  for (const open of [openOurs, openTheirs, answerOurs, answerTheirs]) open();
  say(`load: ${runs} interleaved runs`);
  /** The mean of ten where one is far below a millisecond. */
  const often = async (work: () => unknown, times: number): Promise<number> =>
    (await cpuTime(() => {
      for (let i = 0; i < times; i++) work();
    })) / times;
  const values = await interleave(
    [
      { name: 'ours', run: () => often(openOurs, 10) },
      { name: 'theirs', run: () => often(openTheirs, 1) },
      { name: 'our answer', run: () => often(answerOurs, 3) },
      { name: 'their answer', run: () => often(answerTheirs, 1) },
    ],
    runs,
  );
  const sizes = `files: ours ${(statSync(ourFile).size / 1e6).toFixed(1)} MB, MiniSearch ${(statSync(theirFile).size / 1e6).toFixed(1)} MB`;
  rmSync(folder, { recursive: true });
  const row = (task: string, mine: string, their: string, note: string): Result => {
    const [value, ours] = [values.get(their)!, values.get(mine)!];
    return {
      task,
      n: items.length,
      unit: 'CPU ms',
      ours,
      peers: [{ name: 'minisearch', version: peers[0]!.version, value, ratio: value / ours }],
      note,
      machine: machine(),
    };
  };
  return [
    row('load', 'ours', 'theirs', sizes),
    row('load-to-first-answer', 'our answer', 'their answer', 'ours compiles the scorer in it'),
  ];
};
