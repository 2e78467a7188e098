/** Says what to type next, for `multihop` alone. */
import { MULTIHOP } from './commands.ts';
import type { Style } from './style.ts';

/** Returns the first steps, or those that follow them if there is a default store. */
export function startText(version: string, style: Style, store: string | undefined): string {
  const steps: readonly (readonly [line: string, says: string])[] =
    store === undefined
      ? [
          ['multihop demo', 'answer a three-hop question over a small corpus'],
          ['multihop ingest FOLDER', 'read your documents into a store of this folder'],
          ['multihop ask "QUESTION"', 'answer from that store, with evidence'],
        ]
      : [
          ['multihop ask "QUESTION"', 'answer from it, with evidence'],
          ['multihop ingest FOLDER', 'add documents, or read changed ones again'],
          ['multihop documents', 'list its documents, and what was skipped'],
          ['multihop eval --init', 'write questions of your own, to measure it by'],
        ];
  const width = Math.max(...steps.map(([line]) => line.length));
  return [
    `${style.bold(MULTIHOP.name)} ${version}: ${MULTIHOP.about}`,
    '',
    store === undefined
      ? 'There is no store in this folder yet. Type next:'
      : `The store of this folder is ${store}. Type next:`,
    ...steps.map(([line, says]) => `  ${line.padEnd(width)}  ${style.faint(says)}`),
    '',
    'All commands: multihop help',
  ].join('\n');
}
