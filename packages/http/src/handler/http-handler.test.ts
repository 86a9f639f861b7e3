import { assert, CancelSource, illegalArgument, indexNotFound, RawJson, ShoalError, writeJsonText } from '@shoal/core';
import { createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import {
  answerRequest,
  emptyResponse,
  type HttpHandler,
  type RenderedResponse,
  textResponse,
  valueResponse,
} from '../message/http-message.ts';
import type { Route } from '../routing/route.ts';
import { createHttpHandler, type InTurns } from './http-handler.ts';

const HITS = {
  took: 3,
  timed_out: false,
  hits: {
    max_score: null,
    hits: [
      { _id: '1', _source: new RawJson(new TextEncoder().encode('{"n": 1,"e":{},"d":1.0}')) },
      { _id: '2', _source: new RawJson(new TextEncoder().encode('{"n":2}')) },
    ],
  },
};

const routes: readonly Route<null>[] = [
  {
    methods: ['GET', 'POST'],
    paths: ['/_search', '/{index}/_search'],
    body: 'json',
    params: { size: 'integer', scroll: 'time', track_scores: 'boolean', level: ['shards', 'indices'] },
    handler: async (request) => {
      if (request.params.string('index') === 'nothere') throw indexNotFound('nothere');
      return valueResponse(HITS);
    },
  },
  { methods: ['GET', 'HEAD'], paths: ['/'], prettyByDefault: true, handler: async () => valueResponse({ name: 'n' }) },
  {
    methods: ['GET', 'DELETE', 'HEAD', 'PUT'],
    paths: ['/{index}'],
    handler: async (request) => valueResponse({ index: request.params.required('index') }),
  },
  {
    methods: ['GET'],
    paths: ['/_nodes/{node}', '/_nodes/{node}/{metric}'],
    except: ['usage'],
    handler: async (request) => valueResponse({ node: request.params.required('node') }),
  },
  {
    methods: ['POST'],
    paths: ['/_aliases'],
    body: 'json',
    isWriting: true,
    handler: async () => valueResponse({ acknowledged: true }),
  },
  { methods: ['GET'], paths: ['/_cluster/health'], handler: async () => emptyResponse() },
  { methods: ['GET'], paths: ['/_cat/count'], handler: async () => textResponse('1 2 3\n') },
  {
    methods: ['POST'],
    paths: ['/_bulk'],
    body: 'ndjson',
    handler: async (request) => valueResponse({ bytes: request.body?.length ?? 0 }),
  },
  {
    methods: ['GET'],
    paths: ['/_broken'],
    handler: async () => {
      assert(false, 'one is two');
    },
  },
];

const broken: Error[] = [];
const handler: HttpHandler = createHttpHandler(routes, {
  context: null,
  log: createSilentLog(),
  contentBytesMax: 1_000,
  onAssertionFailure: (error) => broken.push(error),
});

interface Ask {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function ask(method: string, target: string, options: Ask = {}): Promise<RenderedResponse> {
  const contentType = options.body === undefined ? {} : { 'content-type': 'application/json' };
  return answerRequest(handler, {
    method,
    target,
    headers: { ...contentType, ...options.headers },
    remoteAddress: '127.0.0.1',
    readBody: async (bytesMax) => {
      const bytes = new TextEncoder().encode(options.body ?? '');
      if (bytes.length > bytesMax) throw illegalArgument('too long');
      return bytes;
    },
    signal: new CancelSource(),
  });
}

function text(response: RenderedResponse): string {
  return new TextDecoder().decode(response.body);
}

function header(response: RenderedResponse, name: string): string | undefined {
  return response.headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

describe('errors of routing are those recorded from a real server', () => {
  test('an unknown parameter', async () => {
    const response = await ask('GET', '/lib/_search?nosuchparam=1');
    expect(response.status).toBe(400);
    expect(text(response)).toBe(
      '{"error":{"root_cause":[{"type":"illegal_argument_exception","reason":"request [/lib/_search] contains unrecognized parameter: [nosuchparam]"}],"type":"illegal_argument_exception","reason":"request [/lib/_search] contains unrecognized parameter: [nosuchparam]"},"status":400}',
    );
  });
  test('a near miss names the known parameter', async () => {
    const response = await ask('GET', '/lib/_search?scrol=1m');
    expect(JSON.parse(text(response)).error.reason).toBe(
      'request [/lib/_search] contains unrecognized parameter: [scrol] -> did you mean [scroll]?',
    );
  });
  test('a method that the path has not', async () => {
    const response = await ask('POST', '/lib');
    expect(response.status).toBe(405);
    expect(header(response, 'allow')).toBe('GET,DELETE,HEAD,PUT');
    expect(header(response, 'content-length')).toBe('114');
    expect(text(response)).toBe(
      '{"error":"Incorrect HTTP method for uri [/lib] and method [POST], allowed: [GET, DELETE, HEAD, PUT]","status":405}',
    );
    expect(text(await ask('DELETE', '/_cluster/health'))).toBe(
      '{"error":"Incorrect HTTP method for uri [/_cluster/health] and method [DELETE], allowed: [GET]","status":405}',
    );
  });
  test('OPTIONS lists the methods and has no body', async () => {
    const response = await ask('OPTIONS', '/lib');
    expect([response.status, header(response, 'allow'), text(response)]).toEqual([200, 'GET,DELETE,HEAD,PUT', '']);
    expect(header(response, 'content-type')).toBe('text/plain; charset=UTF-8');
  });
  test('a path without a handler', async () => {
    const response = await ask('GET', '/lib/_nosuch/x/y/z');
    expect([response.status, text(response)]).toEqual([
      400,
      '{"error":"no handler found for uri [/lib/_nosuch/x/y/z] and method [GET]"}',
    ]);
    expect(text(await ask('GET', '/_cat/nosuch'))).toBe(
      '{"error":"no handler found for uri [/_cat/nosuch] and method [GET]"}',
    );
  });
  test.each([
    ['GET', '/_nodes/usage'],
    ['GET', '/_nodes/n1/usage'],
    ['POST', '/_nodes/usage'],
  ])('%s %s, where a template does not take the word', async (method, path) => {
    const response = await ask(method, path);
    expect([response.status, text(response)]).toEqual([
      400,
      `{"error":"no handler found for uri [${path}] and method [${method}]"}`,
    ]);
    expect(JSON.parse(text(await ask('GET', '/_nodes/n1')))).toEqual({ node: 'n1' });
  });
  test('a literal path without the method falls back to the template', async () => {
    expect(JSON.parse(text(await ask('PUT', '/_search')))).toEqual({ index: '_search' });
  });
});

describe('parameters are checked by their type', () => {
  test.each([
    ['size=x', 'Failed to parse int parameter [size] with value [x]'],
    ['track_scores=yes', 'Failed to parse value [yes] as only [true] or [false] are allowed.'],
    ['scroll=1q', 'failed to parse setting [scroll] with value [1q] as a time value: unit is missing or unrecognized'],
    ['level=x', 'Failed to parse parameter [level] with value [x], expected one of [shards, indices]'],
  ])('%s', async (query, reason) => {
    const response = await ask('GET', `/_search?${query}`);
    expect([response.status, JSON.parse(text(response)).error.reason]).toEqual([400, reason]);
  });
  test('names in the path are percent-decoded, and may stand in the query', async () => {
    expect(JSON.parse(text(await ask('GET', '/%3Clogs-%7Bnow%2Fd%7D%3E'))).index).toBe('<logs-{now/d}>');
    expect((await ask('GET', '/_search?index=nothere')).status).toBe(404);
    expect((await ask('GET', '/%ff')).status).toBe(400);
  });
});

describe('media types', () => {
  test.each(['text/plain', ''])('a body of type [%s] is refused', async (type) => {
    const response = await ask('POST', '/lib/_search', { body: '{}', headers: { 'content-type': type } });
    expect([response.status, text(response)]).toEqual([
      406,
      `{"error":"Content-Type header [${type}] is not supported","status":406}`,
    ]);
  });
  test('NDJSON is for bulk alone', async () => {
    const headers = { 'content-type': 'application/x-ndjson' };
    expect((await ask('POST', '/_bulk', { body: '{}\n', headers })).status).toBe(200);
    expect((await ask('POST', '/_search', { body: '{}\n', headers })).status).toBe(406);
  });
  test('a body where none may be', async () => {
    const response = await ask('GET', '/', { body: '{}' });
    expect(JSON.parse(text(response)).error.reason).toBe('request [GET /] does not support having a body');
  });
  test('the vendored type is answered in kind', async () => {
    const accept = 'application/vnd.elasticsearch+json; compatible-with=8';
    const response = await ask('GET', '/_search', { headers: { accept } });
    expect(header(response, 'content-type')).toBe('application/vnd.elasticsearch+json;compatible-with=8');
    expect(header(await ask('GET', '/_search'), 'content-type')).toBe('application/json');
    const seven = await ask('GET', '/_search', { headers: { accept: accept.replace('8', '7') } });
    expect(header(seven, 'content-type')).toBe('application/vnd.elasticsearch+json;compatible-with=7');
    const six = await ask('GET', '/_search', { headers: { accept: accept.replace('8', '6') } });
    expect(six.status).toBe(400);
  });
  test('of several accepted types none counts: a handler of text answers text, and others JSON', async () => {
    const headers = { accept: 'application/vnd.elasticsearch+json; compatible-with=8,text/plain' };
    expect(header(await ask('GET', '/_search', { headers }), 'content-type')).toBe('application/json');
    expect(header(await ask('GET', '/_cat/count', { headers }), 'content-type')).toBe('text/plain; charset=UTF-8');
  });
  test.each(['application/cbor', 'application/smile'])('%s is refused', async (accept) => {
    expect((await ask('GET', '/_search', { headers: { accept } })).status).toBe(406);
  });
  test('the body may stand in the query', async () => {
    const ok = await ask('GET', '/_search?source=%7B%7D&source_content_type=application/json');
    expect(ok.status).toBe(200);
    expect((await ask('GET', '/_search?source=%7B%7D')).status).toBe(400);
  });
  test('what changes something takes it only beside a header that no page can send unasked', async () => {
    const target = '/_aliases?source=%7B%7D&source_content_type=application/json';
    expect((await ask('POST', target)).status).toBe(400);
    expect((await ask('POST', target, { headers: { 'content-type': 'text/plain' } })).status).toBe(400);
    expect((await ask('POST', target, { headers: { 'content-type': 'application/json' } })).status).toBe(200);
  });
});

describe('rendering', () => {
  test('every answer names the product and repeats the opaque id', async () => {
    const response = await ask('GET', '/nothere/_search', { headers: { 'x-opaque-id': 'abc' } });
    expect(response.status).toBe(404);
    expect([header(response, 'x-elastic-product'), header(response, 'x-opaque-id')]).toEqual(['Elasticsearch', 'abc']);
    expect(header(response, 'content-length')).toBe('371');
  });
  test('pretty is on request, and by default at the root', async () => {
    expect(text(await ask('GET', '/'))).toBe('{\n  "name" : "n"\n}\n');
    expect(text(await ask('GET', '/?pretty=false'))).toBe('{"name":"n"}');
    expect(text(await ask('GET', '/nothere/_search?pretty'))).toMatch(/^\{\n {2}"error" : \{\n {4}"root_cause" : \[\n/);
  });
  test('documents pass through untouched', async () => {
    expect(text(await ask('GET', '/_search'))).toContain('"_source":{"n": 1,"e":{},"d":1.0}');
  });
  test('filter_path keeps what it names and drops what it excludes', async () => {
    expect(text(await ask('GET', '/_search?filter_path=hits.hits._id,took'))).toBe(
      '{"took":3,"hits":{"hits":[{"_id":"1"},{"_id":"2"}]}}',
    );
    expect(text(await ask('GET', '/_search?filter_path=**.d,-took'))).toBe('{"hits":{"hits":[{"_source":{"d":1.0}}]}}');
    expect(text(await ask('GET', '/_search?filter_path=-hits.hits._s*,-t*'))).toBe(
      '{"hits":{"max_score":null,"hits":[{"_id":"1"},{"_id":"2"}]}}',
    );
    expect(text(await ask('GET', '/_search?filter_path=nothing'))).toBe('{}');
    expect(text(await ask('GET', '/_search?filter_path=**.hits.**.d'))).toBe(
      '{"hits":{"hits":[{"_source":{"d":1.0}}]}}',
    );
    expect(text(await ask('GET', '/_search?filter_path=**.**.d'))).toBe('{"hits":{"hits":[{"_source":{"d":1.0}}]}}');
  });
  test('errors are whole whatever filter_path says', async () => {
    expect(JSON.parse(text(await ask('GET', '/nothere/_search?filter_path=took'))).status).toBe(404);
  });
  test('error_trace adds where it happened', async () => {
    const response = await ask('GET', '/nothere/_search?error_trace=true');
    expect(JSON.parse(text(response)).error.stack_trace).toContain('no such index [nothere]');
  });
  test('yaml by parameter and by header', async () => {
    const byParameter = await ask('GET', '/_search?format=yaml&filter_path=hits.hits._source');
    expect(header(byParameter, 'content-type')).toBe('application/yaml');
    expect(text(byParameter)).toBe(
      '---\nhits:\n  hits:\n  - _source:\n      "n": 1\n      e: {}\n      d: 1.0\n  - _source:\n      "n": 2\n',
    );
    const byHeader = await ask('GET', '/', { headers: { accept: 'application/yaml' } });
    expect(text(byHeader)).toBe('---\nname: "n"\n');
  });
  test('text stays text', async () => {
    const response = await ask('GET', '/_cat/count');
    expect([header(response, 'content-type'), text(response)]).toEqual(['text/plain; charset=UTF-8', '1 2 3\n']);
  });
});

test('a broken invariant goes to the process, not only to the client', async () => {
  expect((await ask('GET', '/_broken')).status).toBe(500);
  expect(broken.map((error) => error.message)).toEqual(['one is two']);
});

describe('an answer that takes long to print', () => {
  const buckets = Array.from({ length: 20_000 }, (_, key) => ({ key, doc_count: 1 }));

  function askLarge(target: string, inTurns: InTurns) {
    const route: Route<null> = { methods: ['GET'], paths: ['/large'], handler: async () => valueResponse({ buckets }) };
    const handler = createHttpHandler([route], {
      context: null,
      log: createSilentLog(),
      contentBytesMax: 1_000,
      inTurns,
      onAssertionFailure: () => {},
    });
    const readBody = async () => new Uint8Array(0);
    return answerRequest(handler, {
      method: 'GET',
      target,
      headers: {},
      remoteAddress: '-',
      readBody,
      signal: new CancelSource(),
    });
  }

  test.each(['/large', '/large?pretty'])('%s is printed in steps, to the same bytes', async (target) => {
    let steps = 0;
    const answer = await askLarge(target, async (work) => {
      for (let step = work.next(); ; step = work.next()) {
        if (step.done) return step.value;
        steps++;
      }
    });
    expect(steps).toBeGreaterThan(5);
    const text = new TextDecoder().decode(answer.body);
    expect(text).toBe(writeJsonText({ buckets }, { pretty: target !== '/large' }));
    expect(answer.headers).toContainEqual(['content-length', String(answer.body.length)]);
  });

  test('fails with the error of whoever gives the turns, such as for a client that is gone', async () => {
    const answer = await askLarge('/large', async () => {
      throw new ShoalError('task_cancelled_exception', 400, 'gone');
    });
    expect(answer.status).toBe(400);
  });
});
