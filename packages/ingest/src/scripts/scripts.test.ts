import { describe, expect, test } from 'vitest';
import { simulate, simulateOne } from '../simulate.test-support.ts';

const set = (options: object) => ({ set: { field: 'x', value: 1, ...options } });

describe('a condition', () => {
  test.each([
    ['ctx.a == 1', '{"a":1,"x":1}'],
    ['ctx.a > 1', '{"a":1}'],
    ['ctx.b?.c == null', '{"a":1,"x":1}'],
    ['ctx.b.c == 1', 'runtime error'],
    ['ctx.a = 2; return true', 'runtime error'],
  ])('%s: %s', (source, result) => expect(simulate([set({ if: source })], { a: 1 })).toBe(result));

  test('may have parameters', () => {
    expect(simulate([set({ if: { source: 'ctx.a == params.b', params: { b: 1 } } })], { a: 1 })).toBe('{"a":1,"x":1}');
  });

  test('that fails is not handled by its own processor', () => {
    const handlers = { if: 'ctx.b.c == 1', ignore_failure: true };
    expect(simulate([set(handlers)], {})).toBe('runtime error');
  });

  test.each([
    [{ if: 'ctx.a ==' }, 'script_exception'],
    [{ if: { id: 'stored' } }, 'resource_not_found_exception'],
    [{ if: { source: 'true', lang: 'nope' } }, 'illegal_argument_exception'],
    [{ if: { source: 'true', other: 1 } }, 'parse_exception'],
    [{ if: {} }, 'illegal_argument_exception'],
  ])('%j is refused, naming the processor', (options, type) => {
    expect(() => simulate([set(options)], {})).toThrow(
      expect.objectContaining({ type, metadata: expect.objectContaining({ processor_type: 'set' }) }),
    );
  });
});

describe('script', () => {
  test.each([
    ['ctx.b = ctx.a + params.n', '{"a":1,"l":[1],"m":{"d":1.0},"b":3}'],
    ['ctx._id = "x"; ctx.l.add(2.5); ctx.remove("m")', '{"a":1,"l":[1,2.5],"_id":"x"}'],
    ['ctx.m.d = ctx.m.d / 4; ctx.m.e = 3L', '{"a":1,"l":[1],"m":{"d":0.25,"e":3}}'],
    ['while (ctx.a == 1) {}', 'runtime error'],
    ['ctx.l.add(ctx.l)', 'Iterable object is self-referencing itself'],
    ['throw new IllegalArgumentException("no")', 'runtime error'],
  ])('%s makes %s', (source, result) => {
    const document = new Map<string, unknown>([
      ['a', 1],
      ['l', [1]],
    ]);
    const given = { json: { field: 'm' } };
    const script = { script: { source, params: { n: 2 } } };
    expect(simulate([given, script], Object.fromEntries([...document, ['m', '{"d":1.0}']]))).toBe(result);
  });

  test('runs for each entry of a list', () => {
    const script = { script: { source: 'ctx.n = (ctx.n ?: 0) + 1' } };
    expect(simulateOne('foreach', { field: 'l', processor: script }, { l: [1, 2] })).toBe('{"l":[1,2],"n":2}');
  });
});

describe('Processors in a script', () => {
  test.each([
    ['ctx.t = Processors.bytes(ctx.f)', '1kb', '{"f":"1kb","t":1024}'],
    ['ctx.t = Processors.bytes(ctx.f)', 'junk', 'runtime error'],
    ['ctx.t = Processors.lowercase(ctx.f)', 'FooBAR', '{"f":"FooBAR","t":"foobar"}'],
    ['ctx.t = Processors.uppercase(ctx.f)', 'Foo', '{"f":"Foo","t":"FOO"}'],
    ['ctx.t = Processors.json(ctx.f)', '{"a":[1,2.5,null]}', '{"f":"{\\"a\\":[1,2.5,null]}","t":{"a":[1,2.5,null]}}'],
    ['ctx.t = Processors.json(ctx.f)', '', '{"f":"","t":null}'],
    ['ctx.t = Processors.json(ctx.f)', 'nope', 'runtime error'],
    ["Processors.json(ctx, 'f')", '{"a":1}', '{"f":"{\\"a\\":1}","a":1}'],
    ["Processors.json(ctx, 'f')", '[1]', 'runtime error'],
    ['ctx.t = Processors.urlDecode(ctx.f)', 'a%20b+c', '{"f":"a%20b+c","t":"a b c"}'],
    ['ctx.t = Processors.urlDecode(ctx.f)', 'a%2', 'runtime error'],
    ['ctx.t = Processors.lowercase(ctx.nope)', '', 'runtime error'],
  ])('%s of %j gives %s', (source, f, result) => expect(simulate([{ script: { source } }], { f })).toBe(result));
});
