import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EventValue, Timestamp } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeCodec, type OptionsLiteral, temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import { readAvro } from './avro-reader.ts';
import { parseAvroSchema } from './avro-schema.ts';
import { writeAvro } from './avro-writer.ts';

const record = (...fields: readonly unknown[]): string => JSON.stringify({ type: 'record', name: 'Test', fields });
const SIMPLE = record({ name: 'foo', type: ['null', 'string'] }, { name: 'bar', type: 'int' });

async function codecOf(schema: string, options: OptionsLiteral = {}, context = testContext()) {
  const path = join(await temporaryFolder(), 'schema.avsc');
  writeFileSync(path, schema);
  return makeCodec('avro', { schema_uri: path, ...options }, context);
}

describe('the avro codec', () => {
  test.each(['base64', 'binary'])('writes what it reads (%s)', async (encoding) => {
    const codec = await codecOf(SIMPLE, { encoding });
    const bytes = codec.encode(testContext().newEvent({ foo: 'hello', bar: -7, more: true }));
    expect(Buffer.from(bytes).toString(encoding === 'base64' ? 'utf8' : 'hex')).toBe(
      encoding === 'base64' ? 'AgpoZWxsbw0=' : '020a68656c6c6f0d',
    );
    const [event] = codec.decoder().decode(bytes);
    expect([event?.fields.get('foo'), event?.fields.get('bar')]).toEqual(['hello', -7]);
  });

  test('reads bytes where base64 is expected', async () => {
    const [event] = (await codecOf(SIMPLE)).decoder().decode(Buffer.from('020a68656c6c6f0d', 'hex'));
    expect(event?.fields.get('foo')).toBe('hello');
  });

  test('puts fields below a target, and keeps the text under ECS', async () => {
    const codec = await codecOf(SIMPLE, { target: '[document]' }, testContext({ ecs: 'v8' }));
    const [event] = codec.decoder().decode(Buffer.from('AgpoZWxsbw0='));
    expect(event?.fields.get('document')).toEqual(
      new Map<string, EventValue>([
        ['foo', 'hello'],
        ['bar', -7],
      ]),
    );
    expect(event?.fields.get('event')).toEqual(new Map([['original', 'AgpoZWxsbw0=']]));
  });

  test('tags or drops what does not fit', async () => {
    const tagging = await codecOf(SIMPLE, { tag_on_failure: true });
    const [event] = tagging.decoder().decode(Buffer.from('not avro'));
    expect([event?.fields.get('message'), event?.hasTag('_avroparsefailure')]).toEqual(['not avro', true]);
    const context = testContext();
    const dropping = await codecOf(SIMPLE, {}, context);
    expect([dropping.decoder().decode(Buffer.from('not avro')), context.counts.get('failures')]).toEqual([[], 1]);
  });

  test('does not write an event that the schema does not allow', async () => {
    const codec = await codecOf(SIMPLE);
    expect(() => codec.encode(testContext().newEvent({ bar: 'x' }))).toThrow('the event is no record');
    expect(() => codec.encode(testContext().newEvent({ bar: 2 ** 31 }))).toThrow('the event is no record');
  });

  test.each([
    ['http://example.com/a.avsc', 'is not fetched'],
    ['/no/such/file', 'cannot be read'],
  ])('refuses the schema %s', (schema_uri, message) => {
    expect(() => makeCodec('avro', { schema_uri })).toThrow(message);
  });
});

describe('a schema', () => {
  test.each([
    ['{', 'no Avro schema'],
    ['7', '7 is no type'],
    ['"nowhere"', 'not defined'],
    [record({ name: 'a', type: 'Nowhere' }), 'not defined'],
    ['{"type":"enum","name":"E"}', 'no symbols'],
    ['{"type":"fixed","name":"F","size":-1}', 'no size'],
    [record({ name: 'a', type: { type: 'fixed', name: 'Test', size: 1 } }), 'defined twice'],
    [`${'{"type":'.repeat(200)}"int"${'}'.repeat(200)}`, 'nested deeper'],
  ])('%s is refused', (schema, message) => {
    expect(() => parseAvroSchema(schema)).toThrow(message);
  });

  test('may hold itself, by name within its namespace', () => {
    const type = parseAvroSchema(
      '{"type":"record","name":"Node","namespace":"a.b","fields":[{"name":"next","type":["null","Node"]},{"name":"up","type":["null","a.b.Node"]}]}',
    );
    const value = new Map<string, EventValue>([
      [
        'next',
        new Map<string, EventValue>([
          ['next', null],
          ['up', null],
        ]),
      ],
      ['up', null],
    ]);
    expect(readAvro(writeAvro(value, type), type)).toEqual(value);
  });

  test.each([
    ['"boolean"', '01', true],
    ['"long"', 'ffffffffffffffffff01', -9_223_372_036_854_775_808n],
    ['"float"', '0000803f', new DoubleNumber(1)],
    ['"double"', '000000000000e03f', 0.5],
    ['{"type":"bytes"}', '0461c3', 'a\ufffd'],
    ['{"type":"enum","name":"E","symbols":["A","B"]}', '02', 'B'],
    ['{"type":"fixed","name":"F","size":2}', '6162', 'ab'],
    ['{"type":"array","items":"int"}', '01020200', [1]],
    ['{"type":"map","values":"int"}', '02026102 00', new Map([['a', 1]])],
    ['{"type":"long","logicalType":"timestamp-millis"}', 'd00f', new Timestamp(1000)],
    ['{"type":"long","logicalType":"timestamp-micros"}', '02', new Timestamp(0, 1000)],
    ['{"type":"int","logicalType":"date"}', '02', '1970-01-02'],
    ['{"type":"bytes","logicalType":"decimal","scale":2}', '04ff85', -1.23],
  ])('%s reads %s', (schema, hex, value) => {
    expect(readAvro(Buffer.from(hex.replaceAll(' ', ''), 'hex'), parseAvroSchema(schema))).toEqual(value);
  });

  test('gives what an event does not have its default', () => {
    const type = parseAvroSchema(
      record({ name: 'a', type: 'string', default: 'x' }, { name: 'b', type: ['null', 'int'] }),
    );
    expect(readAvro(writeAvro(new Map(), type), type)).toEqual(
      new Map<string, EventValue>([
        ['a', 'x'],
        ['b', null],
      ]),
    );
  });
});

const RICH = parseAvroSchema(
  record(
    { name: 'text', type: 'string' },
    { name: 'long', type: 'long' },
    { name: 'list', type: { type: 'array', items: ['null', 'boolean', 'double'] } },
    { name: 'map', type: { type: 'map', values: { type: 'array', items: 'null' } } },
  ),
);

test('what is written is read again', () => {
  const double = fc.double({ noNaN: true }).map((one) => (Number.isInteger(one) ? new DoubleNumber(one) : one));
  const value = fc
    .record({
      text: fc.string({ unit: 'grapheme' }),
      long: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      list: fc.array(fc.oneof(fc.constant(null), fc.boolean(), double)),
      map: fc.dictionary(fc.string(), fc.array(fc.constant(null))).map((one) => new Map(Object.entries(one))),
    })
    .map(({ long, ...rest }) => ({ ...rest, long: Number.isSafeInteger(Number(long)) ? Number(long) : long }));
  fc.assert(
    fc.property(value, (one) => {
      const event = new Map<string, EventValue>(
        ['text', 'long', 'list', 'map'].map((name) => [name, one[name as keyof typeof one]]),
      );
      expect(readAvro(writeAvro(event, RICH), RICH)).toEqual(event);
    }),
  );
});

test('what anybody sends does no harm', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
      try {
        readAvro(noise, RICH);
      } catch (error) {
        expect(String(error)).toContain('this is no Avro');
      }
    }),
  );
  const nulls = parseAvroSchema('{"type":"array","items":"null"}');
  expect(() => readAvro(Buffer.from('feffffffffff7f00', 'hex'), nulls)).toThrow('too many items');
});
