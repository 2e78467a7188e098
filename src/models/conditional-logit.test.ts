/** Tests the shares of candidates by hand, as of sections. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sectionLogit } from './section-reader/section-checkpoint.ts';

const weights = { clause: 1, whole: 2, names: 0, form: 3, default: -1, found: 0.125, verdict: 0 };
const NONE = { clause: 0, whole: 0, names: 0, form: 0, default: 0, found: 0, verdict: 0 };

test('shares are those of a softmax with the case that none is right', () => {
  assert.deepEqual(sectionLogit.shares({ weights, none: 0 }, [NONE]), [0.5]);
  assert.deepEqual(sectionLogit.shares({ weights, none: 0 }, []), []);
  const [low, high] = sectionLogit.shares({ weights, none: 0 }, [NONE, { ...NONE, form: 1 }]);
  assert.ok(Math.abs(high! / low! - Math.exp(3)) < 1e-9);
  assert.ok(low! + high! < 1);
});
