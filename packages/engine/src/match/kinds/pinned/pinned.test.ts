import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../../phases/query/memory-searcher.test-support.ts';

const TEXTS = ['fox', 'fox fox', 'dog', 'cat', 'fox dog'];
const docs = TEXTS.map((t, i) => ({ id: String(i), source: JSON.stringify({ t }) }));
const context = memoryContext({ properties: { t: { type: 'text' } } }, [docs.slice(0, 2), docs.slice(2)]);

async function found(query: object): Promise<readonly (readonly [id: string, score: number])[]> {
  const { ords, columns } = await runQuery(context, { query }, { topN: 10 });
  const [column] = columns;
  const scores = column?.kind === 'score' ? [...column.values] : [];
  return idsOf(context, ords).map((id, i) => [id, scores[i] ?? -1] as const);
}

const organic = { match: { t: 'fox' } };

describe('pinned documents', () => {
  test('come first in their order, whether the organic query finds them or not, and the others as they would', async () => {
    const plain = await found(organic);
    const pinned = await found({ pinned: { ids: ['3', '4', 'none', '2'], organic } });
    expect(pinned.slice(0, 3).map(([id]) => id)).toEqual(['3', '4', '2']);
    expect(pinned.slice(3)).toEqual(plain.filter(([id]) => id !== '4'));
  });

  test('have the floats above 2^127, the first of them the highest', async () => {
    const pinned = await found({ pinned: { ids: ['3', '4', '2'], organic: { match_none: {} } } });
    expect(pinned).toEqual([
      ['3', 2 ** 127 + 4 * 2 ** 104],
      ['4', 2 ** 127 + 3 * 2 ** 104],
      ['2', 2 ** 127 + 2 * 2 ** 104],
    ]);
  });

  test('stay above organic scores of any size, which are cut', async () => {
    const huge = { constant_score: { filter: organic, boost: 3e38 } };
    const pinned = await found({ pinned: { ids: ['3'], organic: huge } });
    expect(pinned[0]?.[0]).toBe('3');
    expect(pinned.slice(1).map(([, score]) => score)).toEqual([2 ** 127, 2 ** 127, 2 ** 127]);
  });

  test('of other indices are not those with their ids here, and keep their places in the order', async () => {
    const docs = [
      { _index: 'other', _id: '3' },
      { _index: 'test', _id: '4' },
      { _index: 't*', _id: '2' },
    ];
    const pinned = await found({ pinned: { docs, organic: { match_none: {} } } });
    expect(pinned).toEqual([
      ['4', 2 ** 127 + 3 * 2 ** 104],
      ['2', 2 ** 127 + 2 * 2 ** 104],
    ]);
  });

  test('are none without ids, and no part of filters', async () => {
    expect(await found({ pinned: { ids: [], organic } })).toEqual(await found(organic));
    const filtered = await found({ bool: { filter: { pinned: { ids: ['3'], organic } } } });
    expect(filtered.map(([id, score]) => [id, score]).sort()).toEqual([
      ['0', 0],
      ['1', 0],
      ['3', 0],
      ['4', 0],
    ]);
  });
});
