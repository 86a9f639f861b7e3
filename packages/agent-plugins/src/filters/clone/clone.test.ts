import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { cloneFilter } from './clone.ts';

test('clone decorates the copies only', async () => {
  const { events } = await runFilter(cloneFilter, { clones: ['x', 'y'], add_field: { c: '1' } }, { a: 1 });
  expect(events).toEqual([{ a: 1 }, { a: 1, type: 'x', c: '1' }, { a: 1, type: 'y', c: '1' }]);
  const ecs = await runFilter(cloneFilter, { clones: ['x'] }, { a: 1 }, { ecs: 'v8' });
  expect(ecs.events[1]).toEqual({ a: 1, tags: ['x'] });
});
