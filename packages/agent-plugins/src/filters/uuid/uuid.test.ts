import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { uuidFilter } from './uuid.ts';

test('uuid keeps what is there unless told', async () => {
  expect((await runFilter(uuidFilter, { target: 'id' }, { id: 'x' })).event).toEqual({ id: 'x' });
  expect((await runFilter(uuidFilter, { target: 'id', overwrite: true }, { id: 'x' })).event.id).toMatch(
    /^[0-9a-f-]{36}$/,
  );
});
