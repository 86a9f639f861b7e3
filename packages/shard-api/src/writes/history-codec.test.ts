import { ByteSink } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeOperation, HistoryPacker, operationBytesMax, packHistory, unpackHistory } from './history-codec.ts';
import type { HistoryOperation } from './history-operation.ts';
import { RequestToken } from './request-token.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const word = fc.integer({ min: 1, max: 0xffff_ffff });
const origin = fc.option(
  fc.record({
    token: fc.tuple(word, word, word).map((words) => new RequestToken(words)),
    position: fc.integer({ min: 0, max: 0xffff_ffff }),
    result: fc.option(fc.constantFrom('created', 'updated', 'deleted', 'not_found'), { nil: null }),
  }),
  { nil: null },
);
const numbers = {
  seqNo: fc.maxSafeNat(),
  primaryTerm: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
};
const written = { ...numbers, version: fc.maxSafeNat(), id: text, origin };
const operation: fc.Arbitrary<HistoryOperation> = fc.oneof(
  fc.record({
    kind: fc.constant('index'),
    ...written,
    routing: fc.option(text, { nil: null }),
    source: fc.uint8Array({ maxLength: 40 }),
  }),
  fc.record({ kind: fc.constant('delete'), ...written }),
  fc.record({ kind: fc.constant('noop'), ...numbers, reason: text }),
);

const encoded = (one: HistoryOperation): Uint8Array => {
  const sink = new ByteSink();
  encodeOperation(sink, one);
  return sink.copy();
};

describe('a list of operations for another copy', () => {
  test('is read as it was packed, wherever its bytes begin', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 10 }), fc.nat(8), (operations, offset) => {
        const packed = packHistory(operations);
        const moved = new Uint8Array(packed.length + offset);
        moved.set(packed, offset);
        expect(unpackHistory(moved.subarray(offset))).toEqual(operations);
      }),
    );
  });

  test('is the same of operations and of the bytes that the log has of them', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 10 }), (operations) => {
        const packer = new HistoryPacker();
        for (const one of operations) packer.addEncoded(encoded(one));
        expect([packer.count, packer.byteLength]).toEqual([operations.length, packHistory(operations).length]);
        expect(packer.finish()).toEqual(packHistory(operations));
      }),
    );
  });

  test('takes no more room than is reckoned with', () => {
    fc.assert(
      fc.property(operation, (one) => {
        expect(encoded(one).length).toBeLessThanOrEqual(operationBytesMax(one));
      }),
    );
  });

  test('that is damaged is refused in words, or read as operations that a primary may have made', () => {
    fc.assert(
      fc.property(
        fc.array(operation, { minLength: 1, maxLength: 6 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
        fc.nat(),
        (operations, changes, cut) => {
          const whole = packHistory(operations).slice();
          for (const [at, byte] of changes) whole[at % whole.length] = byte;
          check(cut % 2 === 0 ? whole : whole.slice(0, cut % whole.length));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('of any bytes at all is refused in words, or read as such', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(8), (bytes, count) => {
        check(bytes);
        // A count that is believed leads further in.
        check(new Uint8Array([count, 0, 0, 0, ...bytes]));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['names more operations than its bytes can hold', [0xff, 0xff, 0xff, 0x7f], /names 2147483647 operations/],
    ['goes on behind its last operation', [0, 0, 0, 0, 1], /has 1 bytes behind the last/],
    ['ends in its count', [1, 0], /cut off/],
  ])('that %s is refused', (_, bytes, reason) => {
    expect(() => unpackHistory(new Uint8Array(bytes))).toThrow(reason);
  });

  test.each([
    ['a number that is none', { seqNo: -1, primaryTerm: 1 }],
    ['a number that is not whole', { seqNo: 0.5, primaryTerm: 1 }],
    ['a number beyond what can be counted', { seqNo: 2 ** 53, primaryTerm: 1 }],
    ['no term', { seqNo: 0, primaryTerm: 0 }],
  ])('with %s is refused', (_, numbers) => {
    const list = packHistory([{ kind: 'noop', ...numbers, reason: '' }]);
    expect(() => unpackHistory(list)).toThrow(/has an operation \[/);
  });
});

/** Whatever the bytes are, it is one of the two. */
function check(bytes: Uint8Array): void {
  try {
    for (const { seqNo, primaryTerm } of unpackHistory(bytes)) {
      expect(Number.isSafeInteger(seqNo) && seqNo >= 0 && primaryTerm >= 1).toBe(true);
    }
  } catch (error) {
    expect(error).toMatchObject({ type: 'malformed_message_exception', status: 400 });
  }
}
