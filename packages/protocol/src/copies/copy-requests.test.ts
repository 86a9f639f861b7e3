import { isShoalError } from '@shoal/core';
import type { CopyResponse } from '@shoal/replication';
import { type HistoryOperation, RequestToken } from '@shoal/shard-api';
import { createMessageCodec, type WireBody } from '@shoal/transport';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { damage, nullable, overTheWire } from '../documents/message-arbitraries.test-support.ts';
import { COPY_MESSAGE } from './copy-message.ts';
import { type CopyCall, readCopyCall, readCopyResponse, writeCopyCall, writeCopyResponse } from './copy-requests.ts';

const number = fc.integer({ min: 0, max: 2 ** 40 });
const checkpoint = fc.integer({ min: -1, max: 2 ** 40 });
const text = fc.string({ maxLength: 20, unit: 'grapheme' });
const name = fc.stringMatching(/^[A-Za-z0-9_.]{1,20}$/);
const TERM = 7;

const origin = fc.record({
  token: fc.integer({ min: 1, max: 2 ** 31 }).map((word) => new RequestToken([word, 2, 3])),
  position: fc.integer({ min: 0, max: 1000 }),
  result: nullable(fc.constantFrom('created' as const, 'deleted' as const)),
});
const numbered = { seqNo: number, primaryTerm: fc.integer({ min: 1, max: TERM }) };
const document = { ...numbered, version: number, id: text, origin: nullable(origin) };
const operation: fc.Arbitrary<HistoryOperation> = fc.oneof(
  fc.record({
    kind: fc.constant('index' as const),
    ...document,
    routing: nullable(text),
    source: fc.uint8Array({ maxLength: 30 }),
  }),
  fc.record({ kind: fc.constant('delete' as const), ...document }),
  fc.record({ kind: fc.constant('noop' as const), ...numbered, reason: text }),
);
const operations = fc
  .uniqueArray(operation, { maxLength: 8, selector: ({ seqNo }) => seqNo })
  .map((list) => list.sort((a, b) => a.seqNo - b.seqNo));
const leases = fc
  .array(fc.tuple(text, fc.record({ retaining: number, awaySinceMs: nullable(number) })), { maxLength: 4 })
  .map((entries) => new Map(entries));
const file = fc.record({ name, bytes: number, chunks: fc.integer({ min: 1, max: 9 }), checksum: text });
const commit = fc.record({
  through: checkpoint,
  files: fc.array(file, { maxLength: 4 }),
  recentWrites: nullable(fc.uint8Array({ maxLength: 30 })),
});
const term = fc.constant(TERM);

const call: fc.Arbitrary<CopyCall> = fc.oneof(
  fc
    .record({
      kind: fc.constant('replicate' as const),
      term,
      globalCheckpoint: checkpoint,
      operations,
      trimAbove: nullable(checkpoint),
      leases: nullable(leases),
      waitsForSync: fc.boolean(),
    })
    .map((request) => ({ request, chunk: null })),
  fc
    .record({
      kind: fc.constant('startRecovery' as const),
      term,
      target: text,
      historyUuid: nullable(text),
      startingSeqNo: nullable(number),
      files: fc.array(file, { maxLength: 4 }),
    })
    .map((request) => ({ request, chunk: null })),
  fc.record({
    request: fc.record({ kind: fc.constant('recoveryChunk' as const), term, file: name, chunk: number }),
    chunk: fc.uint8Array({ maxLength: 50 }),
  }),
  fc
    .record({ kind: fc.constant('installFiles' as const), term, commit, historyUuid: text })
    .map((request) => ({ request, chunk: null })),
  fc
    .record({ kind: fc.constant('finalizeRecovery' as const), term, globalCheckpoint: checkpoint })
    .map((request) => ({ request, chunk: null })),
  fc.record({ kind: fc.constant('endRecovery' as const), term }).map((request) => ({ request, chunk: null })),
);

const response: fc.Arbitrary<CopyResponse> = fc.oneof(
  fc.record({ kind: fc.constant('copied' as const), localCheckpoint: checkpoint, globalCheckpoint: checkpoint }),
  fc.constant({ kind: 'taken' as const }),
  fc.constant({ kind: 'delayed' as const }),
  fc.record({ kind: fc.constant('installed' as const), isSound: fc.boolean() }),
  fc.record({
    kind: fc.constant('refused' as const),
    reason: fc.constantFrom('termTooOld' as const, 'notHere' as const),
    term: number,
  }),
);

const target = { index: 'i', indexUuid: 'u', shard: 3, allocationId: 'a', stateVersion: 9 };
const codec = createMessageCodec();

/** Through the frame of the channel between nodes, inside the message that names the copy. */
function delivered(sent: WireBody): WireBody {
  const body = COPY_MESSAGE.writeRequest({ target, mappingVersion: 4, call: sent });
  const decoded = codec.decode(codec.encode(body.message));
  if (decoded.kind === 'fault') throw new Error(decoded.reason);
  const received = COPY_MESSAGE.readRequest(overTheWire({ message: decoded.value, sections: body.sections ?? [] }));
  expect(received).toMatchObject({ target, mappingVersion: 4 });
  return received.call;
}

describe('a message between copies of a shard', () => {
  test('arrives as it was sent', () => {
    fc.assert(
      fc.property(call, response, (sent, answered) => {
        expect(readCopyCall(delivered(writeCopyCall(sent)))).toEqual(sent);
        expect(readCopyResponse(delivered(writeCopyResponse(answered)))).toEqual(answered);
      }),
      { numRuns: 300 },
    );
  });

  test('that is damaged is refused in words or read within limits, and never crashes', () => {
    const refusal = (read: () => unknown): unknown => {
      try {
        read();
        return null;
      } catch (error) {
        return error;
      }
    };
    fc.assert(
      fc.property(call, response, fc.nat(), (sent, answered, choice) => {
        const errors = [
          refusal(() => readCopyCall(damage(writeCopyCall(sent), choice))),
          refusal(() => readCopyResponse(damage(writeCopyResponse(answered), choice))),
        ];
        for (const error of errors) {
          if (error !== null && !isShoalError(error)) throw error;
          if (error !== null) expect(error).toMatchObject({ status: 400 });
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each(['../../etc/passwd', 'a/b', '', 'x'.repeat(101), 'a\0b'])('names no file %j', (file) => {
    const message = { kind: 'recoveryChunk', term: 1, file, chunk: 0 };
    expect(() => readCopyCall({ message, sections: [new Uint8Array(1)] })).toThrow('file');
  });

  test('brings operations by ascending number, none of them of a newer term than its primary', () => {
    const noop = (seqNo: number, primaryTerm: number) => ({ kind: 'noop', seqNo, primaryTerm, reason: '' }) as const;
    const of = (...list: readonly HistoryOperation[]): CopyCall => ({
      request: {
        kind: 'replicate',
        term: 2,
        globalCheckpoint: -1,
        operations: list,
        trimAbove: null,
        leases: null,
        waitsForSync: true,
      },
      chunk: null,
    });
    expect(() => readCopyCall(writeCopyCall(of(noop(1, 2), noop(1, 2))))).toThrow('ascending');
    expect(() => readCopyCall(writeCopyCall(of(noop(1, 3))))).toThrow('newer term');
    expect(readCopyCall(writeCopyCall(of(noop(1, 1), noop(2, 2)))).request).toMatchObject({ term: 2 });
  });

  test('with files of a version that sends no recent writes has none of them', () => {
    const message = { kind: 'installFiles', term: 3, commit: { through: 7, files: [] }, historyUuid: 'h' };
    expect(readCopyCall({ message }).request).toMatchObject({ commit: { through: 7, recentWrites: null } });
  });

  test('has recent writes within a limit', () => {
    const commit = { through: 7, files: [], recentWrites: new Uint8Array(2 * 1024 * 1024 + 1) };
    const message = { kind: 'installFiles', term: 3, commit, historyUuid: 'h' };
    expect(() => readCopyCall({ message })).toThrow('2097152');
  });

  test('has a piece of a file of at most a mebibyte', () => {
    const message = { kind: 'recoveryChunk', term: 1, file: 'f', chunk: 0 };
    expect(() => readCopyCall({ message, sections: [new Uint8Array(1024 * 1024 + 1)] })).toThrow('1048576');
  });
});
