import { describe, expect, test } from 'vitest';
import { JavaMap } from '../values/java-map.ts';
import { compileScript } from './compile-script.ts';
import { ReadOnlyValues } from './read-only-values.ts';
import { PROCESSOR_CONDITIONAL_CONTEXT } from './script-context.ts';

const members = new Map<string, unknown>([
  ['a', 1],
  ['m', new Map([['n', 'x']])],
  ['l', [1, new Map([['k', true]])]],
]);

function holds(text: string): unknown {
  const values = new ReadOnlyValues('no changes');
  const program = compileScript({ lang: 'painless', text }, PROCESSOR_CONDITIONAL_CONTEXT);
  const result = program.run([new JavaMap(), values.mapOf(members)]);
  values.check();
  return result;
}

describe('values that a script may only look at', () => {
  test.each([
    ['ctx.a == 1', true],
    ['ctx.m.n == "x" && ctx.m?.o == null', true],
    ['ctx.l[1].k', true],
    ['ctx.l.contains(1)', true],
    ['ctx.containsKey("b")', false],
    ['ctx.size() == 3 && ctx.keySet().contains("m")', true],
  ])('%s is %s', (text, result) => expect(holds(text)).toBe(result));

  test.each([
    'ctx.a = 2; return true',
    'ctx.remove("a") == 1',
    'ctx.m.n = 1; return true',
    'ctx.l.add(1)',
    'ctx.clear(); return true',
  ])('%s fails, and changes nothing', (text) => {
    expect(() => holds(text)).toThrow(
      expect.objectContaining({ causedBy: expect.objectContaining({ reason: 'no changes' }) }),
    );
    expect(members.get('l')).toHaveLength(2);
  });
});
