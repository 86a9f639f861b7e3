import { describe, expect, test } from 'vitest';
import { withVariables } from './setting-variables.ts';

/** Reference to a variable in a setting. */
function variable(text: string): string {
  return `$${`{${text}}`}`;
}

describe('settings', () => {
  test('may name variables of the environment, with defaults', () => {
    const given = { api: { auth: { basic: { password: variable('SECRET') } } }, 'pipeline.workers': variable('N:3') };
    // What a variable holds is taken as it is.
    expect(withVariables(given, { SECRET: variable('b') })).toEqual({
      'api.auth.basic.password': variable('b'),
      'pipeline.workers': '3',
    });
  });

  test('name the variable that is not set', () => {
    const message = `${variable('NAME')} is not set and has no default`;
    expect(() => withVariables({ 'node.name': variable('NAME') }, {})).toThrow(message);
  });

  test('leave the text of a pipeline to its own language', () => {
    const given = { 'config.string': `input { generator { lines => ["${variable('X')}"] } }` };
    expect(withVariables(given, {})).toEqual(given);
  });
});
