/** Sizes, names and initialisation of TreeHop's parameters. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mulberry32 } from '../../core/mulberry32.ts';
import { elementsOf, type Tensor } from '../safetensors/tensor.ts';
import { initialParameters, treeHopParameters } from './parameters.ts';
import { parameterCount, publishedShape, tensorShapes } from './shape.ts';

test('the published model: 21 tensors and 25,192,448 parameters; its proportions at other sizes', () => {
  const shapes = tensorShapes(publishedShape(1024));
  assert.equal(shapes.length, 21);
  assert.deepEqual(
    [0, 1, 6, 8, 18, 20].map(index => `${shapes[index]!.name} ${shapes[index]!.shape}`),
    [
      'node.update_gate.heads.0.W_Q.weight 2048,1024',
      'node.update_gate.heads.0.W_Q.bias 2048',
      'node.update_gate.heads.0.mlp.layers.0.linear.weight 2048,2048',
      'node.update_gate.heads.0.mlp.layers.0.layer_norm.weight 2048',
      'node.update_gate.heads.0.mlp_scale.weight 2048,2048',
      'node.update_attn_scale.weight 1024,2048',
    ],
  );
  // The published tensors and their shapes.
  assert.deepEqual(
    [1024, 768, 512, 384].map(d => parameterCount(publishedShape(d))),
    [25_192_448, 14_175_744, 6_304_768, 3_548_928],
  );
});

test('names maps by gate and blocks, and concatenates heads', () => {
  const names = tensorShapes({ d: 2, g: 3, m: 4, nMlp: 1, heads: 2 }).map(
    ({ name, shape }) => `${name.replace('node.update_', '')} ${shape}`,
  );
  assert.equal(names.length, 2 * 14 + 1);
  assert.deepEqual(names.slice(6, 12), [
    'gate.heads.0.mlp.layers.0.weight 4,3',
    'gate.heads.0.mlp.layers.0.bias 4',
    'gate.heads.0.mlp.layers.1.linear.weight 4,4',
    'gate.heads.0.mlp.layers.1.linear.bias 4',
    'gate.heads.0.mlp.layers.1.layer_norm.weight 4',
    'gate.heads.0.mlp.layers.1.layer_norm.bias 4',
  ]);
  assert.equal(names.at(-1), 'attn_scale.weight 2,6');
});

test('initialisation: uniform in one over the root of the inputs, norms 1 and 0, the same for a seed', () => {
  const shape = { d: 40, g: 60, m: 50, nMlp: 1, heads: 1 };
  const { tensors } = initialParameters(shape, mulberry32(7));
  assert.deepEqual(initialParameters(shape, mulberry32(7)).tensors, tensors);
  assert.notDeepEqual(initialParameters(shape, mulberry32(8)).tensors, tensors);
  const inputs = [
    ['W_Q.weight', 40],
    ['W_V.bias', 40],
    ['mlp.layers.0.weight', 60],
    ['mlp.layers.0.bias', 60],
    ['linear.weight', 50],
    ['mlp_scale.bias', 50],
    ['update_attn_scale.weight', 60],
  ] as const;
  for (const [end, width] of inputs) {
    const data = [...tensors].find(([name]) => name.endsWith(end))![1];
    const [least, most] = [Math.min(...data), Math.max(...data)];
    const reach = 1 / Math.sqrt(width);
    assert.ok(
      most <= reach && most > 0.85 * reach && least >= -reach && least < -0.85 * reach,
      `${end} ${least} to ${most} of ${reach}`,
    );
  }
  for (const [name, data] of tensors)
    if (name.includes('layer_norm'))
      assert.ok(data.every(value => value === (name.endsWith('weight') ? 1 : 0)));
  const small = initialParameters(shape, mulberry32(7), 0.1).tensors.get(
    'node.update_attn_scale.weight',
  )!;
  assert.ok(Math.max(...small) <= 0.1 / Math.sqrt(60) && Math.max(...small) > 0);
  // A power of two: the same digits. All that is not W_V is what it was.
  const large = initialParameters(shape, mulberry32(7), 1, 64).tensors;
  for (const [name, data] of initialParameters(shape, mulberry32(7)).tensors)
    assert.deepEqual(
      large.get(name),
      name.includes('W_V') ? data.map(value => 64 * value) : data,
      name,
    );
});

const tensorsOf = (shape: Parameters<typeof tensorShapes>[0]): Map<string, Tensor> =>
  new Map(
    tensorShapes(shape).map(({ name, shape: lengths }) => [
      name,
      { shape: lengths, data: new Float32Array(elementsOf(lengths)) },
    ]),
  );

test('reads sizes from the tensors', () => {
  for (const shape of [
    publishedShape(6),
    { d: 3, g: 4, m: 5, nMlp: 2, heads: 3 },
    { d: 3, g: 4, m: 4, nMlp: 0, heads: 1 },
  ]) {
    const { d, g, m, nMlp, heads } = treeHopParameters(tensorsOf(shape));
    assert.deepEqual({ d, g, m, nMlp, heads }, shape);
  }
});

test('refuses invalid tensors by name', () => {
  const shape = { d: 3, g: 4, m: 5, nMlp: 1, heads: 1 };
  const gate = 'node.update_gate.heads.0.';
  const wrong: readonly (readonly [(tensors: Map<string, Tensor>) => void, RegExp])[] = [
    [tensors => tensors.clear(), /W_Q.weight" is missing/],
    [tensors => tensors.delete(`${gate}W_K.bias`), /W_K.bias" is missing/],
    [
      tensors => tensors.delete('node.update_attn_scale.weight'),
      /update_attn_scale.weight" is missing/,
    ],
    [tensors => tensors.set('more', { shape: [1], data: new Float32Array(1) }), /"more" is none/],
    [
      tensors => tensors.set(`${gate}W_K.weight`, { shape: [3, 4], data: new Float32Array(12) }),
      /\[4, 3\].*\[3, 4\]/,
    ],
    [
      tensors => tensors.set(`${gate}W_Q.weight`, { shape: [12], data: new Float32Array(12) }),
      /a matrix/,
    ],
    [
      tensors => (tensors.get(`${gate}W_V.bias`)!.data[2] = Number.NaN),
      /W_V.bias": expected finite numbers, received NaN at 2/,
    ],
  ];
  for (const [change, message] of wrong) {
    const tensors = tensorsOf(shape);
    change(tensors);
    assert.throws(() => treeHopParameters(tensors), { code: 'not-tree-hop', message });
  }
  for (const d of [0, 1.5, -1, Number.NaN, 1e9])
    assert.throws(() => tensorShapes({ ...shape, d }), { code: 'bad-shape', message: /"d"/ });
});
