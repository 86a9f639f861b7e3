import { describe, expect, test } from 'vitest';
import { matchDynamicTemplate } from './dynamic-templates.ts';
import { parseMapping } from './mapping-parser.ts';

const declaredBy = (mapping: object, type: 'object' | 'string') =>
  matchDynamicTemplate(parseMapping({ dynamic_templates: [{ t: { match: '*', mapping } }] }), 'a.b', type)?.declared;

describe('a template that fits objects and fields alike', () => {
  test('gives a field its parameters, and an object only those that objects have', () => {
    const mapping = { norms: false, dynamic: 'strict' };
    expect(declaredBy(mapping, 'string')).toEqual({ type: 'text', ...mapping });
    expect(declaredBy(mapping, 'object')).toEqual({ type: 'object', dynamic: 'strict' });
  });

  test('gives a nested object what nested ones have', () => {
    const mapping = { type: 'nested', include_in_root: true, doc_values: false };
    expect(declaredBy(mapping, 'object')).toEqual({ type: 'nested', include_in_root: true });
  });

  test('does not lose a parameter of objects that is to be refused', () => {
    expect(declaredBy({ subobjects: false }, 'object')).toEqual({ type: 'object', subobjects: false });
  });
});

test('a template without conditions fits no field by itself', () => {
  const dynamic_templates = [{ t: { mapping: { type: 'keyword' } } }, { u: { unmatch: 'x', mapping: {} } }];
  expect(matchDynamicTemplate(parseMapping({ dynamic_templates }), 'a', 'string')).toBeNull();
});
