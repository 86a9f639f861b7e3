import { beforeAll, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

let node: TestNode;

beforeAll(async () => {
  node = testNode({ indices: [indexOf('lib')] });
  await node.ask('POST', '/lib/_bulk', lines({ index: { _id: '1' } }, { title: 'quick fox', tag: 'a' }));
});

const BODY = { query: { match_all: {} } };

describe('parameters that say how `q` is read', () => {
  test.each<[string, unknown, string]>([
    ['/lib/_search?df=title', undefined, 'parameter: [df]'],
    ['/lib/_search?default_operator=AND', BODY, 'parameter: [default_operator]'],
    ['/lib/_search?lenient=true&analyzer=standard', BODY, 'parameters: [analyzer], [lenient]'],
    ['/lib/_count?df=title', undefined, 'parameter: [df]'],
    ['/lib/_count?q=fox&df=title', BODY, 'parameters: [df], [q]'],
    ['/lib/_explain/1?df=title', BODY, 'parameter: [df]'],
    ['/lib/_explain/1?q=fox&analyze_wildcard=true', BODY, 'parameter: [analyze_wildcard]'],
  ])('are refused where nothing reads them: %s', async (target, body, named) => {
    const answer = await node.ask('POST', target, body as object | undefined);
    const path = target.slice(0, target.indexOf('?'));
    expect([answer.status, answer.json.error]).toMatchObject([
      400,
      { type: 'illegal_argument_exception', reason: `request [${path}] contains unrecognized ${named}` },
    ]);
  });

  test.each<[string, unknown]>([
    ['/lib/_search?q=fox&df=title&default_operator=AND', undefined],
    ['/lib/_search?q=fox&df=title', BODY],
    ['/lib/_count?q=fox&df=title&lenient=true', undefined],
    ['/lib/_explain/1?q=fox&df=title', undefined],
    ['/lib/_explain/1?q=fox', BODY],
  ])('are read with it: %s', async (target, body) => {
    expect((await node.ask('POST', target, body as object | undefined)).status).toBe(200);
  });
});

describe('_explain', () => {
  test.each(['{}', ' { } '])('takes the body %j for none: the query is missing', async (body) => {
    const answer = await node.ask('POST', '/lib/_explain/1', new TextEncoder().encode(body));
    expect([answer.status, answer.json.error]).toMatchObject([
      400,
      { type: 'action_request_validation_exception', reason: 'Validation Failed: 1: query is missing;' },
    ]);
  });

  test('takes it beside `q`', async () => {
    expect((await node.ask('POST', '/lib/_explain/1?q=fox', {})).json).toMatchObject({ matched: true });
  });
});
