import { expect, test } from 'vitest';
import { makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { rubyFilter } from './ruby.ts';

test('ruby is refused with a text that names javascript', () => {
  expect(() => makeFilter(rubyFilter, { code: "event.set('a', 1)" })).toThrow(
    /Ruby code cannot be run; write it in JavaScript with the filter "javascript"/,
  );
});
