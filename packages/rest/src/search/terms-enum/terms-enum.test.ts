import { TERMS_ENUM } from '@shoal/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { indexOf, nodeOf } from '../../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../../http.test-support.ts';

const VALUES = ['apple', 'Apricot', 'APP', 'banana', 'äpfel', 'app', 'apple', 'applz'];

/** Values over the shards of two nodes. */
async function library(): Promise<TestNode> {
  const properties = {
    t: { type: 'keyword' },
    a: { type: 'alias', path: 't' },
    f: { type: 'flattened' },
    c: { type: 'constant_keyword', value: 'const' },
    x: { type: 'text' },
    d: { type: 'date' },
  };
  const node = testNode({
    indices: [indexOf('lib', { shards: 3, mapping: { properties } })],
    nodes: [nodeOf('n1'), nodeOf('n2')],
    place: (_, shard) => `n${1 + (shard % 2)}`,
  });
  const docs = VALUES.flatMap((t, i) => [
    { index: { _id: `${i}` } },
    { t, f: { k: t, z: { y: `q${t}` } }, x: t, d: '2020-01-01' },
  ]);
  await node.ask('POST', '/lib/_bulk?refresh=true', lines(...docs));
  return node;
}

describe('the terms of a field', () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await library();
  });

  test.each([
    [{ field: 't' }, ['APP', 'Apricot', 'app', 'apple', 'applz', 'banana', 'äpfel']],
    [{ field: 't', string: 'app' }, ['app', 'apple', 'applz']],
    [{ field: 't', string: 'aP', case_insensitive: true }, ['APP', 'Apricot', 'app', 'apple', 'applz']],
    [{ field: 't', string: 'Ä', case_insensitive: true }, []],
    [{ field: 't', case_insensitive: true, size: 2 }, ['APP', 'Apricot']],
    [{ field: 't', string: 'app', size: 2 }, ['app', 'apple']],
    [{ field: 't', string: 'app', search_after: 'app', size: 1 }, ['apple']],
    [{ field: 't', string: 'ap', search_after: 'app', case_insensitive: true }, ['apple', 'applz']],
    [{ field: 't', string: 'b', search_after: 'app' }, ['banana']],
    [{ field: 'a', string: 'b' }, ['banana']],
    [{ field: 'f.k', string: 'b' }, ['banana']],
    [{ field: 'f.z.y', string: 'qap' }, ['qapp', 'qapple', 'qapplz']],
    [{ field: 'f', string: 'qb' }, ['qbanana']],
    [{ field: 'c', string: 'co' }, ['const']],
    [{ field: 'c', search_after: 'const' }, []],
    [{ field: 'x' }, []],
    [{ field: 'none' }, []],
    [{ field: 't', string: 'b', index_filter: { range: { d: { gte: '2021-01-01' } } } }, []],
    [{ field: 't', string: 'b', index_filter: { range: { d: { gte: '2019-01-01' } } } }, ['banana']],
  ])('%j', async (body, terms) => {
    expect((await node.ask('POST', '/lib/_terms_enum', body)).json).toEqual({
      _shards: { total: 3, successful: 3, failed: 0 },
      terms,
      complete: true,
    });
  });

  test.each([
    [{}, 'Validation Failed: 1: field cannot be null;'],
    [{ field: 't', size: 0 }, 'Validation Failed: 1: size must be between 1 and 10000;'],
    [{ field: 't', size: 10_001 }, 'Validation Failed: 1: size must be between 1 and 10000;'],
    [{ field: 't', timeout: '61s' }, 'Validation Failed: 1: Timeout cannot be > 1 minute;'],
    [{ field: 't', x: 1 }, '[1:14] [terms_enum] unknown field [x]'],
    [{ field: 't', size: 'x' }, '[1:21] [terms_enum] failed to parse field [size]'],
    [[], '[1:1] [terms_enum] Expected START_OBJECT but was: START_ARRAY'],
  ])('%j is refused', async (body, reason) => {
    const { status, json } = await node.ask('POST', '/lib/_terms_enum', JSON.stringify(body));
    expect([status, json.error.reason]).toEqual([400, reason]);
  });

  test('are not complete where the time is over', async () => {
    const { json } = await node.ask('POST', '/lib/_terms_enum', { field: 't', timeout: '0' });
    expect(json.complete).toBe(false);
  });
});

test('what is asked of a shard and answered travels as it is', () => {
  const answer = { terms: ['a', 'ä'], isComplete: false };
  expect(TERMS_ENUM.readResponse(TERMS_ENUM.writeResponse(answer))).toEqual(answer);
});
