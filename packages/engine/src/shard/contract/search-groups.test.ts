import { expect, test } from 'vitest';
import { SEARCH_GROUPS_MAX, SearchGroups } from './search-groups.ts';

test('names that users make up are kept up to a limit, and counted beyond it nowhere', () => {
  const groups = new SearchGroups();
  for (let i = 0; i < SEARCH_GROUPS_MAX + 10; i++) groups.add([`g${i}`, 'g0'], { queryTotal: 1 });
  expect(groups.byName.size).toBe(SEARCH_GROUPS_MAX);
  expect(groups.byName.get('g0')?.queryTotal).toBe(SEARCH_GROUPS_MAX + 11);
  expect(groups.byName.get('g999')?.queryTotal).toBe(1);
  expect(groups.byName.get(`g${SEARCH_GROUPS_MAX}`)).toBeUndefined();
});
