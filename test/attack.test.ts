/** Runs the attack of `npm run attack` in small, and shows that it finds faults where there are. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { damageOnce, damageSeries, openSample, type Sample } from '../tools/attack/damages.ts';
import { faultsOf } from '../tools/attack/figures.ts';
import { killSeries, SOURCES } from '../tools/attack/kills.ts';
import { freshFolder } from './fresh-folder.ts';

const SEED = 1;

describe('an attack on stores', () => {
  let sample: Sample;
  before(async () => {
    process.env['NODE_COMPILE_CACHE'] ??= join(freshFolder(), 'compiled');
    sample = await openSample(join(freshFolder(), 'sample'));
  });

  test('killed at random moments, programs and commands lose nothing that was acknowledged', async () => {
    const setting = { seed: SEED, series: 0, kills: 12, programs: SOURCES };
    const figures = await killSeries(join(freshFolder(), 'kills'), setting);
    assert.equal(faultsOf(figures), 0, figures.found.join('\n'));
    assert.equal(figures.kills, 12);
    assert.ok(figures.acknowledged > 0 && figures.killsOfCommands > 0);
  });

  test('a library that acknowledges and writes nothing is found', async () => {
    const library = `data:text/javascript,${encodeURIComponent(`
      const store = { ingest() {}, remove() {}, close() {}, documents: () => ({ documents: [] }) };
      export const openStore = () => ({ ...store, ingest: () => new Promise(done => setTimeout(done, 9)) });
    `)}`;
    const setting = { seed: SEED, series: 0, kills: 3, programs: { ...SOURCES, library } };
    const figures = await killSeries(join(freshFolder(), 'kills'), setting);
    assert.ok(figures.lost > 0, JSON.stringify(figures));
  });

  test('random damages to any file leave the answer right, or are reported by its name', async () => {
    const figures = await damageSeries(sample, { seed: SEED, series: 0, damages: 400 });
    assert.equal(faultsOf(figures), 0, figures.found.join('\n'));
    assert.ok(figures.right > 0 && figures.reported > 0);
  });

  test('an answer that differs without an error is found', async () => {
    const [name] = [...sample.sound.keys()].filter(path => path.includes('index-passage'));
    const damage = { kind: 'cut', files: new Map([[name!, Buffer.alloc(0)]]) };
    const others = new Map([...sample.answers].map(([reading]) => [reading, '[]']));
    const told = { ...sample, answers: others };
    assert.equal((await damageOnce(told, damage, 'search passages', '')).undetected, 1);
  });
});
