import { type EventMap, type EventValue, Timestamp } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';
import fc from 'fast-check';
import { Packr, Unpackr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { CUT_OFF, MsgpackReader } from './msgpack-reader.ts';
import { writeMsgpack } from './msgpack-writer.ts';

const text = fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 40 }));
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n });

/** Values that MessagePack can hold as they are. */
const { value: anyValue } = fc.letrec<{ value: EventValue; map: EventMap }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    text,
    fc.maxSafeInteger(),
    fc.integer({ min: -200, max: 70_000 }),
    int64.map((one) => (Number.isSafeInteger(Number(one)) ? Number(one) : one)),
    fc.double().map((one) => (Number.isInteger(one) ? new DoubleNumber(one) : one)),
    fc.integer().map((one) => new DoubleNumber(one)),
    fc.array(tie('value'), { maxLength: 20 }),
    tie('map'),
  ),
  map: fc.array(fc.tuple(text, tie('value')), { maxLength: 20 }).map((pairs) => new Map(pairs)),
}));

const read = (bytes: Uint8Array): EventValue | typeof CUT_OFF => new MsgpackReader(bytes).next();

describe('msgpack', () => {
  test('every value comes back in its kind', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(read(writeMsgpack(value))).toEqual(value);
      }),
    );
  });

  test('a value cut off anywhere is waited for', () => {
    fc.assert(
      fc.property(anyValue, fc.nat(), (value, at) => {
        const bytes = writeMsgpack(value);
        expect(read(bytes.subarray(0, at % bytes.length))).toBe(CUT_OFF);
      }),
    );
  });

  test('any bytes are read, waited for, or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          read(bytes);
        } catch (error) {
          expect(error).toMatchObject({ type: 'illegal_argument_exception' });
        }
      }),
    );
  });

  test('other readers and writers understand it', () => {
    const other = new Unpackr({ useRecords: false, mapsAsObjects: false, int64AsType: 'bigint' });
    const writer = new Packr({ useRecords: false, variableMapSize: true });
    const plain = (value: unknown): unknown => {
      if (value instanceof DoubleNumber) return plain(value.value);
      // The other writer makes an integer of it, which has no sign.
      if (Object.is(value, -0)) return 0;
      if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
      if (Array.isArray(value)) return value.map(plain);
      return value instanceof Map ? new Map([...value].map(([name, item]) => [name, plain(item)])) : value;
    };
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(plain(other.unpack(writeMsgpack(value)))).toEqual(plain(value));
        expect(plain(read(writer.pack(plain(value))))).toEqual(plain(value));
      }),
    );
  });

  test.each([
    ['a float that is whole', new DoubleNumber(1), 'cb3ff0000000000000'],
    ['an integer', 1, '01'],
    ['a time, as text', new Timestamp(0), 'b8313937302d30312d30315430303a30303a30302e3030305a'],
    ['an integer beyond 64 bits, as text', 2n ** 64n, 'b43138343436373434303733373039353531363136'],
  ])('%s', (_what, value, hex) => {
    expect(Buffer.from(writeMsgpack(value)).toString('hex')).toBe(hex);
  });

  test.each([
    ['32 bits of seconds', 'd6ff00000001', new Timestamp(1000)],
    ['64 bits with nanoseconds', 'd7ff00000004 00000001', new Timestamp(1000, 1)],
    ['96 bits, before 1970', 'c70cff 00000001 ffffffffffffffff', new Timestamp(-1000, 1)],
    ['a float of 32 bits', 'ca3f800000', new DoubleNumber(1)],
    ['bytes, as text', 'c40161', 'a'],
  ])('reads %s', (_what, hex, value) => {
    expect(read(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toEqual(value);
  });

  test.each(['c1', 'd40100', 'c702ff0000'])('refuses %s', (hex) => {
    expect(() => read(Buffer.from(hex, 'hex'))).toThrow('this is no MessagePack');
  });
});
