/**
 * The task of searches and counts.
 */
import type { ApiTask } from '../api/rest-api.ts';
import { describeSearch } from '../api/task-description.ts';

export const SEARCH_TASK: ApiTask = {
  action: 'indices:data/read/search',
  isCancellable: true,
  describe: describeSearch,
};
