import { describe, expect, test } from 'vitest';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    at: { type: 'date' },
    instant: { type: 'date_nanos' },
    scaled: { type: 'scaled_float', scaling_factor: 10 },
    word: { type: 'keyword' },
  },
};
const DOC = { at: '2021-05-03T10:00:00Z', instant: '2021-05-03T10:00:00Z', scaled: 2, word: 'x' };

async function decayed(field: string, origin: unknown, scale: unknown): Promise<number | undefined> {
  const context = memoryContext(MAPPING, [[{ id: '1', source: JSON.stringify(DOC) }]]);
  const query = { function_score: { linear: { [field]: { origin, scale } } } };
  const [column] = (await runQuery(context, { query })).columns;
  return column?.kind === 'score' ? column.values[0] : undefined;
}

describe('a decay', () => {
  test('of instants of nanoseconds measures them by a scale of milliseconds, as version 7.10 does', async () => {
    expect(await decayed('at', '2021-05-03T09:00:00Z', '1h')).toBeCloseTo(0.5, 6);
    expect(await decayed('instant', '2021-05-03T09:00:00Z', '1h')).toBe(0);
    expect(await decayed('instant', '2021-05-03T10:00:00Z', '1h')).toBe(1);
  });

  test.each(['scaled', 'word'])('of %s is refused', async (field) => {
    const type = field === 'scaled' ? 'scaled_float' : 'keyword';
    await expect(decayed(field, 1, 1)).rejects.toMatchObject({
      type: 'parsing_exception',
      status: 400,
      reason: `field [${field}] is of type [${type}], but only numeric types are supported.`,
    });
  });
});
