/** Checks the network's fit on a rule that no weighted sum ranks, and its scores of kept rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spanScore } from '../../../src/models/open-reader/span-network.ts';
import { mulberry32 } from '../../../src/search/indexes/mulberry32.ts';
import { FeatureTable } from './feature-table.ts';
import { fitNetwork, type SpanGroup } from './fit-network.ts';
import { RowScores } from './row-scores.ts';

const SETTINGS = {
  ...{ units: 8, epochs: 60, rate: 0.02, l2: 0.0005, dropout: 0.1, batch: 8, least: 3, members: 2 },
};
/** Either feature alone is right, both or none are wrong. */
const SPANS = [
  ['one', 'or'],
  ['other', 'or'],
  ['one', 'other'],
  ['none', 'or'],
].map(names => new Map(names.map(name => [name, 1])));

function groups(table: FeatureTable): SpanGroup[] {
  const random = mulberry32(5);
  return Array.from({ length: 120 }, () => {
    const right = random() < 0.5 ? 0 : 1;
    const spans = [SPANS[right]!, SPANS[2]!, SPANS[3]!];
    return { rows: spans.map(span => table.row(span)), right: [true, false, false] };
  });
}

test('units rank by either of two features and not both; equal fits, equal scores of rows', () => {
  const table = new FeatureTable();
  const lessons = groups(table);
  const network = fitNetwork(lessons, table.names, () => true, SETTINGS);
  const scores = SPANS.map(span => spanScore(network, span));
  assert.ok(Math.min(scores[0]!, scores[1]!) > Math.max(scores[2]!, scores[3]!), String(scores));
  assert.deepEqual(
    fitNetwork(lessons, table.names, () => true, SETTINGS),
    network,
  );
  const rows = new RowScores(table).of(
    SPANS.map(span => table.row(span)),
    network,
  );
  for (const [at, score] of rows.entries()) assert.ok(Math.abs(score - scores[at]!) < 1e-6);
});

test('lexical features have a sum and no units, and rare ones are left out', () => {
  const table = new FeatureTable();
  const network = fitNetwork(groups(table), table.names, name => name !== 'or', {
    ...SETTINGS,
    epochs: 2,
  });
  assert.equal(network.weights.get('or')!.units.length, 0);
  assert.equal(network.weights.get('one')!.units.length, 2 * SETTINGS.units);
  const strict = fitNetwork(groups(table), table.names, () => true, {
    ...SETTINGS,
    epochs: 1,
    least: 1e6,
  });
  assert.equal(strict.weights.size, 0);
});

test('a feature that is left out for being rare changes nothing', () => {
  const table = new FeatureTable();
  const lessons = groups(table);
  const settings = { ...SETTINGS, epochs: 2 };
  const without = fitNetwork(lessons, table.names, () => true, settings);
  const [{ rows, right }, ...others] = lessons as [SpanGroup, ...SpanGroup[]];
  const rare = new Map([...SPANS[0]!, ['seldom', 5]] as [string, number][]);
  const isFirst = rows[0]!.at.length === 2 && table.names[rows[0]!.at[0]!] === 'one';
  const named = isFirst ? rare : new Map([...SPANS[1]!, ['seldom', 5]] as [string, number][]);
  const changed = { right, rows: [table.row(named), ...rows.slice(1)] };
  assert.ok(table.names.includes('seldom'));
  assert.deepEqual(
    fitNetwork([changed, ...others], table.names, () => true, settings),
    without,
  );
});
