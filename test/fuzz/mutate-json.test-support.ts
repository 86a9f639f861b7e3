/**
 * Mutations of a JSON value: other types, sizes, names and nesting at places drawn from a seed.
 */
import type { Dice } from '../../packages/transport/src/start/fuzz-inputs.test-support.ts';

const HOSTILE_VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 53,
    1e308,
    -1e-308,
    0.1,
    '',
    ' ',
    '*',
    '**',
    '.',
    '..',
  ],
  ...[
    'null',
    'NaN',
    '-0',
    '9'.repeat(40),
    '_all',
    '_none',
    '_id',
    '_source',
    '\u0000',
    '\ud800',
    '\u{1F600}',
    'ﬁ'.repeat(50),
  ],
  ...[
    'a'.repeat(40_000),
    'now-1d/d',
    '2020-13-45',
    '1e400',
    '-1s',
    '99999999999d',
    '((((',
    '[a-z]{1,100}',
    '%{',
    '{{',
    '<x>',
  ],
  ...[
    [],
    {},
    [[]],
    [null],
    [{}],
    { '': '' },
    { a: { a: { a: {} } } },
    ['a', 1, null],
    { type: 'nested' },
    { source: '1/0' },
  ],
];
const NAMES = [
  '',
  '_index',
  '_id',
  'type',
  'field',
  'query',
  'size',
  'boost',
  'script',
  '__proto__',
  'a.b',
  '.',
  'x',
  'length',
];

/** A copy with up to four places changed. */
export function mutateJson(dice: Dice, value: unknown, pool: readonly unknown[]): unknown {
  let changed = value;
  for (let left = dice.below(5); left > 0; left--) changed = mutateOnce(dice, changed, pool);
  return changed;
}

function mutateOnce(dice: Dice, value: unknown, pool: readonly unknown[]): unknown {
  const goesDown = typeof value === 'object' && value !== null && dice.chance(80);
  if (!goesDown) return replaced(dice, value, pool);
  if (Array.isArray(value)) return mutatedArray(dice, value, pool);
  const entries = Object.entries(value);
  if (entries.length === 0 || dice.chance(8)) return withEntry(value, dice.pick(NAMES), dice.pick(HOSTILE_VALUES));
  const at = dice.below(entries.length);
  const [name, inner] = entries[at] ?? ['', null];
  const rest = entries.filter((_, other) => other !== at);
  if (dice.chance(6)) return Object.fromEntries(rest);
  if (dice.chance(6)) return Object.fromEntries([...rest, [dice.pick(NAMES), inner]]);
  const next = mutateOnce(dice, inner, pool);
  return Object.fromEntries(entries.map(([key, old], other) => (other === at ? [name, next] : [key, old])));
}

function mutatedArray(dice: Dice, value: readonly unknown[], pool: readonly unknown[]): unknown {
  if (value.length === 0) return [dice.pick(HOSTILE_VALUES)];
  const at = dice.below(value.length);
  if (dice.chance(10)) return Array.from({ length: dice.pick([2, 20, 2_000]) }, () => value[at]);
  if (dice.chance(10)) return value.filter((_, other) => other !== at);
  return value.map((item, other) => (other === at ? mutateOnce(dice, item, pool) : item));
}

function replaced(dice: Dice, value: unknown, pool: readonly unknown[]): unknown {
  if (dice.chance(10)) return dice.pick(pool);
  if (dice.chance(10)) return [value, value];
  if (dice.chance(10)) return { [dice.pick(NAMES)]: value };
  if (typeof value === 'string' && dice.chance(40)) return mutatedText(dice, value);
  if (typeof value === 'number' && dice.chance(40))
    return dice.pick([-value, value * 1e9, value + 0.5, String(value), value - 1]);
  return dice.pick(HOSTILE_VALUES);
}

function mutatedText(dice: Dice, text: string): string {
  const at = dice.below(text.length + 1);
  const inserted = dice.pick([
    '*',
    '\\',
    '"',
    '(',
    '[',
    ']',
    '{',
    '.',
    ',',
    ':',
    '~',
    '^',
    '/',
    '-',
    '\u0000',
    'é',
    '\u{1F600}',
    '||',
    '%',
  ]);
  return dice.chance(50) ? text.slice(0, at) + inserted + text.slice(at) : text.slice(0, at) + text.slice(at + 1);
}

function withEntry(value: object, name: string, inner: unknown): unknown {
  return Object.fromEntries([...Object.entries(value), [name, inner]]);
}
