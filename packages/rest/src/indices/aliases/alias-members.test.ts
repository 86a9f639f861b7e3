import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../../coordinator/src/coordinator.test-support.ts';
import { type TestNode, testNode } from '../../http.test-support.ts';
import { addActions } from './alias-actions.ts';

const IS = { name: 'is', filter: null, indexRouting: null, searchRouting: null, isWriteIndex: null, isHidden: null };
const node = (): TestNode => testNode({ indices: [indexOf('one', { aliases: [IS] })] });
const action = (kind: string, more: object): object => ({ actions: [{ [kind]: { index: 'one', ...more } }] });

describe('an action on aliases', () => {
  test.each([
    ['add', { alias: 'a', filtre: {} }, '[add] unknown field [filtre] did you mean [filter]?'],
    ['add', { alias: 'a', must_exist: true }, '[add] unknown field [must_exist]'],
    ['remove', { alias: 'is', filter: { term: { n: 1 } } }, '[remove] unknown field [filter]'],
    ['remove', { alias: 'is', routing: 'x' }, '[remove] unknown field [routing]'],
    ['remove_index', { alias: 'is' }, '[remove_index] unknown field [alias]'],
  ])('%s with members that it does not know is refused: %j', async (kind, more, reason) => {
    const { status, json } = await node().ask('POST', '/_aliases', action(kind, more));
    expect([status, json.error?.type, json.error?.reason]).toEqual([400, 'x_content_parse_exception', reason]);
  });

  test.each(['index_routing', 'indexRouting', 'index-routing'])('is routed by %s', (member) => {
    const body = { [member]: 'x', [member.replace('index', 'search')]: 'y' };
    expect(addActions(['one'], ['a'], body)).toMatchObject([
      { index: 'one', alias: 'a', indexRouting: 'x', searchRouting: 'y' },
    ]);
  });
});
