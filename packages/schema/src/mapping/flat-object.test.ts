import { describe, expect, test } from 'vitest';
import { declarationAt } from './declaration-at.ts';
import { overlayMapping } from './mapping-overlay.ts';
import { mergeMapping, parseMapping } from './mapping-parser.ts';

const LONG = { type: 'long' };

describe('subobjects: false', () => {
  test('keeps the dots of names, and joins the names of objects', () => {
    const mapping = parseMapping({
      subobjects: false,
      properties: { cpu: LONG, 'cpu.user': LONG, disk: { properties: { io: { properties: { 'read.max': LONG } } } } },
    });
    expect(mapping.json).toEqual({
      subobjects: false,
      properties: { cpu: LONG, 'cpu.user': LONG, 'disk.io.read.max': LONG },
    });
    expect([...mapping.fields.keys()]).toEqual(['cpu', 'cpu.user', 'disk.io.read.max']);
    expect([...mapping.objects.keys()]).toEqual(['']);
    expect(declarationAt(mapping.json, 'cpu.user')).toEqual(LONG);
    expect(parseMapping(mapping.json).json).toEqual(mapping.json);
  });

  test('of an object leaves the others as they are', () => {
    const { json } = parseMapping({
      properties: { 'host.metrics': { type: 'object', subobjects: false }, 'host.metrics.a.b': LONG, 'c.d': LONG },
    });
    expect(json).toEqual({
      properties: {
        c: { properties: { d: LONG } },
        host: { properties: { metrics: { subobjects: false, properties: { 'a.b': LONG } } } },
      },
    });
  });

  test('holds for what an update adds', () => {
    const before = { subobjects: false, properties: { cpu: LONG } };
    const update = { properties: { disk: { properties: { io: LONG } }, 'net.in': LONG } };
    expect(mergeMapping(before, update)).toEqual({
      subobjects: false,
      properties: { cpu: LONG, 'disk.io': LONG, 'net.in': LONG },
    });
    const inside = { properties: { m: before } };
    expect(mergeMapping(inside, { properties: { 'm.a.b': LONG } })).toEqual({
      properties: { m: { subobjects: false, properties: { 'a.b': LONG, cpu: LONG } } },
    });
  });

  test('of one template holds for the fields of all', () => {
    expect(overlayMapping({ properties: { 'a.b': LONG } }, { subobjects: false, properties: { a: LONG } })).toEqual({
      subobjects: false,
      properties: { a: LONG, 'a.b': LONG },
    });
    expect(overlayMapping({ subobjects: false }, { properties: { 'a.b': LONG } })).toEqual({
      subobjects: false,
      properties: { 'a.b': LONG },
    });
  });

  test('is printed where it was said, true too', () => {
    expect(parseMapping({ subobjects: 'true', properties: { 'a.b': LONG } }).json).toEqual({
      subobjects: true,
      properties: { a: { properties: { b: LONG } } },
    });
  });

  const inner = (json: object): object => ({
    subobjects: false,
    properties: { o: { properties: { f: LONG }, ...json } },
  });
  test.each([
    [{ subobjects: 'auto' }, 'unknown subobjects value: auto'],
    [{ properties: { n: { type: 'nested', subobjects: false } } }, 'Nested type [n] does not support [subobjects]'],
    [inner({ type: 'nested' }), 'Tried to add nested object [o]'],
    [inner({ dynamic: 'strict' }), 'the value of [dynamic] (STRICT) is not compatible'],
    [inner({ enabled: false }), 'the value of [enabled] is [false]'],
    [inner({ subobjects: true }), 'the value of [subobjects] is [true]'],
    [
      { subobjects: false, properties: { t: { type: 'text', fields: { k: { type: 'keyword' } } }, 't.k': LONG } },
      'Field [t.k] is defined more than once',
    ],
    [{ subobjects: false, properties: { 'o.f': LONG, o: { properties: { f: LONG } } } }, 'declared twice'],
  ])('refuses %j', (json, reason) => {
    expect(() => parseMapping(json)).toThrow(reason);
  });

  test.each([
    [{ subobjects: false, properties: { a: LONG } }, { subobjects: true }, '[_doc]'],
    [{ properties: { a: LONG } }, { subobjects: false }, '[_doc]'],
    [{ properties: { o: { properties: { a: LONG } } } }, { properties: { o: { subobjects: false } } }, '[o]'],
  ])('cannot be changed: %j with %j', (before, update, name) => {
    expect(() => mergeMapping(before, update)).toThrow(
      `the [subobjects] parameter can't be updated for the object mapping ${name}`,
    );
  });
});
