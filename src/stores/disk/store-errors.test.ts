/** Tests that any errno of a disk becomes an error of the disk. */
import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { test } from 'node:test';
import fc from 'fast-check';
import { InputError, PortError } from '../../core/errors.ts';
import { errno } from '../../platform/errno.ts';
import { readFailure, STORE_CODES, writeFailure } from './store-errors.ts';

const failure = (fields: object): Error => Object.assign(new Error('write failed'), fields);
/** Returns an error as Node reports an errno that libuv has no name for. */
const unnamed = (number: number): Error =>
  failure({ errno: -number, code: `Unknown system error -${number}`, syscall: 'write' });

test('an errno that libuv does not name has its name of the platform', () => {
  assert.equal(errno(unnamed(constants.errno.EDQUOT)), 'EDQUOT');
  assert.equal(errno(unnamed(4095)), 'errno 4095');
  assert.equal(errno(failure({ code: 'ENOSPC', errno: -28, syscall: 'write' })), 'ENOSPC');
  assert.equal(errno(failure({ code: 'ERR_INVALID_ARG_TYPE' })), '');
  assert.equal(errno(new TypeError('a bug')), '');
});

test('an exceeded quota is a full disk', () => {
  const error = writeFailure('/store', unnamed(constants.errno.EDQUOT)) as PortError;
  assert.ok(PortError.is(error));
  assert.deepEqual([error.code, error.retryable], ['store-full', true]);
});

test('every errno becomes a PortError with a code, a hint and the cause', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4095 }), fc.boolean(), (number, hasCode) => {
      const cause = hasCode
        ? failure({ errno: -number, code: `EX${number}`, syscall: 'write' })
        : unnamed(number);
      for (const error of [writeFailure('/store', cause), readFailure('/store/x', cause)]) {
        assert.ok(PortError.is(error), String(error));
        assert.ok([4, 5].includes(STORE_CODES[error.code]!), error.code);
        assert.ok(error.hint !== undefined && error.hint.length > 0);
        assert.equal(error.cause, cause);
        assert.equal(typeof error.retryable, 'boolean');
      }
    }),
  );
});

test('bugs and typed errors are unchanged', () => {
  for (const error of [
    new TypeError('a bug'),
    new InputError('bad', 'Bad'),
    new PortError('store', 'store-full', 'Full'),
  ]) {
    assert.equal(writeFailure('/store', error), error);
    assert.equal(readFailure('/store/x', error), error);
  }
});
