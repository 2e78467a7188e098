/** Prints results as a table for people. */
import type { Result } from './measure.ts';

const number = (value: number | null): string =>
  value === null
    ? 'absent'
    : value >= 1000
      ? Math.round(value).toLocaleString('en')
      : value.toPrecision(4);

export function printTable(results: readonly Result[]): void {
  for (const { task, n, unit, ours, peers, agreement, note, machine } of results) {
    const rows = [
      [
        'multihop',
        number(ours),
        '',
        agreement === undefined ? '' : agreement.toFixed(4),
        note ?? '',
      ],
    ];
    for (const peer of peers) {
      const ratio = peer.ratio === null ? '' : `${number(peer.ratio)}x`;
      rows.push([
        `${peer.name} ${peer.version}`,
        number(peer.value),
        ratio,
        peer.agreement === undefined ? '' : peer.agreement.toFixed(4),
        peer.note ?? '',
      ]);
    }
    const head = ['', unit, 'ratio', 'agreement@10', ''];
    const widths = head.map((_, column) =>
      Math.max(...[head, ...rows].map(row => row[column]!.length)),
    );
    console.log(`\n${task}, n = ${n.toLocaleString('en')} (${machine})`);
    for (const row of [head, ...rows])
      console.log(
        `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ')}`.trimEnd(),
      );
  }
}
