import { expect, test } from 'vitest';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { w: { type: 'long' } } };
const MAX = '9223372036854775807';
const DOCS = [
  `{"w":[${MAX},1]}`,
  `{"w":[${MAX},${MAX}]}`,
  '{"w":[-9007199254740995,9007199254740993]}',
  '{"w":[7,1,4]}',
];

/** Values by which the documents sort, least first. */
async function sortedBy(mode: string): Promise<unknown> {
  const all = DOCS.map((source, i) => ({ id: String(i), source }));
  const { columns } = await runQuery(memoryContext(MAPPING, [all]), { sort: [{ w: { mode } }] });
  const [column] = columns;
  return column?.kind === 'bigint' || column?.kind === 'integer' ? Array.from(column.values, String) : column;
}

test.each([
  // A sum is one of 64 bits.
  ['sum', ['-9223372036854775808', '-2', '-2', '12']],
  ['avg', ['-4611686018427387904', '-1', '-1', '4']],
  ['median', ['-2', '4', '4611686018427387904', MAX]],
])('longs beyond 2^53 sort by their %s as Java computes it', async (mode, wanted) => {
  expect(await sortedBy(mode)).toEqual(wanted);
});
