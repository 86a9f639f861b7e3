import { describe, expect, test } from 'vitest';
import { mayKeepState } from './script-state.ts';

describe('a script', () => {
  test.each([
    "map.n = (map.n ?? 0) + 1; event.set('n', map.n)",
    "const n = Number(event.get('n')); if (n > 1) { let m = Math.max(n, Math.PI); event.set('m', m) }",
    'for (const x of event.get("list")) { map[x] = { a: 1, b: [2] } }',
    "map.at = new Date(0); event.set('o', JSON.stringify(Object.keys(map)))",
  ])('keeps nothing: %s', (body) => {
    expect(mayKeepState(body, ['event', 'map'])).toBe(false);
  });

  test.each([
    'count = 1',
    'globalThis.count = 1',
    'this.count = 1',
    'Math.count = 1',
    'Math.PIS += 1',
    'const m = Math; m.count = 1',
    '{ let n = 1 } n = 2',
    '[].constructor.n = 1',
    'event.__proto__.n = 1',
    'params.n = 1',
    'arguments.callee.n = 1',
    '`n`',
    "/'/; n = 1; /'/",
    '} n = 1; {',
    'Object.defineProperty(Math, "n", {})',
    'var f = function () {}',
  ])('may keep something: %s', (body) => {
    expect(mayKeepState(body, ['event', 'map'])).toBe(true);
  });
});
