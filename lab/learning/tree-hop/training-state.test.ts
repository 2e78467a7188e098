/** A training run as a file: every number to the bit, and what is no such file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { readSafetensors, writeSafetensors } from '../../../src/models/safetensors/safetensors.ts';
import { writeCheckpoint } from '../../../src/models/tree-hop/checkpoint.ts';
import { initialParameters } from '../../../src/models/tree-hop/parameters.ts';
import { TreeHopTrainer } from './trainer.ts';
import { readTrainingState, writeTrainingState } from './training-state.ts';

const shape = { d: 3, g: 4, m: 5, nMlp: 2, heads: 2 };
const parameters = initialParameters(shape, mulberry32(1));
test('refuses other files than training states', () => {
  const bytes = writeTrainingState({
    parameters,
    optimiser: new TreeHopTrainer(parameters).state(),
    notes: {},
  });
  const { metadata, tensors } = readSafetensors(bytes);
  const changed = (change: Record<string, string>, leaveOut = ''): Uint8Array =>
    writeSafetensors({
      metadata: { ...metadata, ...change },
      tensors: new Map([...tensors].filter(([name]) => name !== leaveOut)),
    });
  assert.throws(() => readTrainingState(writeCheckpoint({ parameters, provenance: {} })), {
    code: 'bad-training-state',
    received: 'treehop',
  });
  for (const step of ['', '-1', '1.5', 'x', '9'.repeat(20)])
    assert.throws(() => readTrainingState(changed({ step })), {
      code: 'bad-training-state',
      message: /steps/,
    });
  const moment = 'adamw.second.node.update_attn_scale.weight';
  assert.throws(() => readTrainingState(changed({}, moment)), {
    code: 'not-tree-hop',
    message: /update_attn_scale.weight/,
  });
});
