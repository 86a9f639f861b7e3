/**
 * Versions that stand for a state, as the Java client writes them: -3 for any, -4 for none yet.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

let node: TestNode;
beforeEach(() => {
  node = testNode({ indices: [indexOf('lib')] });
});

async function outcome(method: string, path: string): Promise<unknown> {
  const { status, json } = await node.ask(method, path, method === 'DELETE' ? undefined : {});
  return json.error?.reason.replace('Validation Failed: 1: ', '') ?? status;
}

describe('a create', () => {
  test.each([-3, -4])('may say that it wants a new document, or any: %i', async (version) => {
    expect(await outcome('PUT', `/lib/_create/1?version=${version}`)).toBe(201);
    expect(await outcome('PUT', `/lib/_create/1?version=${version}`)).toContain('document already exists');
    expect(await outcome('PUT', `/lib/_doc/2?op_type=create&version=${version}`)).toBe(201);
  });
  test.each([
    ['version=1', 'create operations do not support explicit versions. use index instead;'],
    ['version=-4&version_type=external', 'create operations only support internal versioning. use index instead;'],
    ['if_seq_no=1&if_primary_term=1', 'create operations do not support compare and set. use index instead;'],
  ])('refuses %s', async (parameters, reason) => {
    expect(await outcome('PUT', `/lib/_create/1?${parameters}`)).toBe(reason);
  });
});

describe('other writes', () => {
  test('may ask for any version', async () => {
    expect(await outcome('PUT', '/lib/_doc/1?version=-3')).toBe(201);
    expect(await outcome('PUT', '/lib/_doc/1?version=-3&version_type=internal')).toBe(200);
    expect(await outcome('DELETE', '/lib/_doc/1?version=-3')).toBe(200);
  });
  test.each([
    ['-4', 'external', 'EXTERNAL'],
    ['-3', 'external', 'EXTERNAL'],
    ['-2', 'external_gte', 'EXTERNAL_GTE'],
  ])('have no version %s of type %s', async (version, type, shown) => {
    const reason = `illegal version value [${version}] for version type [${shown}];`;
    expect(await outcome('PUT', `/lib/_doc/1?version=${version}&version_type=${type}`)).toBe(reason);
  });
});

test('actions of a bulk say the same', async () => {
  const body = lines(
    { create: { _index: 'lib', _id: '1', version: -4 } },
    {},
    { create: { _index: 'lib', _id: '2', version: -3 } },
    {},
    { index: { _index: 'lib', _id: '1', version: '-3' } },
    {},
    { delete: { _index: 'lib', _id: '1', version: -3 } },
  );
  const { json } = await node.ask('POST', '/_bulk', body);
  const items: readonly Record<string, { status: number }>[] = json.items;
  expect(items.map((item) => Object.values(item)[0]?.status)).toEqual([201, 201, 200, 200]);
  const wrong = lines({ index: { _index: 'lib', _id: '1', version: -2, version_type: 'external' } }, {});
  expect((await node.ask('POST', '/_bulk', wrong)).json.error.reason).toBe(
    'Validation Failed: 1: illegal version value [-2] for version type [EXTERNAL];',
  );
});
