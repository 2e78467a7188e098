/**
 * Short labels for rows: the strategy, with context, retriever, reader or id only where needed to
 * tell rows apart. Without its language model a strategy is "(rules)".
 */
import { isControl } from '../controls.ts';
import type { Row } from '../evaluation-result.ts';

export function rowLabels(rows: readonly Row[]): Map<string, string> {
  const parts: readonly (keyof Row)[] = ['context', 'retriever', 'reader'];
  const differing = parts.filter(
    part => new Set(rows.filter(row => !isControl(row)).map(row => row[part])).size > 1,
  );
  const labels = rows.map(row => labelOf(row, rows, differing));
  return new Map(
    rows.map((row, index) => [
      row.id,
      labels.filter(label => label === labels[index]).length > 1 ? row.id : labels[index]!,
    ]),
  );
}

function labelOf(row: Row, rows: readonly Row[], differing: readonly (keyof Row)[]): string {
  if (row.control) return `control: ${row.id}`;
  if (isControl(row)) return `control: ${row.reader}`;
  const twins = rows.filter(other => other.strategy === row.strategy);
  const shown =
    twins.length === 1
      ? []
      : differing.filter(part => new Set(twins.map(twin => twin[part])).size > 1);
  const name = row.rules ? `${row.strategy} (rules)` : row.strategy;
  return [name, ...shown.map(part => row[part])].join(' · ');
}
