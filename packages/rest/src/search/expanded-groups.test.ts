/** Groups of a collapsed search that cannot be searched. */
import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

test('a search of a group that fails is a failure to expand hits, with the failure as its cause', async () => {
  const mapping = { properties: { k: { type: 'keyword' } } };
  const node = testNode({ indices: [indexOf('lib', { shards: 1, mapping })] });
  await node.ask('PUT', '/lib/_doc/1?refresh=true', { k: 'a' });
  const collapse = { field: 'k', inner_hits: { name: 'same', sort: ['absent'] } };
  const { status, json } = await node.ask('POST', '/lib/_search', { collapse });
  expect(status).toBe(400);
  expect(json.error).toMatchObject({
    ...{ root_cause: [], type: 'search_phase_execution_exception', reason: 'failed to expand hits' },
    ...{ phase: 'expand', grouped: true, failed_shards: [] },
    caused_by: {
      type: 'search_phase_execution_exception',
      failed_shards: [{ reason: { reason: 'No mapping found for [absent] in order to sort on' } }],
    },
  });
});
