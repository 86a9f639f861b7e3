import { describe, expect, test } from 'vitest';
import { RecordedCluster } from '../cluster/recorded-cluster.test-support.ts';
import { ALLOCATION_ID } from '../cluster/recorded-state.test-support.ts';

const NOTHING = { invertedIndex: 0, storedFields: 0, docValues: 0, points: 0, norms: 0 };
const COUNTS = { liveCount: 1, deletedCount: 0, memoryBytes: 0, isCommitted: true, isSearchable: true };

function cluster(): RecordedCluster & { readonly asked: unknown[] } {
  const recorded = new RecordedCluster();
  const asked: unknown[] = [];
  const segments = [
    {
      ...COUNTS,
      name: '_0',
      sizeBytes: 3000,
      fields: [
        { ...NOTHING, name: 'title', invertedIndex: 700, norms: 24 },
        { ...NOTHING, name: '_source', storedFields: 1100 },
      ],
    },
    {
      ...COUNTS,
      name: '_1',
      sizeBytes: 200,
      fields: [{ ...NOTHING, name: 'title', invertedIndex: 300, docValues: 5, points: 1 }],
    },
  ];
  recorded.answers = {
    'indices:admin/maintenance[n]': (request) => {
      asked.push(request);
      return { failures: [null] };
    },
    'indices:monitor/segments[n]': (request) => {
      asked.push(request);
      return { shards: [{ index: 'lib', shard: 0, allocationId: ALLOCATION_ID, segments }] };
    },
  };
  return Object.assign(recorded, { asked });
}

describe('_disk_usage', () => {
  test.each(['', '?run_expensive_tasks=false'])('%s is refused: it is expensive', async (query) => {
    const node = cluster();
    expect(await node.ask('POST', `/lib/_disk_usage${query}`)).toMatchObject({
      status: 400,
      json: { error: { type: 'illegal_argument_exception', reason: expect.stringContaining('[run_expensive_tasks]') } },
    });
    expect(node.asked).toEqual([]);
  });

  test('sums the bytes of all segments by field, the largest first', async () => {
    const { json } = await cluster().ask('POST', '/lib/_disk_usage?run_expensive_tasks=true');
    expect(json).toMatchObject({
      _shards: { total: 1, successful: 1, failed: 0 },
      lib: {
        store_size: '3.1kb',
        store_size_in_bytes: 3200,
        all_fields: {
          ...{ total: '2kb', total_in_bytes: 2130, inverted_index: { total: '1000b', total_in_bytes: 1000 } },
          ...{ stored_fields_in_bytes: 1100, doc_values_in_bytes: 5, points_in_bytes: 1, norms_in_bytes: 24 },
          ...{ term_vectors: '0b', term_vectors_in_bytes: 0 },
        },
        fields: { title: { total_in_bytes: 1030 }, _source: { total_in_bytes: 1100, stored_fields: '1kb' } },
      },
    });
    expect(Object.keys((json as { lib: { fields: object } }).lib.fields)).toEqual(['_source', 'title']);
  });

  test.each([
    ['', 2],
    ['&flush=false', 1],
  ])('flushes before it unless told otherwise: %s', async (query, requests) => {
    const node = cluster();
    await node.ask('POST', `/lib/_disk_usage?run_expensive_tasks=true${query}`);
    expect(node.asked).toHaveLength(requests);
    expect(node.asked.at(-1)).toMatchObject({ indices: ['lib'], withFields: true });
  });
});
