import { createMemoryDisk } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { shardRequest } from '../../phases/query/memory-searcher.test-support.ts';
import { openShard } from '../../shard/lifecycle/open-shard.ts';
import { createTestRuntime, index, shardOptions } from '../../shard/lifecycle/shard-fixture.test-support.ts';

const MAPPING = {
  properties: {
    nanos: { type: 'date_nanos' },
    ms: { type: 'date' },
    float: { type: 'double' },
    long: { type: 'long' },
  },
};
const DOCS = [
  { nanos: '2018-10-29T12:12:12.123456789Z', ms: '2018-10-29T12:12:12.123Z', float: 5.7, long: '9007199254740993' },
  { nanos: '2018-10-29T12:12:12.123456788Z', ms: '2018-10-29T12:12:12.122Z', float: -5.7, long: 1 },
];

const FIRST_MS = 1_540_815_132_123;
const FIRST_NANOS = 1_540_815_132_123_456_789n;

test.each([
  ['nanos', null, [FIRST_NANOS, FIRST_NANOS - 1n]],
  ['nanos', 'date_nanos', [FIRST_NANOS, FIRST_NANOS - 1n]],
  ['nanos', 'long', [FIRST_NANOS, FIRST_NANOS - 1n]],
  ['nanos', 'date', [FIRST_MS, FIRST_MS]],
  ['nanos', 'double', [FIRST_MS, FIRST_MS]],
  ['ms', 'date_nanos', [1_540_815_132_123_000_000n, 1_540_815_132_122_000_000n]],
  ['float', 'long', [5, -5]],
  ['float', 'date', [5, -5]],
  ['long', 'double', [9007199254740992, 1]],
])('sorting [%s] as %s compares what it says', async (field, numericType, values) => {
  const memory = createSegmentMemory({ bytesMax: 64 * 1024 * 1024 });
  const shard = await openShard(createTestRuntime(createMemoryDisk()), shardOptions({ mapping: MAPPING }), memory);
  await shard.write(DOCS.map((doc, i) => index(`${i}`, doc)));
  await shard.refresh();
  const options = { order: 'desc', ...(numericType !== null && { numeric_type: numericType }) };
  const found = await shard.query(shardRequest({ sort: [{ [field]: options }] }, { topN: 10 }), { isStopped: false });
  const [column] = found.columns;
  expect(column !== undefined && 'values' in column ? [...column.values] : column).toEqual(values);
  await shard.close();
});
