import { ShoalError } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PackedOperations, packOperations } from './packed-operations.ts';
import { PackedResults } from './packed-results.ts';
import type { WriteOperation } from './write-operation.ts';
import type { WriteResult } from './write-result.ts';

const number = fc.option(fc.nat(), { nil: null });
const routing = fc.option(fc.string({ unit: 'grapheme', maxLength: 5 }), { nil: null });
const conditions = fc.oneof(
  fc.constant({ ifSeqNo: null, ifPrimaryTerm: null, version: null, versionType: 'internal' as const }),
  fc.record({
    ifSeqNo: number,
    ifPrimaryTerm: number,
    version: number,
    versionType: fc.constantFrom('internal' as const, 'external' as const, 'external_gte' as const),
  }),
);
const common = { id: fc.string({ unit: 'grapheme', maxLength: 8 }), routing, conditions };
const bytes = fc.uint8Array({ maxLength: 20 });
const document = {
  kind: fc.constant('index' as const),
  opType: fc.constantFrom('index' as const, 'create' as const),
  isAutoId: fc.boolean(),
  source: bytes,
  ...common,
};
const templates = fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), { noNullPrototype: true });
const operation: fc.Arbitrary<WriteOperation> = fc.oneof(
  fc.record(document),
  fc.record({ ...document, templates }),
  fc.record({ kind: fc.constant('delete' as const), ...common }),
  fc.record({ kind: fc.constant('update' as const), body: bytes, ...common }),
);
const result: fc.Arbitrary<WriteResult> = fc.oneof(
  fc.record({
    kind: fc.constant('done' as const),
    result: fc.constantFrom('created', 'updated', 'deleted', 'not_found', 'noop'),
    version: fc.nat(),
    seqNo: fc.nat(),
    primaryTerm: fc.nat(),
    source: fc.option(bytes, { nil: null }),
  }),
  fc.constant({ kind: 'failed' as const, error: new ShoalError('x', 400, 'y') }),
);

describe('packed operations', () => {
  test('are the operations that were packed, wherever their bytes begin', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 10 }), fc.nat(8), (operations, offset) => {
        const packed = packOperations(operations);
        const moved = new Uint8Array(packed.bytes.length + offset);
        moved.set(packed.bytes, offset);
        const read = PackedOperations.read(moved.subarray(offset));
        expect([...read]).toEqual(operations);
        expect(read.at(operations.length)).toBeUndefined();
      }),
    );
  });

  test('that are damaged are refused in words, or read within their bytes', () => {
    fc.assert(
      fc.property(
        fc.array(operation, { minLength: 1, maxLength: 6 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
        fc.nat(),
        (operations, changes, cut) => {
          const whole = packOperations(operations).bytes.slice();
          for (const [at, byte] of changes) whole[at % whole.length] = byte;
          const damaged = cut % 2 === 0 ? whole : whole.slice(0, cut % whole.length);
          try {
            expect([...PackedOperations.read(damaged)].length).toBeLessThanOrEqual(damaged.length);
          } catch (error) {
            expect(error).toMatchObject({ type: 'malformed_message_exception', status: 400 });
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('packed results', () => {
  test('are the results that were put in', () => {
    fc.assert(
      fc.property(fc.array(result, { maxLength: 20 }), fc.nat(20), (results, split) => {
        const packed = PackedResults.of(results.slice(0, split));
        packed.append(PackedResults.of(results.slice(split)));
        expect([...packed]).toEqual(results);
        expect(packed.errors.size).toBe(results.filter(({ kind }) => kind === 'failed').length);
      }),
    );
  });

  test('that could not be made durable are failures; what changed nothing is not', () => {
    const done = { kind: 'done', version: 1, seqNo: 0, primaryTerm: 1, source: null } as const;
    const packed = PackedResults.of([
      { ...done, result: 'noop' },
      { ...done, result: 'not_found' },
    ]);
    expect(packed.hasWritten).toBe(true);
    packed.failWritten(new ShoalError('translog_exception', 500, 'broken'));
    expect(packed.map(({ kind }) => kind)).toEqual(['done', 'failed']);
    expect(packed.hasWritten).toBe(false);
  });
});
