import { CancelSource } from '@shoal/core';
import { answerRequest, type HttpServer, startHttpServer } from '@shoal/http';
import supertest from 'supertest';
import { afterEach, describe, expect, test } from 'vitest';
import { indexOf } from '../../coordinator/src/coordinator.test-support.ts';
import { lines, testNode } from './http.test-support.ts';
import { restRoutes } from './rest-routes.ts';

const servers: HttpServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe.each(['express', 'express-all', 'node'] as const)('a node answers over the adapter %s', (adapter) => {
  async function start(): Promise<string> {
    const node = testNode({ indices: [indexOf('lib')] });
    const server = await startHttpServer(node.runtime, {
      host: '127.0.0.1',
      port: 0,
      handler: node.handler,
      adapter,
    });
    servers.push(server);
    return `http://127.0.0.1:${server.address.port}`;
  }

  test('writes, reads and searches', async () => {
    const url = await start();
    const bulk = lines({ index: { _id: '1' } }, { n: 1 }, { index: { _id: 'a/b c' } }, { n: 2 });
    await supertest(url)
      .post('/lib/_bulk?refresh=true')
      .set('content-type', 'application/vnd.elasticsearch+x-ndjson; compatible-with=8')
      .send(bulk)
      .expect(200);
    await supertest(url).get('/lib/_doc/a%2Fb%20c').expect(200);
    await supertest(url).get('/lib/_doc/none').expect(404, { _index: 'lib', _id: 'none', found: false });
    const found = await supertest(url)
      .post('/lib/_search')
      .send({ query: { match_all: {} } })
      .expect(200);
    expect(found.headers['x-elastic-product']).toBe('Elasticsearch');
    expect(found.body.hits.total.value).toBe(2);
    const yaml = await supertest(url).get('/_count').set('accept', 'application/yaml').buffer(true).expect(200);
    expect(yaml.headers['content-type']).toBe('application/yaml');
  });

  test('malformed JSON is answered with its position', async () => {
    const url = await start();
    const answer = await supertest(url)
      .post('/lib/_search')
      .set('content-type', 'application/json')
      .send('{"query": {"match": ')
      .expect(400);
    expect(answer.body.error).toMatchObject({
      type: 'json_e_o_f_exception',
      reason:
        'Unexpected end-of-input within/between Object entries\n at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1, column: 21]',
    });
    const unknown = await supertest(url)
      .post('/lib/_search')
      .send({ query: { nosuch: {} } })
      .expect(400);
    expect(unknown.body).toEqual({
      error: {
        root_cause: [{ type: 'parsing_exception', reason: 'unknown query [nosuch]', line: 1, col: 20 }],
        type: 'parsing_exception',
        reason: 'unknown query [nosuch]',
        line: 1,
        col: 20,
        caused_by: { type: 'named_object_not_found_exception', reason: '[1:20] unknown field [nosuch]' },
      },
      status: 400,
    });
  });
});

test('garbage is answered, never thrown', async () => {
  const { handler } = testNode({ indices: [indexOf('lib')] });
  const targets = ['', '//', '/%', '/%zz/_doc/1', '/lib/_search?%=%', '/?&&=&;', `/${'a/'.repeat(100)}`, '*'];
  const bodies = ['', '{', '[]', 'null', '\u0000', '{"query":[]}', '{"a":1}{"b":2}', '\n\n', '{}\n'];
  const routes = restRoutes.filter((route) => route.isHot === true);
  const known = routes.flatMap((route) =>
    route.paths.map((path) => path.replace('{index}', 'lib').replace('{id}', '1')),
  );
  for (const target of [...targets, ...new Set(known)]) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'BREW']) {
      for (const body of bodies) {
        const response = await answerRequest(handler, {
          method,
          target,
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          remoteAddress: '127.0.0.1',
          readBody: async () => new TextEncoder().encode(body),
          signal: new CancelSource(),
        });
        expect(response.status, `${method} ${target} ${body}: ${new TextDecoder().decode(response.body)}`).not.toBe(
          500,
        );
      }
    }
  }
});
