/**
 * TreeHop's update: test vectors of PyTorch in float64, the float64 oracle, both kernels to the
 * bit.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  asFloats,
  fillF,
  oracleUpdate,
  relativeError,
  type Tensors,
  vectorV,
} from '../../../test/oracles/tree-hop-oracle.ts';
import { mulberry32 } from '../../core/mulberry32.ts';
import { initialParameters, LN_EPS, type TreeHopParameters } from './parameters.ts';
import {
  parameterCount,
  publishedShape,
  TREE_HOP_VARIANTS,
  type TreeHopShape,
  tensorShapes,
} from './shape.ts';
import { prepareTreeHop, update } from './tree-hop.ts';

const TINY: TreeHopShape = { d: 4, g: 8, m: 8, nMlp: 3, heads: 1 };
const parametersOf = (shape: TreeHopShape, tensors: Tensors): TreeHopParameters => ({
  ...shape,
  lnEps: LN_EPS,
  tensors: asFloats(tensors),
});
const floats = (values: readonly number[]): Float32Array => Float32Array.from(values);
const near = (actual: ArrayLike<number>, expected: ArrayLike<number>, most: number): void => {
  const error = relativeError(actual, expected);
  assert.ok(error <= most, `relative error ${error}`);
};

const q = vectorV(4, 1.0, 0.3);
const c = vectorV(4, 2.0, 1.1);
/** Computed by PyTorch in float64. */
const H = [0.18473738374494086, 3.0664837503544216, 3.500125806056344, -0.17166544298986353];

test('PyTorch in float64: the oracle gives every intermediate value', () => {
  near(
    q,
    [0.23386786465223053, 0.7625376884970113, 0.5901338781603623, -0.12483629821510799],
    1e-14,
  );
  near(
    c,
    [0.6029786360877821, 0.02813290401901935, -0.6263934741085808, 0.4932104213491008],
    1e-14,
  );
  const { softmax, t0, afterBlocks, y, h } = oracleUpdate(TINY, fillF(TINY), q, c);
  const expected = {
    softmax: [
      0.12236125273665617, 0.12541850431275728, 0.12740843262571228, 0.12017572027109986,
      0.12799805435172035, 0.12611742205683152, 0.12830367915557342, 0.12221693448964904,
    ],
    t0: [
      0.017736792240613062, -0.02772934212860613, -0.021053278460462524, -0.04520937992239962,
      0.018658219107857452, 0.018335595967644475, 0.04179419375176795, 0.01834739197067506,
    ],
    afterBlocks: [
      0.5356074460432314, -0.02772934212860613, -0.021053278460462524, -0.04520937992239962,
      2.3999716828912976, 4.266685152308425, 2.807878461818507, 0.29863123180273254,
    ],
    y: [
      -1.7765684150775083, -1.7156484813325934, -0.27442783678612764, 1.3340904266483313,
      1.9437945785428536, 0.9736908616518511, -0.7240502910709351, -1.8649927505074395,
    ],
  };
  near(softmax[0]!, expected.softmax, 1e-12);
  near(t0[0]!, expected.t0, 1e-12);
  near(afterBlocks[0]!, expected.afterBlocks, 1e-12);
  near(y, expected.y, 1e-12);
  near(h, H, 1e-12);
});

test('PyTorch in float64: the update, the update of the update, and neither with another epsilon or a normalised state', () => {
  const model = prepareTreeHop(parametersOf(TINY, fillF(TINY)));
  near(model.update(floats(q), floats(c)), H, 2e-6);
  const second = oracleUpdate(TINY, fillF(TINY), H, vectorV(4, 0.7, -0.4)).h;
  const recurrent = [0.9742721896974977, 4.876304886162115, 4.846035409745651, -0.533466979007834];
  near(second, recurrent, 1e-12);
  near(model.update(floats(H), floats(vectorV(4, 0.7, -0.4))), recurrent, 2e-6);
  const wrongEpsilon = [
    0.18621137831598833, 3.072650616679824, 3.5061550539565025, -0.17049650754386092,
  ];
  near(oracleUpdate(TINY, fillF(TINY), q, c, 'full', 1e-12).h, wrongEpsilon, 1e-9);
  assert.ok(relativeError(model.update(floats(q), floats(c)), wrongEpsilon) > 1e-3);
});

test('PyTorch in float64: two heads, a gate that differs from the blocks', () => {
  const shape = { d: 4, g: 6, m: 5, nMlp: 2, heads: 2 };
  const h = [0.008972745361562506, 1.1596008793197936, 0.6731872008002663, -0.8320683327893406];
  assert.equal(parameterCount(shape), 530);
  near(oracleUpdate(shape, fillF(shape), q, c).h, h, 1e-12);
  near(update(parametersOf(shape, fillF(shape)), floats(q), floats(c)), h, 2e-6);
});

test('PyTorch in float64: the published size', () => {
  const shape = publishedShape(1024);
  const tensors = new Map(
    tensorShapes(shape).map(({ name, shape: lengths }, t) => {
      const data = new Float32Array(lengths.reduce((product, each) => product * each, 1));
      const scale = 1 / Math.sqrt(lengths.at(-1)!);
      const isScale = name.endsWith('layer_norm.weight');
      for (let j = 0; j < data.length; j++) {
        const v = Math.sin(1.7 * t + 0.9 * j + 0.5);
        data[j] = isScale ? 1 + 0.1 * v : scale * v;
      }
      return [name, data];
    }),
  );
  const h = update(
    { ...shape, lnEps: LN_EPS, tensors },
    floats(vectorV(1024, 1.0, 0.3)),
    floats(vectorV(1024, 2.0, 1.1)),
  );
  near(
    h.subarray(0, 4),
    [-0.08691767178344173, -0.32450820895707033, 0.5799779135638964, -0.29126998665382686],
    2e-6,
  );
  near(
    [Math.hypot(...h), h.reduce((sum, value) => sum + value, 0)],
    [11.647752985274268, -0.1747663670666172],
    2e-6,
  );
});

test('PyTorch in float64: the update of the first passage of the loop', () => {
  const shape = { d: 8, g: 16, m: 16, nMlp: 3, heads: 1 };
  const tensors = fillF(shape);
  const output = tensorShapes(shape).at(-1)!.name;
  tensors.set(
    output,
    tensors.get(output)!.map(value => 0.15 * value),
  );
  const first = Array.from({ length: 8 }, (_, j) => Math.sin(0.7 * j ** 2));
  const passage = first.map(value => value / Math.hypot(...first));
  near(
    update(parametersOf(shape, tensors), floats(vectorV(8, 1.0, 0.3)), floats(passage)),
    [
      0.13011715124133316, -0.06259622638860929, 0.2650654321912955, 0.005471851696692759,
      0.004770227264581095, 0.17189932250213205, 0.12341181770438521, 0.21090533517260426,
    ],
    2e-6,
  );
});

const shape$: fc.Arbitrary<TreeHopShape> = fc.record({
  d: fc.integer({ min: 1, max: 19 }),
  g: fc.integer({ min: 1, max: 19 }),
  m: fc.integer({ min: 1, max: 19 }),
  nMlp: fc.integer({ min: 0, max: 3 }),
  heads: fc.integer({ min: 1, max: 3 }),
});
const vectors = (random: () => number, length: number): Float32Array =>
  Float32Array.from({ length }, () => 2 * random() - 1);
const listed = (parameters: TreeHopParameters): Tensors =>
  new Map([...parameters.tensors].map(([name, data]) => [name, [...data]]));

test('equals the oracle for any shape and variant, with equal bits of both kernels', () => {
  fc.assert(
    fc.property(
      shape$,
      fc.integer({ min: 1, max: 9 }),
      fc.nat(),
      fc.constantFrom(...TREE_HOP_VARIANTS),
      (shape, rows, seed, variant) => {
        const random = mulberry32(seed);
        const parameters = initialParameters(shape, random);
        const [queries, passages] = [
          vectors(random, rows * shape.d),
          vectors(random, rows * shape.d),
        ];
        const fast = prepareTreeHop(parameters, { variant, mode: 'fast' });
        const together = fast.update(queries, passages);
        assert.deepEqual(
          together,
          prepareTreeHop(parameters, { variant, mode: 'plain' }).update(queries, passages),
        );
        for (let row = 0; row < rows; row++) {
          const [from, end] = [row * shape.d, (row + 1) * shape.d];
          const [query, passage, h] = [queries, passages, together].map(all =>
            all.subarray(from, end),
          ) as [Float32Array, Float32Array, Float32Array];
          assert.deepEqual(fast.update(query, passage), h);
          // h is a sum whose terms may cancel each other: it is as exact as the largest of them
          // allows, not as its own size.
          const { h: exact, y } = oracleUpdate(
            shape,
            listed(parameters),
            [...query],
            [...passage],
            variant,
          );
          const size = [...exact, ...y, ...query, ...passage].reduce(
            (most, value) => Math.max(most, Math.abs(value)),
            0,
          );
          for (const [i, value] of exact.entries())
            assert.ok(Math.abs(h[i]! - value) <= 5e-6 * size, `${h[i]} for ${value}`);
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('computes more rows than one block holds', () => {
  const random = mulberry32(3);
  const model = prepareTreeHop(initialParameters(publishedShape(12), random));
  const [queries, passages] = [vectors(random, 130 * 12), vectors(random, 130 * 12)];
  const all = model.update(queries, passages);
  const last = model.update(queries.subarray(129 * 12), passages.subarray(129 * 12));
  assert.deepEqual(all.subarray(129 * 12), last);
  assert.equal(model.update(new Float32Array(0), new Float32Array(0)).length, 0);
});

test('refuses invalid input by name', () => {
  const model = prepareTreeHop(initialParameters(TINY, mulberry32(1)));
  assert.throws(() => model.update(new Float32Array(5), new Float32Array(4)), {
    code: 'wrong-dimensions',
    message: /queries/,
  });
  assert.throws(() => model.update(new Float32Array(4), new Float32Array(6)), {
    code: 'wrong-dimensions',
    message: /passages/,
  });
  assert.throws(() => model.update(new Float32Array(4), new Float32Array(8)), {
    code: 'wrong-dimensions',
    received: '2',
  });
});
