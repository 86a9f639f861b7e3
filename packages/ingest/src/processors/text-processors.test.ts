import { describe, expect, test } from 'vitest';
import { simulateOne } from '../simulate.test-support.ts';

type Case = readonly [type: string, options: object, text: unknown, result: unknown];

/** Fields beside `m` behind one processor over the text `m`, or why it failed. */
function made(type: string, options: object, text: unknown): unknown {
  const result = simulateOne(type, { field: 'm', ...options }, { m: text });
  if (!result.startsWith('{')) return result;
  const { m: _, ...fields } = JSON.parse(result);
  return fields;
}

const line =
  '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326 "http://x/start" "Mozilla/4.08"';

describe('processors of texts', () => {
  test.each<Case>([
    [
      'grok',
      { patterns: ['%{IP:ip} %{NUMBER:n:int} %{NUMBER:f:float} %{WORD:b:boolean}'] },
      '1.2.3.4 5 1.5 true',
      { ip: '1.2.3.4', n: 5, f: 1.5, b: true },
    ],
    [
      'grok',
      { patterns: ['%{WORD:a} %{WORD:a}', '%{MINE:q.r}'], pattern_definitions: { MINE: '\\d+' } },
      'x y',
      { a: 'x' },
    ],
    ['grok', { patterns: ['%{WORD:a} %{WORD:a}', '(?<q.r>\\d+)'] }, '12', { q: { r: '12' } }],
    ['grok', { patterns: ['(?<w>[a-z]+)', '(?<d>\\d+)'] }, '12 ab', { d: '12' }],
    ['grok', { patterns: ['%{GREEDYDATA:g}'] }, 'a\nb', { g: 'a' }],
    ['grok', { patterns: ['(?m)%{GREEDYDATA:g}'] }, 'a\nb', { g: 'a\nb' }],
    ['grok', { patterns: ['%{NUMBER:n:int}'] }, '1.5', 'For input string: "1.5"'],
    ['grok', { patterns: ['%{IP:ip}'] }, 'x', 'Provided Grok expressions do not match field value: [x]'],
    [
      'grok',
      { patterns: ['^(?<a>(x+x+)+y)$'] },
      'x'.repeat(60),
      'grok pattern matching was interrupted after [1000] ms',
    ],
    ['dissect', { pattern: '%{a} %{+a/2} %{+a/1}', append_separator: '-' }, '1 2 3', { a: '1-3-2' }],
    [
      'dissect',
      { pattern: '[%{l}] %{*p}:%{&p} %{?skip} %{->} %{rest}' },
      '[INFO] id:7 xx yy     z z',
      { l: 'INFO', id: '7', rest: 'z z' },
    ],
    ['dissect', { pattern: '%{a},%{b.c},%{d}' }, '1,,3', { a: '1', b: { c: '' }, d: '3' }],
    ['dissect', { pattern: '%{a},%{b}' }, '1,,,3', { a: '1', b: '' }],
    ['dissect', { pattern: '%{a},%{b};%{c}' }, '1,,2;3', { a: '1', b: '', c: '2;3' }],
    ['dissect', { pattern: '%{a},%{b};%{c}' }, '1,;3', { a: '1', b: '', c: '3' }],
    ['dissect', { pattern: '%{a->},%{b}' }, '1,,,2', { a: '1', b: '2' }],
    ['dissect', { pattern: '%{a} %{+a} %{+a}' }, 'x  z', { a: 'xz' }],
    ['dissect', { pattern: 'x%{a}' }, 'x', 'Unable to find match for dissect pattern: x%{a} against source: x'],
    ['dissect', { pattern: '%{a} %{b}' }, '1', 'Unable to find match for dissect pattern: %{a} %{b} against source: 1'],
    [
      'kv',
      { field_split: '[ &]', value_split: '=', strip_brackets: true, trim_key: '_', trim_value: '"', prefix: 'p.' },
      'a=1 b=(2)&a=3 _c_="x"',
      { p: { a: ['1', '3'], b: '2', c: 'x' } },
    ],
    [
      'kv',
      { field_split: ' ', value_split: '=', target_field: 't', include_keys: ['a', 'b'], exclude_keys: ['b'] },
      'a=1=2 b=2',
      { t: { a: '1=2' } },
    ],
    ['kv', { field_split: ' ', value_split: '=' }, 'a', 'field [m] does not contain value_split [=]'],
    [
      'csv',
      { target_fields: ['a', 'b.c', 'd'], trim: true },
      ' 1 , "x ""y""" ,z',
      { a: '1', b: { c: 'x "y"' }, d: 'z' },
    ],
    ['csv', { target_fields: ['a', 'b', 'c'] }, '1,,3,4', { a: '1', c: '3' }],
    [
      'csv',
      { target_fields: ['a', 'b', 'c'], separator: ';', quote: '|', empty_value: 'E' },
      ' |1;| ;;',
      { a: '1;', b: 'E' },
    ],
    ['csv', { target_fields: ['a'] }, 'a"b', 'Illegal character inside unquoted field at 1'],
    ['csv', { target_fields: ['a'] }, '"ab', 'Unmatched quote'],
    ['csv', { target_fields: ['a'] }, '"a"b', "character 'b' after quoted field at 3"],
    ['gsub', { pattern: '(a)(?<q>b)', replacement: `$2-$1$${'{q}'}\\$`, target_field: 'r' }, 'xab', { r: 'xb-ab$' }],
    ['gsub', { pattern: '\\s*', replacement: '-', target_field: 'r' }, 'a  b', { r: '-a--b-' }],
    [
      'gsub',
      { pattern: '^(x+x+)+y$', replacement: '', target_field: 'r' },
      'x'.repeat(60),
      'the pattern [^(x+x+)+y$] ran longer than 2000ms',
    ],
    ['split', { separator: '\\s+', target_field: 'r' }, ' 1 2  3 ', { r: ['', '1', '2', '3'] }],
    ['split', { separator: ',', target_field: 'r', preserve_trailing: true }, 'a,b,,', { r: ['a', 'b', '', ''] }],
    ['split', { separator: '', target_field: 'r' }, 'abc', { r: ['a', 'b', 'c'] }],
    ['html_strip', { target_field: 'r' }, '<p>a &amp; <b>b</b></p>', { r: '\na & b\n' }],
    [
      'user_agent',
      {},
      'curl/7.58.0',
      { user_agent: { original: 'curl/7.58.0', name: 'curl', version: '7.58.0', device: { name: 'Other' } } },
    ],
    [
      'user_agent',
      { properties: ['os'] },
      'Mozilla/5.0 (iPhone; CPU iPhone OS 13_3_1 like Mac OS X) Version/13.0.5 Safari/604.1',
      { user_agent: { os: { name: 'iOS', version: '13.3.1', full: 'iOS 13.3.1' } } },
    ],
  ])('%s %j makes of %j %j', (type, options, text, result) => {
    expect(made(type, options, text)).toEqual(result);
  });

  test('an Apache line has its parts', () => {
    expect(made('grok', { patterns: ['%{COMBINEDAPACHELOG}'] }, line)).toMatchObject({
      ...{ clientip: '127.0.0.1', auth: 'frank', verb: 'GET', request: '/a.gif', response: '200', bytes: '2326' },
    });
  });

  test.each([
    [
      'grok',
      { patterns: ['%{NOPE:a}'] },
      "Invalid regex pattern found in: [%{NOPE:a}]. Unable to find pattern [NOPE] in Grok's pattern dictionary",
    ],
    ['grok', { patterns: [] }, '[patterns] List of patterns must not be empty'],
    ['grok', { patterns: ['(('] }, '[patterns] Invalid regex pattern found in: [((]'],
    ['dissect', { pattern: 'abc' }, 'Unable to find any keys or delimiters.'],
    ['dissect', { pattern: '%{*a} %{b}' }, "Found invalid key/reference associations: 'a'"],
    ['csv', { target_fields: ['a'], separator: ';;' }, '[separator] separator has to be single character like , or ;'],
    ['gsub', { pattern: '(', replacement: '' }, '[pattern] Invalid regex pattern.'],
    ['user_agent', { properties: ['x'] }, '[properties] illegal property value [x]. valid values are [NAME, MAJOR, '],
    [
      'user_agent',
      { regex_file: 'x.yml' },
      "processor [user_agent] doesn't support one or more provided configuration parameters [regex_file]",
    ],
  ])('%s %j is refused', (type, options, reason) => {
    expect(() => made(type, options, '')).toThrow(reason);
  });
});

describe('date', () => {
  const date = (options: object, value: unknown) =>
    (made('date', options, value) as Record<string, unknown>)['@timestamp'] ?? made('date', options, value);

  test.each([
    [{ formats: ['ISO8601'] }, '2020-01-02T03:04:05+02:00', '2020-01-02T01:04:05.000Z'],
    [{ formats: ['UNIX'] }, 1577934245.25, '2020-01-02T03:04:05.250Z'],
    [{ formats: ['UNIX_MS'], timezone: 'America/New_York' }, '1577934245123', '2020-01-01T22:04:05.123-05:00'],
    [{ formats: ['TAI64N'] }, '@4000000050d506482dbdf024', '2012-12-22T01:00:46.767Z'],
    [{ formats: ['dd/MM/yyyy HH:mm'], timezone: 'Europe/Paris' }, '02/07/2020 10:11', '2020-07-02T10:11:00.000+02:00'],
    [{ formats: ['dd MMM yyyy'], locale: 'fr' }, '02 mars 2020', '2020-03-02T00:00:00.000Z'],
    [{ formats: ['dd MMMM yyyy'], locale: 'de-DE' }, '02 Dezember 2020', '2020-12-02T00:00:00.000Z'],
    [{ formats: ['yyyy'], output_format: 'dd.MM.yy' }, '2020', '01.01.20'],
    [{ formats: ['ISO8601', 'UNIX_MS'] }, 'x', 'unable to parse date [x]'],
    [{ formats: ['ISO8601'], timezone: 'nope' }, '2020-01-01', 'unable to parse date [2020-01-01]'],
  ])('%j reads %j as %s', (options, value, result) => {
    expect(date(options, value)).toBe(result);
  });

  test('without a year is of this one', () => {
    const year = new Date().getUTCFullYear();
    expect(date({ formats: ['MMM dd HH:mm:ss'] }, 'Jan 02 03:04:05')).toBe(`${year}-01-02T03:04:05.000Z`);
  });

  test('names the index of a document', () => {
    const options = { field: 'd', date_rounding: 'M', index_name_prefix: '{{p}}-' };
    const named = simulateOne('date_index_name', options, { d: '2016-04-25T12:02:01.789Z', p: 'logs' });
    expect(JSON.parse(named)._index).toBe('<logs-{2016-04-25||/M{yyyy-MM-dd|UTC}}>');
  });
});
