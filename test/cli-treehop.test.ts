/** Tests `multihop treehop`: import and export of checkpoints. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { mulberry32 } from '../src/core/mulberry32.ts';
import { readSafetensors } from '../src/models/safetensors/safetensors.ts';
import { readCheckpoint } from '../src/models/tree-hop/checkpoint.ts';
import { initialParameters } from '../src/models/tree-hop/parameters.ts';
import { argv, freshFolder, printed, run, succeeds } from './running-command.ts';
import { torchModel } from './torch-file.ts';

describe('import and export', () => {
  const parameters = initialParameters({ d: 3, g: 4, m: 5, nMlp: 1, heads: 2 }, mulberry32(1));
  const read = (path: string) => readCheckpoint(new Uint8Array(readFileSync(path))).parameters;

  test('reads a state dict of PyTorch, writes the published layout, and reads it again', async () => {
    const at = (name: string): string => join(folder, name);
    const folder = freshFolder();
    const [ours, back, copy] = [at('ours'), at('back'), at('copy')] as const;
    writeFileSync(at('m.pt'), torchModel(parameters));
    const imported = await printed(
      argv`treehop import ${at('m.pt')} --out ${ours} --encoder BAAI/bge-m3`,
    );
    assert.equal(imported.provenance['encoder'], 'BAAI/bge-m3');
    assert.deepEqual(read(ours), parameters);
    await succeeds(argv`treehop export ${ours} --out ${at('published')} --format published`);
    const [config, model] = [at('published/config.json'), at('published/model.safetensors')];
    assert.deepEqual(readdirSync(at('published')).sort(), ['config.json', 'model.safetensors']);
    const sizes = { x_size: 3, g_size: 4, mlp_size: 5, n_mlp: 1, dropout: 0, n_head: 2 };
    assert.deepEqual(JSON.parse(readFileSync(config, 'utf8')), sizes);
    const { tensors } = readSafetensors(new Uint8Array(readFileSync(model)));
    assert.deepEqual([...tensors.keys()], [...parameters.tensors.keys()]);
    const again = await succeeds(argv`treehop import ${model} --out ${back}`);
    assert.match(again.err, /for which embedder .* no run takes it .*--encoder NAME/s);
    assert.deepEqual(read(back), parameters);
    await succeeds(argv`treehop export ${ours} --out ${copy}`);
    assert.deepEqual(readFileSync(copy), readFileSync(ours));
  });

  const place = freshFolder();
  const file = (name: string, bytes: Uint8Array | string): string => {
    writeFileSync(join(place, name), bytes);
    return join(place, name);
  };
  const pt = file('m.pt', torchModel(parameters));
  mkdirSync(join(place, 'a'));
  const wrong = file('a/config.json', JSON.stringify({ x_size: 7 }));
  for (const [code, ...words] of [
    ['missing-file', 'import', join(place, 'none.pt'), '--out', 'OUT'],
    ['bad-config', 'import', pt, '--config', wrong, '--out', 'OUT'],
    ['bad-json', 'import', pt, '--config', file('c.json', '{'), '--out', 'OUT'],
    ['bad-config', 'import', pt, '--config', file('d.json', '[]'), '--out', 'OUT'],
    ['bad-safetensors', 'import', file('x.safetensors', 'no'), '--out', 'OUT'],
    ['bad-zip', 'import', file('x.pt', 'PK and no more'), '--out', 'OUT'],
    ['missing-option', 'import', pt],
    ['missing-argument', 'import', '--out', 'OUT'],
    ['file-exists', 'import', pt, '--out', pt],
    ['bad-value', 'export', pt, '--out', 'OUT', '--format', 'publish'],
    ['bad-safetensors', 'export', file('y.safetensors', '12345678'), '--out', 'OUT'],
    ['option-not-for-task', 'export', pt, '--out', 'OUT', '--encoder', 'x'],
  ] as const)
    test(`${words.map(word => basename(word)).join(' ')} is refused as ${code}, and nothing is written`, async () => {
      const out = join(place, 'out.safetensors');
      const line = words.map(word => (word === 'OUT' ? out : word));
      const result = await run(['treehop', ...line, '--json']);
      assert.equal(result.code, 2, result.err);
      const { error } = JSON.parse(result.err.slice(result.err.indexOf('{"error"')));
      assert.equal(error.code, code, result.err);
      assert.ok(!existsSync(out));
    });
});
