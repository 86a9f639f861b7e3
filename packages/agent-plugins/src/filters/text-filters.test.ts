import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { csvFilter } from './csv/csv.ts';
import { dissectFilter } from './dissect/dissect.ts';
import { runFilter } from './filter-outcome.test-support.ts';
import { jsonFilter } from './json/json.ts';
import { kvFilter } from './kv/kv.ts';
import { splitFilter } from './split/split.ts';
import { xmlFilter } from './xml/xml.ts';

type Fields = Record<string, unknown>;

describe('fields of the text at the top of the event', () => {
  test.each([
    [jsonFilter, { source: 'm' }],
    [kvFilter, {}],
    [csvFilter, {}],
  ])('$name says so once under ECS', async (definition, options) => {
    const log = createRecordingLog();
    const runtime = createNodeRuntime({ log });
    await runFilter(definition, options, {}, { ecs: 'v8', runtime });
    await runFilter(definition, { ...options, target: 't' }, {}, { ecs: 'v8', runtime });
    await runFilter(definition, options, {}, { runtime });
    expect(log.lines.map((line) => line.level)).toEqual(['info']);
  });
});

describe('json', () => {
  const json = (options: Fields, fields: Fields) => runFilter(jsonFilter, { source: 'm', ...options }, fields);
  test('an object goes into the root and overwrites, or below a target', async () => {
    expect((await json({}, { m: '{"a":{"b":[1,null]},"c":2}', c: 1 })).event).toMatchObject({
      a: { b: [1, null] },
      c: 2,
    });
    expect((await json({ target: '[x][y]' }, { m: '[1]' })).event).toEqual({ m: '[1]', x: { y: [1] } });
  });
  test('integers beyond 2^53 and whole floats keep their kind', async () => {
    const event = eventOf({ m: '{"n":9223372036854775807,"f":1.0}' });
    await makeFilter(jsonFilter, { source: 'm' }).run(event);
    expect(event.fields.get('n')).toBe(9223372036854775807n);
    expect(String(event.fields.get('f'))).toBe('1.0');
  });
  test('what is no JSON, or no object without a target, is tagged; nothing or empty is nothing', async () => {
    expect((await json({}, { m: '{' })).event).toEqual({ m: '{', tags: ['_jsonparsefailure'] });
    expect((await json({}, { m: '[1]' })).event.tags).toEqual(['_jsonparsefailure']);
    expect((await json({ skip_on_invalid_json: true }, { m: '{' })).event).toEqual({ m: '{' });
    expect((await json({}, { m: '' })).outcome).toBe('unmatched');
    expect((await json({}, {})).event).toEqual({});
  });
  test('@timestamp is read as a time', async () => {
    expect((await json({}, { m: '{"@timestamp":"2026-01-02T03:04:05Z"}' })).event['@timestamp']).toBe(
      '2026-01-02T03:04:05.000Z',
    );
    expect((await json({}, { m: '{"@timestamp":"soon"}' })).event).toMatchObject({
      '_@timestamp': 'soon',
      tags: ['_timestampparsefailure'],
    });
  });
});

describe('kv', () => {
  const kv = async (message: unknown, options: Fields = {}) => {
    const { event, outcome } = await runFilter(kvFilter, options, { message });
    const { message: _, ...rest } = event;
    return outcome === 'unmatched' ? { outcome, ...rest } : rest;
  };
  test.each([
    ['a=1 b=2', {}, { a: '1', b: '2' }],
    ['a = 1 b= 2', {}, { a: '1', b: '2' }],
    ['a="x y" b=\'z w\' c=(p q) d=[r s] e=<t u>', {}, { a: 'x y', b: 'z w', c: 'p q', d: 'r s', e: 't u' }],
    ['a=[x', {}, { a: '[x' }],
    ['a=1&b=2?c=3', { field_split: '&?' }, { a: '1', b: '2', c: '3' }],
    ['a:1 b:2', { value_split: ':' }, { a: '1', b: '2' }],
    ['a==>1::b==>2', { field_split_pattern: '::', value_split_pattern: '==>' }, { a: '1', b: '2' }],
    ['a=1 a=2 a=2', {}, { a: ['1', '2', '2'] }],
    ['a=1 a=2 a=2', { allow_duplicate_values: false }, { a: ['1', '2'] }],
    ['a= b=1', { whitespace: 'strict', allow_empty_values: true }, { a: '', b: '1' }],
    ['a=1 b=2', { include_keys: ['a'], prefix: 'p_' }, { p_a: '1' }],
    ['a=1 b=2', { exclude_keys: ['a'] }, { b: '2' }],
    ['<A>=(x) b=<y>', { trim_key: '<>', transform_key: 'lowercase', transform_value: 'uppercase' }, { a: 'X', b: 'Y' }],
    ['a=x-y', { remove_char_value: '-' }, { a: 'xy' }],
    ['a="b=1 c=2" d=3', { recursive: true }, { a: { b: '1', c: '2' }, d: '3' }],
    ['a=x\\ y b=1', {}, { a: 'x\\ y', b: '1' }],
    ['a=1', { target: 't', default_keys: { z: '9' } }, { t: { a: '1', z: '9' } }],
  ])('%s with %j', async (message, options, expected) => expect(await kv(message, options)).toEqual(expected));
  test('no pair is no match and no tag', async () => {
    expect(await kv('hello')).toEqual({ outcome: 'unmatched' });
    expect(await kv(5)).toEqual({ outcome: 'unmatched' });
  });
});

describe('csv', () => {
  const csv = async (message: string, options: Fields = {}) => {
    const { event } = await runFilter(csvFilter, options, { message });
    const { message: _, ...rest } = event;
    return rest;
  };
  test.each([
    ['a,b', {}, { column1: 'a', column2: 'b' }],
    ['1,"x ""y"", z",3', { columns: ['a', 'b'] }, { a: '1', b: 'x "y", z', column3: '3' }],
    ['1,2', { columns: ['a'], autogenerate_column_names: false }, { a: '1' }],
    ['1,,3', { columns: ['a', 'b', 'c'], skip_empty_columns: true }, { a: '1', c: '3' }],
    ['1;2', { separator: ';', target: 't' }, { t: { column1: '1', column2: '2' } }],
    [
      '1,x,TRUE',
      { columns: ['a', 'b', 'c'], convert: { a: 'integer', b: 'integer', c: 'boolean' } },
      { a: 1, b: 'x', c: true },
    ],
    [
      '2026-01-02,1.5',
      { columns: ['d', 'f'], convert: { d: 'date', f: 'float' } },
      { d: '2026-01-02T00:00:00.000Z', f: 1.5 },
    ],
    ['a,"b', {}, { tags: ['_csvparsefailure'] }],
    [' ', { skip_empty_rows: true }, { tags: ['_csvskippedemptyfield'] }],
  ])('%j with %j', async (message, options, expected) => expect(await csv(message, options)).toEqual(expected));
  test('the first line may name the columns, and a header is dropped', async () => {
    const filter = makeFilter(csvFilter, { autodetect_column_names: true });
    expect((await filter.run(eventOf({ message: 'x,y' }))).events).toEqual([]);
    const event = eventOf({ message: '1,2' });
    await filter.run(event);
    expect([event.fields.get('x'), event.fields.get('y')]).toEqual(['1', '2']);
    expect((await runFilter(csvFilter, { columns: ['a', 'b'], skip_header: true }, { message: 'a,b' })).events).toEqual(
      [],
    );
  });
});

describe('dissect', () => {
  const dissect = async (mapping: string, m: string, options: Fields = {}) => {
    const { event } = await runFilter(dissectFilter, { mapping: { m: mapping }, ...options }, { m });
    const { m: _, ...rest } = event;
    return rest;
  };
  test.each([
    ['%{a} %{b}', '1 2 3', { a: '1', b: '2 3' }],
    ['[%{a}] %{?skip} %{} %{b}', '[x] y z w', { a: 'x', b: 'w' }],
    ['%{a->} %{b}', '1    2', { a: '1', b: '2' }],
    ['%{a},%{b},%{c}', '1,,3', { a: '1', b: '', c: '3' }],
    ['%{ts} %{+ts} %{+ts} %{m2}', 'Jan 2 03:04 x', { ts: 'Jan 2 03:04', m2: 'x' }],
    ['%{+a/2} %{+a/1} %{b}', '1 2 3', { a: '2 1', b: '3' }],
    ['%{?k}=%{&k}', 'name=v', { name: 'v' }],
    ['%{[x][y]}-%{z}', '1-2', { x: { y: '1' }, z: '2' }],
    ['a%{b}', 'xa1', { tags: ['_dissectfailure'] }],
    ['%{a} %{b}', 'nothing', { tags: ['_dissectfailure'] }],
    ['%{a}', '', { tags: ['_dissectfailure'] }],
  ])('%s on %j', async (mapping, text, expected) => expect(await dissect(mapping, text)).toEqual(expected));
  test('converts and refuses what cannot be', async () => {
    expect(await dissect('%{a} %{b}', '12 1.5', { convert_datatype: { a: 'int', b: 'float' } })).toEqual({
      a: 12,
      b: 1.5,
    });
    await expect(dissect('%{+&a} %{b}', 'x')).rejects.toThrow('cannot both append and be indirect');
  });
});

describe('split', () => {
  test('makes an event of each part; the original goes', async () => {
    const { events } = await runFilter(splitFilter, { add_tag: ['part'] }, { message: 'a\n\nb', x: 1 });
    expect(events).toEqual([
      { message: 'a', x: 1, tags: ['part'] },
      { message: 'b', x: 1, tags: ['part'] },
    ]);
    const items = await runFilter(splitFilter, { field: 'l', target: 'i' }, { l: [{ a: 1 }, 2] });
    expect(items.events).toEqual([
      { l: [{ a: 1 }, 2], i: { a: 1 } },
      { l: [{ a: 1 }, 2], i: 2 },
    ]);
  });
  test('one part stays one event; another kind is tagged', async () => {
    expect((await runFilter(splitFilter, {}, { message: 'a' })).events).toEqual([{ message: 'a' }]);
    expect((await runFilter(splitFilter, {}, { message: 5 })).event).toEqual({
      message: 5,
      tags: ['_split_type_failure'],
    });
  });
});

describe('xml', () => {
  const xml = (m: string, options: Fields) => runFilter(xmlFilter, { source: 'm', ...options }, { m });
  test('attributes are keys, text is content, children are arrays', async () => {
    const { event } = await xml('<r a="1"><b>x</b><b c="2">y</b><e/></r>', { target: 't' });
    expect(event.t).toEqual({ a: '1', b: ['x', { c: '2', content: 'y' }] });
    expect((await xml('<r><b>x</b></r>', { target: 't', force_array: false })).event.t).toEqual({ b: 'x' });
  });
  test('XPath gives arrays of texts', async () => {
    const options = { store_xml: false, xpath: { '/r/b/text()': 'b', '/r/@a': 'a', 'count(//b)': 'n' } };
    expect((await xml('<r a="1"><b>x</b><b>y</b></r>', options)).event).toMatchObject({
      b: ['x', 'y'],
      a: ['1'],
      n: ['2'],
    });
    const named = { store_xml: false, namespaces: { p: 'urn:x' }, xpath: { '//p:b/text()': 'b' } };
    expect((await xml('<r xmlns:q="urn:x"><q:b>1</q:b></r>', named)).event).toMatchObject({ b: ['1'] });
    const bare = { store_xml: false, remove_namespaces: true, xpath: { '//b/text()': 'b' } };
    expect((await xml('<q:r xmlns:q="urn:x"><q:b>1</q:b></q:r>', bare)).event).toMatchObject({ b: ['1'] });
  });
  test('what can be mended is read for XPath alone, and refused when the parser is to be strict', async () => {
    const paths = { store_xml: false, xpath: { '//b/text()': 'b' } };
    const loose = '<r><b a=1>x</b></r>';
    expect((await xml(loose, paths)).event).toMatchObject({ b: ['x'] });
    expect((await xml(loose, { ...paths, parse_options: 'strict' })).event.tags).toEqual(['_xmlparsefailure']);
    expect((await xml('<r><b>x</b></r>', { ...paths, parse_options: 'strict' })).event).toMatchObject({ b: ['x'] });
  });
  test('what is no XML is tagged', async () => {
    expect((await xml('<r><b></r>', { target: 't' })).event.tags).toEqual(['_xmlparsefailure']);
  });
});
