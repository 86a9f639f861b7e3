/**
 * Random messages for property tests: what a coordinator or a data node may send.
 */
import { ShoalError } from '@shoal/core';
import type { FetchedHit, SortColumn, WriteOperation, WriteResult } from '@shoal/shard-api';
import type { WireBody } from '@shoal/transport';
import fc from 'fast-check';
import type { ShardTarget } from './shard-target.ts';

const wholeNumber: fc.Arbitrary<number> = fc.integer({ min: 0, max: 2 ** 31 });
const text: fc.Arbitrary<string> = fc.string({ maxLength: 20, unit: 'grapheme' });
export const bytes: fc.Arbitrary<Uint8Array> = fc.uint8Array({ maxLength: 50 });
export const nullable = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null });

export const target: fc.Arbitrary<ShardTarget> = fc.record({
  index: text,
  indexUuid: text,
  shard: fc.integer({ min: 0, max: 1023 }),
  allocationId: fc.string({ minLength: 1 }),
  stateVersion: wholeNumber,
});

const conditions = fc.record({
  ifSeqNo: nullable(wholeNumber),
  ifPrimaryTerm: nullable(wholeNumber),
  version: nullable(wholeNumber),
  versionType: fc.constantFrom('internal' as const, 'external' as const, 'external_gte' as const),
});

export const operation: fc.Arbitrary<WriteOperation> = fc.oneof(
  fc.record({
    kind: fc.constant('index' as const),
    opType: fc.constantFrom('index' as const, 'create' as const),
    id: text,
    routing: nullable(text),
    isAutoId: fc.boolean(),
    source: bytes,
    conditions,
  }),
  fc.record({ kind: fc.constant('delete' as const), id: text, routing: nullable(text), conditions }),
  fc.record({ kind: fc.constant('update' as const), id: text, routing: nullable(text), body: bytes, conditions }),
);

const error: fc.Arbitrary<ShoalError> = fc
  .record({ type: text, reason: nullable(text), status: fc.integer({ min: 400, max: 599 }) })
  .map(({ type, reason, status }) => new ShoalError(type, status, reason, { metadata: { index: 'i' } }));

export const result: fc.Arbitrary<WriteResult> = fc.oneof(
  fc.record({
    kind: fc.constant('done' as const),
    result: fc.constantFrom('created', 'updated', 'deleted', 'not_found', 'noop'),
    version: wholeNumber,
    seqNo: wholeNumber,
    primaryTerm: wholeNumber,
    source: nullable(bytes),
  }),
  fc.record({ kind: fc.constant('failed' as const), error }),
);

export const hit: fc.Arbitrary<FetchedHit> = fc.record({
  id: text,
  routing: nullable(text),
  version: wholeNumber,
  seqNo: wholeNumber,
  primaryTerm: wholeNumber,
  source: nullable(bytes),
  storedApart: nullable(bytes),
  ignored: nullable(bytes),
  fields: nullable(bytes),
  ignoredValues: nullable(bytes),
  highlight: nullable(bytes),
  matchedQueries: nullable(bytes),
  innerHits: nullable(bytes),
  explanation: nullable(fc.record({ isMatch: fc.boolean(), tree: bytes })),
});

/** A column of `count` entries. */
export function column(count: number): fc.Arbitrary<SortColumn> {
  const length = { minLength: count, maxLength: count };
  return fc.oneof(
    fc.float32Array(length).map((values) => ({ kind: 'score' as const, values })),
    fc.float64Array(length).map((values) => ({ kind: 'double' as const, values })),
    fc.float64Array(length).map((values) => ({ kind: 'integer' as const, values })),
    fc.bigInt64Array(length).map((values) => ({ kind: 'bigint' as const, values })),
    fc.array(nullable(text), length).map((values) => stringColumn(values)),
  );
}

function stringColumn(values: readonly (string | null)[]): SortColumn {
  const encoded = values.map((value) => new TextEncoder().encode(value ?? ''));
  const offsets = new Uint32Array(values.length + 1);
  encoded.forEach((part, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + part.length;
  });
  return {
    kind: 'string',
    shown: 'text',
    offsets,
    bytes: Uint8Array.from(encoded.flatMap((part) => [...part])),
    missing: Uint8Array.from(values, (value) => (value === null ? 1 : 0)),
  };
}

/**
 * A message after it crossed the wire: other objects, no undefined, every section at an odd offset of a larger buffer so that
 * each typed array is misaligned.
 */
export function overTheWire(body: WireBody): WireBody {
  return { message: structuredClone(body.message), sections: (body.sections ?? []).map(misaligned) };
}

function misaligned(section: Uint8Array): Uint8Array {
  const around = new Uint8Array(section.byteLength + 9);
  around.set(section, 1);
  return around.subarray(1, 1 + section.byteLength);
}

/** A body with one thing changed, cut or replaced. */
export function damage(body: WireBody, choice: number): WireBody {
  const sections = [...(body.sections ?? [])];
  switch (choice % 6) {
    case 0:
      return { message: body.message, sections: sections.slice(1) };
    case 1:
      return { message: body.message, sections: [...sections, new Uint8Array(8)] };
    case 2:
      return { message: body.message, sections: sections.map((section) => section.subarray(1)) };
    case 3:
      return { message: body.message, sections: sections.map((section) => section.map((byte) => byte ^ 0xff)) };
    case 4:
      return { message: scramble(body.message, choice), sections };
    default:
      return { message: [null, 'text', 7, [], { target: [] }][choice % 5], sections };
  }
}

function scramble(message: unknown, choice: number): unknown {
  if (typeof message !== 'object' || message === null || ArrayBuffer.isView(message)) {
    return [-1, Number.NaN, 'x'.repeat(9), null, new Uint8Array(3), 2 ** 60][choice % 6];
  }
  const keys = Object.keys(message);
  const chosen = keys[choice % Math.max(keys.length, 1)];
  const entries = Object.entries(message).map(([key, value]) => [
    key,
    key === chosen ? scramble(value, choice >> 1) : value,
  ]);
  return Array.isArray(message) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
