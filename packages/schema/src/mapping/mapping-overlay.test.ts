import { describe, expect, test } from 'vitest';
import { overlayMapping } from './mapping-overlay.ts';

describe('a mapping over another', () => {
  test('replaces a field as a whole and merges objects', () => {
    const below = {
      properties: { a: { type: 'text', analyzer: 'english' }, o: { properties: { x: { type: 'long' } } } },
    };
    const above = { properties: { a: { type: 'keyword' }, o: { properties: { y: { type: 'long' } } } } };
    expect(overlayMapping(below, above)).toEqual({
      properties: { a: { type: 'keyword' }, o: { properties: { x: { type: 'long' }, y: { type: 'long' } } } },
    });
  });

  test('replaces dynamic templates of its names, and keeps their places', () => {
    const template = (name: string, type: string) => ({ [name]: { match: 'x*', mapping: { type } } });
    const below = { dynamic_templates: [template('a', 'text'), template('b', 'long')] };
    const merged = overlayMapping(below, { dynamic_templates: [template('c', 'long'), template('a', 'keyword')] });
    expect(merged.dynamic_templates).toEqual([template('a', 'keyword'), template('b', 'long'), template('c', 'long')]);
  });

  test('merges _meta member by member', () => {
    const merged = overlayMapping({ _meta: { a: { x: 1, y: 1 }, b: 1 } }, { _meta: { a: { x: 2 } } });
    expect(merged._meta).toEqual({ a: { x: 2, y: 1 }, b: 1 });
  });

  test('is refused where an object meets a field', () => {
    const field = { properties: { a: { type: 'long' } } };
    const object = { properties: { a: { properties: { b: { type: 'long' } } } } };
    for (const [below, above] of [
      [field, object],
      [object, field],
    ]) {
      expect(() => overlayMapping(below, above)).toThrow("can't merge a non object mapping [a] with an object mapping");
    }
  });
});
