import { expect, test } from 'vitest';
import { PROCESSOR_NAMES } from './processor-names.ts';
import { PROCESSOR_TYPES } from './processor-types.ts';

test('every processor has its name in the list, in the same order', () => {
  expect(PROCESSOR_NAMES).toEqual([...PROCESSOR_TYPES.keys()]);
});
