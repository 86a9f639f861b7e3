import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    plain: { type: 'binary' },
    column: { type: 'binary', doc_values: true },
    stored: { type: 'binary', store: true },
  },
};

const context = () =>
  memoryContext(MAPPING, [
    [
      { id: 'plain', source: '{"plain":"!!"}' },
      { id: 'two', source: '{"column":["/w==","Yg=="]}' },
      { id: 'stored', source: '{"stored":"YQ=="}' },
    ],
  ]);

async function found(query: unknown): Promise<string[]> {
  const searched = context();
  const { ords } = await runQuery(searched, { query });
  return idsOf(searched, ords).sort();
}

describe('a binary field', () => {
  test.each([
    [
      '"!!"',
      "Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): Illegal character '!' (code 0x21) in base64 content",
    ],
    [
      '"Y=Q="',
      "Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): Illegal character '=' (code 0x3d) in base64 content",
    ],
    ['"YQ"', "Unexpected end of base64-encoded String: base64 variant 'MIME-NO-LINEFEEDS' expects padding"],
    ['12', 'Current token (VALUE_NUMBER_INT) not VALUE_STRING, can not access as binary'],
    ['true', 'Current token (VALUE_TRUE) not VALUE_STRING, can not access as binary'],
  ])('with a column does not take %s', (value, reason) => {
    expect(() => memoryContext(MAPPING, [[{ id: '1', source: `{"column":${value}}` }]])).toThrow(
      expect.objectContaining({
        type: 'mapper_parsing_exception',
        causedBy: expect.objectContaining({ type: 'json_parse_exception', reason }),
      }),
    );
  });

  test('takes 32,766 bytes into its column, and no more', () => {
    const indexed = (count: number) => () =>
      memoryContext(MAPPING, [[{ id: '1', source: `{"column":"${Buffer.alloc(count).toString('base64')}"}` }]]);
    expect(indexed(32_766)).not.toThrow();
    expect(indexed(32_767)).toThrow('DocValuesField "column" is too large, must be <= 32766');
  });

  test('is found by its presence where it is kept', async () => {
    expect(await found({ exists: { field: 'plain' } })).toEqual([]);
    expect(await found({ exists: { field: 'column' } })).toEqual(['two']);
    expect(await found({ exists: { field: 'stored' } })).toEqual(['stored']);
  });

  test.each([
    [{ term: { column: 'Yg==' } }, 'Binary fields do not support searching'],
    [{ terms: { column: ['Yg=='] } }, 'Binary fields do not support searching'],
    [{ match: { column: 'Yg==' } }, 'Binary fields do not support searching'],
    [
      { range: { column: { gte: 'a' } } },
      'failed to create query: Field [column] of type [binary] does not support range queries',
    ],
    [{ prefix: { column: 'Y' } }, /Can only use prefix queries on keyword/],
  ])('is not searched by %j', async (query, reason) => {
    const error = await found(query).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      type: 'query_shard_exception',
      reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    });
  });
});
