import type { OptionType, PluginDefinition } from '@shoal/agent-plugin-kit';
import { describe, expect, test } from 'vitest';
import { checkLiteral, makeOptions } from './plugin-fixture.test-support.ts';

const declaring = (type: OptionType): PluginDefinition => ({
  kind: 'filter',
  name: 'probe',
  version: '1.0.0',
  options: { o: { type } },
  create: () => ({ filter: () => 'matched' }),
});
const optionsOf = (type: OptionType, o: unknown) => makeOptions(declaring(type), { o });
const refusalOf = (type: OptionType, o: unknown): string =>
  checkLiteral(declaring(type), { o }).findings[0]?.message ?? '';

describe('a value becomes what is declared', () => {
  test('one scalar where a text is wanted, also from a list of one', () => {
    expect(optionsOf('string', 5).string('o')).toBe('5');
    expect(optionsOf('string', ['a']).string('o')).toBe('a');
    expect(refusalOf('string', ['a', 'b'])).toBe("Setting 'o' for probe must be a text, but is a list of 2");
  });

  test('a list of anything', () => {
    expect(optionsOf('array', 'a').strings('o')).toEqual(['a']);
    expect(optionsOf('array', [1, true]).strings('o')).toEqual(['1', 'true']);
  });

  test('a reference or template, compiled', () => {
    expect(optionsOf('fieldReference', '[a][b]').reference('o').path).toEqual(['a', 'b']);
    expect(optionsOf('template', 'x').template('o').isConstant).toBe(true);
    expect(optionsOf('templates', ['x', '%{y}']).templates('o')).toHaveLength(2);
    expect(optionsOf('template', '%{y}').string('o')).toBe('%{y}');
  });

  test('one of a choice', () => {
    expect(optionsOf(['index', 'create'], 'create').string('o')).toBe('create');
    expect(refusalOf(['index', 'create'], 'creat')).toContain('must be one of index, create');
    expect(refusalOf(['index', 'create'], 'creat')).toContain("did you mean 'create'?");
  });

  test('milliseconds of a duration, a number of bytes', () => {
    expect(optionsOf('duration', 3).milliseconds('o')).toBe(3_000);
    expect(optionsOf('durationInDays', '0.5').milliseconds('o')).toBe(43_200_000);
    expect(optionsOf('durationInDays', '3 s').milliseconds('o')).toBe(3_000);
    expect(optionsOf('bytes', '1kb').number('o')).toBe(1_000);
  });

  test('a password is never shown', () => {
    expect(refusalOf('password', { secret: 'hunter2' })).toBe("Setting 'o' for probe must be a text");
  });
});

test('a path must exist where that can be asked', () => {
  expect(optionsOf('path', '/nowhere').string('o')).toBe('/nowhere');
});
