import { isShoalError } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { mergeMapping, parseMapping } from './mapping-parser.ts';
import { checkedRuntimeMappings, withRuntimeFields } from './runtime-section.ts';

function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isShoalError(error)) return error.reason ?? '';
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the section of a mapping', () => {
  test('is stored with its scripts in full', () => {
    expect(mergeMapping({}, { runtime: { a: { type: 'long', script: 'emit(1)' }, b: { type: 'keyword' } } })).toEqual({
      runtime: { a: { type: 'long', script: { source: 'emit(1)', lang: 'painless' } }, b: { type: 'keyword' } },
    });
  });

  test('replaces a field by one of its name, and null takes it away', () => {
    const before = { runtime: { a: { type: 'long', script: 'emit(1)' }, b: { type: 'ip' } } };
    expect(mergeMapping(before, { runtime: { a: { type: 'keyword' } } }).runtime).toEqual({
      a: { type: 'keyword' },
      b: { type: 'ip' },
    });
    expect(mergeMapping(before, { runtime: { a: null } }).runtime).toEqual({ b: { type: 'ip' } });
    expect(mergeMapping(before, { runtime: { a: null, b: null } })).toEqual({});
  });

  test('may make several fields by one script', () => {
    const fields = { ip: { type: 'ip' }, at: { type: 'date', format: 'yyyy' } };
    const script = { source: 'emit(params)', lang: 'painless', params: { ip: '::1' } };
    const runtime = { c: { type: 'composite', script, fields } };
    expect(mergeMapping({}, { runtime })).toEqual({ runtime });
    const mapping = parseMapping({ runtime });
    expect(mapping.field('c')).toBeNull();
    expect(mapping.field('c.ip')).toMatchObject({ kind: 'ip', path: 'c.ip', runtime: { script, part: 'ip' } });
    expect(mapping.field('c.at')).toMatchObject({ kind: 'date', format: 'yyyy', runtime: { part: 'at' } });
  });

  test('hides a field of the properties from searches, not from documents', () => {
    const mapping = parseMapping({ properties: { a: { type: 'text' } }, runtime: { a: { type: 'long' } } });
    expect(mapping.field('a')).toMatchObject({ kind: 'long', runtime: { script: null } });
    expect(mapping.fields.get('a')).toMatchObject({ kind: 'text', runtime: null });
  });
});

describe('the section of a search', () => {
  test('lies over that of the mapping, which stays as it is', () => {
    const base = parseMapping({
      properties: { t: { type: 'text' } },
      runtime: { a: { type: 'long' }, b: { type: 'ip' } },
    });
    const mapping = withRuntimeFields(base, '{"a":{"type":"date","format":"yyyy"},"t":{"type":"keyword"}}');
    expect(['a', 'b', 't'].map((name) => mapping.field(name)?.kind)).toEqual(['date', 'ip', 'keyword']);
    expect(mapping.field('a')?.format).toBe('yyyy');
    expect(base.field('a')?.kind).toBe('long');
    expect(withRuntimeFields(base, null)).toBe(base);
  });

  test.each([
    ['{"a":{}}', 'No type specified for runtime field [a]'],
    ['{"a":{"type":"text"}}', 'No handler for type [text] declared on runtime field [a]'],
    ['{"a":{"type":"long","index":true}}', 'unknown parameter [index] on runtime field [a] of type [long]'],
    ['{"a":{"type":"long","format":"yyyy"}}', 'unknown parameter [format] on runtime field [a] of type [long]'],
    [
      '{"a":{"type":"composite","fields":{"b":{"type":"long"}}}}',
      'composite runtime field [a] must declare a [script]',
    ],
    ['{"a":{"type":"composite","script":"emit(1)"}}', 'composite runtime field [a] must declare its [fields]'],
    [
      '{"a":{"type":"composite","script":"emit(1)","fields":{"b":{"type":"long","script":"emit(1)"}}}}',
      'Cannot use [script] parameter on sub-field [b] of composite field [a]',
    ],
    [
      '{"a":{"type":"composite","script":"emit(1)","fields":{"b":{"type":"composite"}}}}',
      'Composite field [b] cannot be a child of composite field [a]',
    ],
    [
      '{"a":{"type":"composite","script":"emit(1)","fields":{"b":{"type":"text"}}}}',
      'No handler for type [text] declared on runtime field [a.b]',
    ],
    [
      '{"a":{"type":"composite","script":"emit(1)","fields":{"b":{"type":"long"}},"format":"x"}}',
      'unknown parameter [format] on runtime field [a] of type [composite]',
    ],
    ['{"a":1}', 'Expected map for runtime field [a] definition but got a java.lang.Integer'],
    ['{"a":null}', 'Expected map for runtime field [a]'],
    ['{"a":{"type":"long","script":{"id":"x"}}}', 'stored scripts are not supported for runtime field [a]'],
    ['{"a":{"type":"long","script":{"source":"","x":1}}}', '[script] unknown field [x]'],
    ['{"a":{"type":"date","format":"QQ["}}', 'Error parsing [format] on field [a]'],
  ])('%s is refused', (json, reason) => {
    expect(reasonOf(() => checkedRuntimeMappings(json))).toContain(reason);
  });
});
