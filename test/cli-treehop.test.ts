/** Tests `multihop treehop`: import and export of checkpoints. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { mulberry32 } from '../src/core/mulberry32.ts';
import { readCheckpoint } from '../src/models/tree-hop/checkpoint.ts';
import { initialParameters } from '../src/models/tree-hop/parameters.ts';
import { readSafetensors } from '../src/models/tree-hop/safetensors.ts';
import { argv, freshFolder, run, succeeds } from './running-command.ts';
import { torchModel } from './torch-file.ts';

describe('import and export', () => {
  const parameters = initialParameters({ d: 3, g: 4, m: 5, nMlp: 1, heads: 2 }, mulberry32(1));
  const fresh = (): string => freshFolder();
  test('reads a state dict of PyTorch, writes the published layout, and reads it again', async () => {
    const place = fresh();
    const [pt, ours, published, back] = [
      'm.pt',
      'ours.safetensors',
      'published',
      'back.safetensors',
    ].map(name => join(place, name)) as string[];
    writeFileSync(pt!, torchModel(parameters));
    const imported = await succeeds(argv`treehop import ${pt!} --out ${ours!} --encoder
      BAAI/bge-m3 --json`);
    assert.equal(JSON.parse(imported.out).provenance['encoder'], 'BAAI/bge-m3');
    assert.deepEqual(readCheckpoint(new Uint8Array(readFileSync(ours!))).parameters, parameters);
    await succeeds(['treehop', 'export', ours!, '--out', published!, '--format', 'published']);
    assert.deepEqual(readdirSync(published!).sort(), ['config.json', 'model.safetensors']);
    assert.deepEqual(JSON.parse(readFileSync(join(published!, 'config.json'), 'utf8')), {
      x_size: 3,
      g_size: 4,
      mlp_size: 5,
      n_mlp: 1,
      dropout: 0,
      n_head: 2,
    });
    const names = [
      ...readSafetensors(
        new Uint8Array(readFileSync(join(published!, 'model.safetensors'))),
      ).tensors.keys(),
    ];
    assert.deepEqual(names, [...parameters.tensors.keys()]);
    const again = await succeeds(argv`treehop import
      ${join(published!, 'model.safetensors')} --out ${back!}`);
    assert.match(again.err, /for which embedder .* no run takes it .*--encoder NAME/s);
    assert.deepEqual(readCheckpoint(new Uint8Array(readFileSync(back!))).parameters, parameters);
    const copy = join(place, 'copy.safetensors');
    await succeeds(['treehop', 'export', ours!, '--out', copy]);
    assert.deepEqual(readFileSync(copy), readFileSync(ours!));
  });
  test('files that cannot be imported or exported are refused with an error code, and nothing is written', async () => {
    const place = fresh();
    const file = (name: string, bytes: Uint8Array | string): string => {
      writeFileSync(join(place, name), bytes);
      return join(place, name);
    };
    const pt = file('m.pt', torchModel(parameters));
    mkdirSync(join(place, 'a'));
    const wrong = file('a/config.json', JSON.stringify({ x_size: 7 }));
    const cases: readonly (readonly [code: string, words: readonly string[]])[] = [
      ['missing-file', ['import', join(place, 'none.pt'), '--out', 'OUT']],
      ['bad-config', ['import', pt, '--config', wrong, '--out', 'OUT']],
      ['bad-json', ['import', pt, '--config', file('c.json', '{'), '--out', 'OUT']],
      ['bad-config', ['import', pt, '--config', file('d.json', '[]'), '--out', 'OUT']],
      ['bad-safetensors', ['import', file('x.safetensors', 'no'), '--out', 'OUT']],
      ['bad-zip', ['import', file('x.pt', 'PK and no more'), '--out', 'OUT']],
      ['missing-option', ['import', pt]],
      ['missing-argument', ['import', '--out', 'OUT']],
      ['file-exists', ['import', pt, '--out', pt]],
      ['bad-value', ['export', pt, '--out', 'OUT', '--format', 'publish']],
      ['bad-safetensors', ['export', file('y.safetensors', '12345678'), '--out', 'OUT']],
      ['option-not-for-task', ['export', pt, '--out', 'OUT', '--encoder', 'x']],
    ];
    for (const [code, words] of cases) {
      const out = join(place, 'out.safetensors');
      const { code: exit, err } =
        await run(argv`treehop ${words.map(word => (word === 'OUT' ? out : word))}
      --json`);
      assert.equal(exit, 2, `${words.join(' ')}: ${err}`);
      const last = JSON.parse(err.slice(err.indexOf('{"error"')));
      assert.equal(last.error.code, code, err);
      assert.ok(!existsSync(out));
    }
  });
});
