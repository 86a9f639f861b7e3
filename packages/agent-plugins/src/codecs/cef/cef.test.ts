import { eventToJsonText, type LogEvent, Timestamp } from '@shoal/agent-event';
import type { PluginContext } from '@shoal/agent-plugin-kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeCodec, type OptionsLiteral, testContext } from '../../plugin-instance.test-support.ts';
import { decodeAll, textOf } from '../codec-text.test-support.ts';

const HEAD = 'CEF:0|Vendor|Product|1.0|42|A name|5|';
const ecs: Partial<PluginContext> = { ecs: 'v8' };

function read(line: string, options: OptionsLiteral = {}, changes: Partial<PluginContext> = {}): LogEvent {
  const [event] = decodeAll(makeCodec('cef', options, testContext(changes)), line);
  if (event === undefined) throw new Error('no event came');
  return event;
}

function plain(event: LogEvent): Record<string, unknown> {
  const { '@timestamp': _, '@version': __, ...fields } = JSON.parse(eventToJsonText(event));
  return fields;
}

describe('a line of CEF', () => {
  test('has its header and its keys as fields', () => {
    expect(
      plain(read(`<1>Jan 2 host ${HEAD}src=10.0.0.1 dpt=80 msg=two words cs1Label=Rule cs1= own_key=x\\=y\n`)),
    ).toEqual({
      syslog: '<1>Jan 2 host',
      cefVersion: '0',
      deviceVendor: 'Vendor',
      deviceProduct: 'Product',
      deviceVersion: '1.0',
      deviceEventClassId: '42',
      name: 'A name',
      severity: '5',
      sourceAddress: '10.0.0.1',
      destinationPort: '80',
      message: 'two words',
      deviceCustomString1Label: 'Rule',
      deviceCustomString1: '',
      own_key: 'x=y',
    });
  });

  test('has them below those of ECS, and its times are times', () => {
    const line = `${HEAD}src=10.0.0.1 dvchost=fw rt=Jul 19 2017 10:50:21.127 dtz=Europe/Moscow start=1500464384997.5 c6a12=::1 slat=1.5`;
    const event = read(line, {}, ecs);
    expect(event.timestamp).toEqual(new Timestamp(Date.UTC(2017, 6, 19, 7, 50, 21, 127)));
    expect(plain(event)).toMatchObject({
      cef: { version: '0', name: 'A name', device_custom_ipv6_address_12: { value: '::1' } },
      observer: { vendor: 'Vendor', product: 'Product', version: '1.0', hostname: 'fw' },
      event: {
        code: '42',
        severity: '5',
        timezone: 'Europe/Moscow',
        start: '2017-07-19T11:39:44.9975Z',
      },
      source: { ip: '10.0.0.1', geo: { location: { lat: '1.5' } } },
    });
    expect(plain(read(`${HEAD}dvchost=fw deviceExternalId=7`, { device: 'host' }, ecs))).toMatchObject({
      host: { name: 'fw', id: '7' },
    });
  });

  test.each([
    [
      'escaped bars and backslashes in the header',
      'CEF:0|a\\|b|c\\\\|1|2|n|3|',
      { deviceVendor: 'a|b', deviceProduct: 'c\\' },
    ],
    ['empty parts', 'CEF:0|||1|2|n|3|k=v', { deviceVendor: '', k: 'v' }],
    ['bars in values', `${HEAD}a=x|y \\| z`, { a: 'x|y \\| z' }],
    ['equals signs that belong to no key', `${HEAD}a=this =has = one\\= b=c`, { a: 'this =has = one=', b: 'c' }],
    ['line ends in values', `${HEAD}a=x\\ny\\rz`, { a: 'x\ny\rz' }],
    ['runs of blanks', `${HEAD}  a=x  y   b=z  `, { a: 'x  y', b: 'z' }],
    ['dots and indexes in keys', `${HEAD}ad.n,1=x ad.f[0]=y ad.f[1]=z`, { 'ad.n,1': 'x', 'ad.f': { 0: 'y', 1: 'z' } }],
    ['quotes around it', `"${HEAD}a=b"`, { a: 'b' }],
    ['an older name', `${HEAD}destinationLatitude=1`, { destinationLatitude: '1' }],
    ['nothing behind the header', HEAD, { severity: '5' }],
  ])('may have %s', (_what, line, fields) => {
    expect(plain(read(line))).toMatchObject(fields);
  });

  test.each([
    ['too few parts', 'CEF:0|a|b|c'],
    ['a value without a key', `${HEAD}no key`],
    ['a line end', `${HEAD}a=b\nc=d`],
    ['a key below another value', `${HEAD}a=b a[0]=c`],
  ])('with %s is a message with a tag', (_what, line) => {
    expect(plain(read(line))).toEqual({ message: line, tags: ['_cefparsefailure'] });
  });

  test('that is not UTF-8, or has a time that is none, is a message with a tag', () => {
    const [event] = makeCodec('cef')
      .decoder()
      .decode(Buffer.concat([Buffer.from(`${HEAD}a=`), Buffer.from([0xff])]));
    expect(event?.hasTag('_cefparsefailure')).toBe(true);
    expect(read(`${HEAD}rt=yesterday`, {}, ecs).hasTag('_cefparsefailure')).toBe(true);
    expect(read(`${HEAD}rt=Jan 02 2026 03:04:05 dtz=Nowhere`, {}, ecs).hasTag('_cefparsefailure')).toBe(true);
  });

  test('is kept as it came when a field is named for it', () => {
    expect(plain(read(`${HEAD}a=b`, { raw_data_field: '[raw]' }))).toMatchObject({ raw: `${HEAD}a=b`, a: 'b' });
  });

  test('ends at the delimiter', () => {
    const codec = makeCodec('cef', { delimiter: '\\r\\n' });
    const events = decodeAll(codec, `${HEAD}a=1\r`, `\n${HEAD}a=2\r\n${HEAD}`, 'a=3');
    expect(events.map((event) => event.fields.get('a'))).toEqual(['1', '2', '3']);
    expect([codec.needsUnits, makeCodec('cef').needsUnits]).toEqual([false, true]);
  });
});

describe('an event', () => {
  const written = (options: OptionsLiteral, fields: OptionsLiteral, changes: Partial<PluginContext> = {}) => {
    const context = testContext(changes);
    return textOf(makeCodec('cef', options, context), context.newEvent(fields));
  };

  test('is written with the header of the options', () => {
    expect(written({}, {})).toBe('CEF:0|Elasticsearch|Logstash|1.0|Logstash|Logstash|6|');
    expect(
      written(
        { vendor: '%{v}', product: 'p\\|q', version: '', signature: 'a\nb', name: 'n', severity: '%{s}' },
        { v: 'x|y', s: 4 },
      ),
    ).toBe('CEF:0|x\\|y|p\\\\\\|q|1.0|a b|n|4|');
  });

  test.each([
    ['11', '6'],
    ['-1', '6'],
    ['5.4', '6'],
    ['7.0', '7'],
    ['high', '6'],
    ['10', '10'],
  ])('with severity %s has severity %s', (severity, expected) => {
    expect(written({ severity }, {})).toMatch(new RegExp(`\\|${expected}\\|$`));
  });

  test('has the fields that are named and there', () => {
    const fields = ['a', 'missing', 'none', '@b-c_d', 'list', 'map', '@timestamp'];
    expect(
      written(
        { fields, delimiter: '\\n' },
        {
          a: 'x=y\\z\r\nw',
          none: null,
          '@b-c_d': 1.5,
          list: ['q'],
          map: { k: true },
          '@timestamp': '2026-01-02T03:04:05Z',
        },
      ).split('|6|')[1],
    ).toBe('a=x\\=y\\\\z\\nw bcd=1.5 list=["q"] map={"k":true} timestamp=2026-01-02T03:04:05.000Z\n');
  });

  test('has full names or short keys, from fields of either naming', () => {
    const legacy = { fields: ['sourceAddress', 'destinationLatitude'] };
    const both = { sourceAddress: '1', destinationLatitude: '2' };
    expect(written(legacy, both)).toMatch(/sourceAddress=1 destinationLatitude=2$/);
    expect(written({ ...legacy, reverse_mapping: true }, both)).toMatch(/src=1 dlat=2$/);
    const current = { fields: ['[source][ip]', '[source][registered_domain]'] };
    const event = { source: { ip: '1', registered_domain: '2' } };
    expect(written(current, event, ecs)).toMatch(/sourceAddress=1 sourceDnsDomain=2$/);
    expect(written({ ...current, reverse_mapping: true }, event, ecs)).toMatch(/src=1 sourceDnsDomain=2$/);
  });

  test('that was read is written as it was', () => {
    const value = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => text.trim() === text && !/[\r\v\f\0]/.test(text));
    fc.assert(
      fc.property(value, value, (first, second) => {
        const codec = makeCodec('cef', { fields: ['a', 'b'], name: '%{n}' });
        const event = testContext().newEvent({ a: first, b: second, n: second });
        const [read] = decodeAll(codec, textOf(codec, event));
        expect([read?.fields.get('a'), read?.fields.get('b')]).toEqual([first, second]);
      }),
    );
  });
});

test('a hostile line takes time in proportion to its length', () => {
  const pieces = ['\\', ' ', 'a.', ' a', '\\|', ' a.b[1]', '=', '" '];
  const lines = pieces.flatMap((piece) => [HEAD + piece.repeat(200_000), piece.repeat(200_000)]);
  expect(lines.flatMap((line) => decodeAll(makeCodec('cef'), line))).toHaveLength(lines.length);
});
