import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { Output, type Sink } from './output.ts';

const outputTo = (stdout: Sink): Output =>
  new Output({ stdout, stderr: stdout, env: {}, json: false, quiet: false, verbose: false });

test('waits for a slow reader of stdout, and not for a closed one', async () => {
  let most = 0;
  const slow = new Writable({
    highWaterMark: 100,
    write(_, __, done) {
      most = Math.max(most, this.writableLength);
      setImmediate(done);
    },
  });
  const output = outputTo(slow);
  for (let line = 0; line < 50; line++) {
    output.line('x'.repeat(60));
    await output.taken();
  }
  assert.ok(most > 0 && most < 250, `${most} characters waited`);
  const gone = new Writable({ highWaterMark: 1, write: (_, __, done) => done(new Error('EPIPE')) });
  gone.on('error', () => {});
  outputTo(gone).line('x');
  await outputTo(gone).taken();
  await outputTo({ write: () => {} }).taken();
});
