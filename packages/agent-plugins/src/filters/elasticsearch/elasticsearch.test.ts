import { createServer } from 'node:http';
import { parseFieldReference } from '@shoal/agent-event';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { plain, runFilter, testFiles } from '../filter-outcome.test-support.ts';
import { elasticsearchFilter } from './elasticsearch.ts';

type Fields = Record<string, unknown>;
const file = testFiles();

/** A cluster that gives `answers` in turn, the last of them for ever, and shows what it was asked. */
async function cluster(...answers: readonly { readonly status?: number; readonly body: Fields }[]) {
  const asked: { method: string; path: string; query: Fields; body: string; authorization: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://local');
      const { status = 200, body } = answers[Math.min(asked.length, answers.length - 1)] ?? { body: {} };
      asked.push({
        method: request.method ?? '',
        path: decodeURIComponent(pathname),
        query: Object.fromEntries(searchParams),
        body: Buffer.concat(chunks).toString('utf8'),
        authorization: request.headers.authorization ?? '',
      });
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { asked, hosts: [`http://127.0.0.1:${port}`] };
}

const shards = { total: 1, successful: 1, failed: 0 };
const answer = (hits: readonly Fields[], more: Fields = {}) => ({
  body: { _shards: shards, hits: { total: { value: hits.length, relation: 'eq' }, hits }, ...more },
});

async function lookUp(options: Fields, fields: Fields) {
  const log = createRecordingLog();
  const runtime = createNodeRuntime({ log });
  const made = makeFilter(elasticsearchFilter, options, { runtime });
  onTestFinished(async () => made.filter.stop?.());
  const event = eventOf(fields);
  const { outcome } = await made.run(event);
  return { outcome, event, fields: plain(event), log };
}

describe('the search of the elasticsearch filter', () => {
  test('is a query string with fields of the event, newest first, one hit', async () => {
    const { asked, hosts } = await cluster(answer([]));
    await lookUp({ hosts, query: 'type:start AND operation:%{[op][id]}' }, { op: { id: 'a b' } });
    expect(asked).toMatchObject([
      {
        method: 'GET',
        path: '/_search',
        query: { q: 'type:start AND operation:a b', size: '1', sort: '@timestamp:desc' },
      },
    ]);
  });

  test('takes its index from the event, its size and sort from the options', async () => {
    const { asked, hosts } = await cluster(answer([]));
    const options = { hosts, query: '*', index: 'logs-%{day},other', result_size: 5, sort: 'n:asc' };
    await lookUp(options, { day: '2026' });
    await lookUp({ ...options, enable_sort: false }, { day: '2027' });
    expect(asked).toMatchObject([
      { path: '/logs-2026,other/_search', query: { q: '*', size: '5', sort: 'n:asc' } },
      { path: '/logs-2027,other/_search', query: { q: '*', size: '5' } },
    ]);
    expect(asked[1]?.query).not.toHaveProperty('sort');
  });

  test('is the JSON of a template, which says size and sort itself', async () => {
    const { asked, hosts } = await cluster(answer([]));
    const template = file('template.json', '{"size":2,"query":{"term":{"id":"%{id}"}}}');
    await lookUp({ hosts, query_template: template, result_size: 9 }, { id: 'x' });
    expect(asked).toMatchObject([
      { method: 'POST', path: '/_search', query: {}, body: '{"size":2,"query":{"term":{"id":"x"}}}' },
    ]);
  });

  test('shows who asks', async () => {
    const { asked, hosts } = await cluster(answer([]));
    await lookUp({ hosts, query: '*', user: 'u', password: 'p' }, {});
    await lookUp({ hosts, query: '*', api_key: 'id:key' }, {});
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    expect(asked.map(({ authorization }) => authorization)).toEqual([
      `Basic ${base64('u:p')}`,
      `ApiKey ${base64('id:key')}`,
    ]);
  });
});

describe('what the elasticsearch filter found', () => {
  const HIT = {
    _id: '7',
    _index: 'i',
    _source: { '@timestamp': '2026-01-02T03:04:05Z', user: { name: 'ann' }, 'a.b': 1 },
  };

  test('is copied from the document and from around it; a missing field is null', async () => {
    const { hosts } = await cluster(answer([HIT]));
    const options = {
      hosts,
      query: '*',
      fields: {
        '@timestamp': 'started',
        '[user][name]': '[who][name]',
        'user.name': 'dotted',
        'a.b': 'ab',
        none: 'gone',
      },
      docinfo_fields: { _id: 'document_id', _index: '[found][index]' },
      add_tag: ['found'],
    };
    const { outcome, fields, event } = await lookUp(options, { id: 1 });
    expect(outcome).toBe('matched');
    expect(fields).toEqual({
      id: 1,
      started: '2026-01-02T03:04:05Z',
      who: { name: 'ann' },
      dotted: 'ann',
      ab: 1,
      gone: null,
      document_id: '7',
      found: { index: 'i' },
      tags: ['found'],
    });
    expect(event.get(parseFieldReference('[@metadata][total_hits]'))).toBe(1);
  });

  test.each([
    [
      'lists of two',
      [
        ['[user][name]', 'who'],
        ['a.b', 'ab'],
      ],
    ],
    ['names and fields in turn', ['[user][name]', 'who', 'a.b', 'ab']],
  ])('may be named in %s', async (_form, fields) => {
    const { hosts } = await cluster(answer([HIT]));
    expect((await lookUp({ hosts, query: '*', fields }, {})).fields).toEqual({ who: 'ann', ab: 1 });
  });

  test.each([['a name alone'], [[['a', 'b', 'c']]], [['a', 'b', 'c']], [[['a', 'b'], 'c']]])(
    'is not named by %j',
    async (fields) => {
      const failure = lookUp({ hosts: ['http://127.0.0.1:1'], query: '*', fields }, {});
      await expect(failure).rejects.toThrow('[fields] must have pairs');
    },
  );

  test('is a list for several hits', async () => {
    const { hosts } = await cluster(
      answer([
        { _id: '1', _source: { n: 1 } },
        { _id: '2', _source: {} },
      ]),
    );
    const options = { hosts, query: '*', result_size: 2, fields: { n: 'n' }, docinfo_fields: { _id: 'ids' } };
    expect((await lookUp(options, {})).fields).toEqual({ n: [1, null], ids: ['1', '2'] });
  });

  test('goes below the target', async () => {
    const aggregations = { by: { buckets: [{ key: 'x', doc_count: 2 }] } };
    const { hosts } = await cluster(answer([HIT], { aggregations }));
    const options = {
      hosts,
      query: '*',
      target: '[look][up]',
      fields: { user: 'user' },
      docinfo_fields: { _id: 'id' },
      aggregation_fields: { by: '[all][by]', other: 'other' },
    };
    expect((await lookUp(options, {})).fields).toEqual({
      look: { up: { user: { name: 'ann' }, id: '7', all: aggregations, other: null } },
    });
  });

  test('may be aggregations alone', async () => {
    const { hosts } = await cluster(answer([], { aggregations: { top: { value: 3 } } }));
    const { outcome, fields } = await lookUp({ hosts, query: '*', aggregation_fields: { top: 'top' } }, {});
    expect([outcome, fields]).toEqual(['matched', { top: { value: 3 } }]);
  });

  test('is nothing without hits: no field, no tag, no match', async () => {
    const { hosts } = await cluster(answer([]));
    const options = { hosts, query: '*', fields: { a: 'a' }, add_tag: ['found'] };
    const { outcome, fields, event } = await lookUp(options, {});
    expect([outcome, fields]).toEqual(['unmatched', {}]);
    expect(event.get(parseFieldReference('[@metadata][total_hits]'))).toBe(0);
  });
});

describe('a lookup that fails', () => {
  const FAILED = ['_elasticsearch_lookup_failure'];

  test.each([
    ['a refusal', { status: 400, body: { error: 'parse' } }, 'status 400'],
    [
      'shards that did not answer',
      { body: { _shards: { failed: 1, failures: [{}] }, hits: { hits: [{}] } } },
      '1 shards',
    ],
  ])('by %s is tagged and logged, and copies nothing', async (_, given, text) => {
    const { hosts } = await cluster(given);
    const { outcome, fields, log } = await lookUp({ hosts, query: '*', fields: { a: 'a' } }, { b: 1 });
    expect([outcome, fields]).toEqual(['unmatched', { b: 1, tags: FAILED }]);
    expect(String(log.lines[0]?.fields.error)).toContain(text);
  });

  test('by a cluster that is not there has the tags that are asked for', async () => {
    const options = { hosts: ['127.0.0.1:1'], query: '*', tag_on_failure: ['x', 'y'] };
    expect((await lookUp(options, {})).fields).toEqual({ tags: ['x', 'y'] });
  });

  test('is repeated for the statuses that may be, as often as they may', async () => {
    const { asked, hosts } = await cluster(
      { status: 503, body: {} },
      { status: 429, body: {} },
      answer([{ _id: '1' }]),
    );
    const options = { hosts, query: '*', docinfo_fields: { _id: 'id' }, retry_on_status: [429, 503] };
    expect((await lookUp({ ...options, retry_on_failure: 2 }, {})).fields).toEqual({ id: '1' });
    expect(asked).toHaveLength(3);
    const busy = await cluster({ status: 503, body: {} });
    expect((await lookUp({ ...options, hosts: busy.hosts, retry_on_failure: 1 }, {})).fields).toEqual({ tags: FAILED });
    expect(busy.asked).toHaveLength(2);
  });
});

describe('options of the elasticsearch filter', () => {
  test('need one query', async () => {
    const message = 'give either [query] or [query_template]';
    await expect(runFilter(elasticsearchFilter, {}, {})).rejects.toThrow(message);
    const both = { query: '*', query_template: file('both.json', '{}') };
    await expect(runFilter(elasticsearchFilter, both, {})).rejects.toThrow(message);
  });

  test.each([
    ['a query in another language', { query: 'user:ann' }, '[query] must start with one of FROM, ROW, SHOW'],
    ['no query', {}, '[query] must start with'],
    ['options of a search', { index: 'a', sort: 'b:asc', result_size: 2 }, '[index], [sort], [result_size] cannot go'],
    ['a placeholder without a value', { query: 'FROM a | WHERE b == ?c' }, '[query_params] must have [c]'],
    ['a name that no placeholder has', { query_params: { '1a': 'b' } }, '[query_params] has [1a]'],
    ['a value that is none', { query_params: { a: ['b'] } }, '[query_params] must give [a]'],
  ])('refuse %s with ES|QL', async (what, more, message) => {
    const query = what === 'no query' ? {} : { query: 'FROM a' };
    const options = { query_type: 'esql', ...query, ...more };
    await expect(runFilter(elasticsearchFilter, options, {})).rejects.toThrow(message);
  });

  test('have parameters for ES|QL alone', async () => {
    const options = { query: '*', query_params: { a: 'b' } };
    await expect(runFilter(elasticsearchFilter, options, {})).rejects.toThrow('[query_params] go with an ES|QL query');
  });
});

describe('an ES|QL query of the elasticsearch filter', () => {
  const columns = [{ name: 'id' }, { name: 'val' }, { name: 'odd' }];
  const fields = { val: 'val_new', odd: '[new][odd]', none: 'gone' };

  test('takes its parameters from the event, and gives a value of the single row', async () => {
    const { asked, hosts } = await cluster({ body: { columns, values: [['foo', 'bar', null]] } });
    const query = 'FROM my-index | WHERE field == ?foo AND n > ?least | LIMIT 5';
    const query_params = { foo: '[bar][baz]', least: 3 };
    const options = { hosts, query_type: 'esql', query, query_params, fields, add_tag: ['found'] };
    const { outcome, fields: after, event } = await lookUp(options, { bar: { baz: 'resolved' } });
    expect(asked).toMatchObject([
      { method: 'POST', path: '/_query', query: { format: 'json', drop_null_columns: 'true' } },
    ]);
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ query, params: [{ foo: 'resolved' }, { least: 3 }] });
    expect(outcome).toBe('matched');
    expect(after).toEqual({ bar: { baz: 'resolved' }, val_new: 'bar', tags: ['found'] });
    expect(event.get(parseFieldReference('[@metadata][total_values]'))).toBe(1);
  });

  test('gives a list of the values of several rows, below the target', async () => {
    const values = [
      ['a', 1, null],
      ['b', null, 2],
      ['c', 3, null],
    ];
    const { hosts } = await cluster({ body: { columns, values } });
    const options = { hosts, query_type: 'esql', query: ' FROM a', fields, target: 'found' };
    expect((await lookUp(options, {})).fields).toEqual({ found: { val_new: [1, 3], new: { odd: 2 } } });
  });

  test('that finds nothing counts as done, and one that fails is tagged', async () => {
    const { hosts } = await cluster({ body: {} }, { status: 400, body: { error: 'no such index' } });
    const options = { hosts, query_type: 'esql', query: 'FROM a', fields };
    expect(await lookUp(options, {})).toMatchObject({ outcome: 'matched', fields: {} });
    const failed = await lookUp(options, {});
    expect(failed).toMatchObject({ outcome: 'unmatched', fields: { tags: ['_elasticsearch_lookup_failure'] } });
  });
});
