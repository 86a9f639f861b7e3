import { CancelSource } from '@shoal/core';
import { answerRequest, type HttpHandler, RequestGate } from '@shoal/http';
import { describe, expect, test } from 'vitest';
import { guardRequests } from './request-guard.ts';

function guarded(): { ask(method: string, target: string): Promise<number>; readonly matched: readonly string[] } {
  const matched: string[] = [];
  const inner: HttpHandler = {
    match: (method, target) => {
      matched.push(`${method} ${target}`);
      return { isHot: false, answer: async () => ({ status: 200, headers: [], body: new Uint8Array() }) };
    },
  };
  const gate = new RequestGate({ hosts: null, hostsSetting: '', originsHint: '', hasUsers: false, cors: null });
  const handler = guardRequests(inner, { gate, users: null });
  const ask = async (method: string, target: string): Promise<number> => {
    const content = {
      headers: {},
      remoteAddress: '',
      readBody: async () => new Uint8Array(),
      signal: new CancelSource(),
    };
    return (await answerRequest(handler, { method, target, ...content })).status;
  };
  return { ask, matched };
}

describe('a request line', () => {
  test('that was asked before is not read again', async () => {
    const { ask, matched } = guarded();
    const target = '/_node/stats/?vertices=T';
    expect([await ask('GET', target), await ask('GET', target), await ask('HEAD', target)]).toEqual([200, 200, 200]);
    expect(matched).toEqual(['GET /_node/stats?vertices=true', 'HEAD /_node/stats?vertices=true']);
  });

  test('that has no answer has none the second time, nor with another method the third', async () => {
    const { ask } = guarded();
    expect([await ask('GET', '/_nope'), await ask('GET', '/_nope')]).toEqual([404, 404]);
    expect([await ask('GET', '/'), await ask('POST', '/'), await ask('POST', '/')]).toEqual([200, 405, 405]);
  });

  test('is forgotten once there are too many, and answered all the same', async () => {
    const { ask, matched } = guarded();
    for (let round = 0; round < 2; round++)
      for (let n = 0; n < 100; n++) expect(await ask('GET', `/_node/stats/pipelines/p${n}`)).toBe(200);
    expect(matched).toHaveLength(100 + (100 - 64));
  });
});
