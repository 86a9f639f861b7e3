import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InProcessFetchInit } from '../fetch/in-process-fetch.ts';
import type { ShoalNode } from '../start/shoal-node.ts';
import { startShoal } from '../start/start-shoal.ts';
import { VERSION_FACTS } from './refused-elsewhere.ts';
import type { Finding, ReportOptions } from './report.ts';

const MAPPING = {
  properties: {
    title: { type: 'text', fields: { raw: { type: 'keyword' } } },
    price: { type: 'double' },
    made: { type: 'date' },
    labels: { type: 'flattened' },
    parts: { type: 'nested', properties: { name: { type: 'keyword' } } },
    maker: { properties: { name: { type: 'keyword' } } },
  },
};

let node: ShoalNode;
beforeEach(async () => {
  node = await startShoal();
  await node.fetch('/shop', { method: 'PUT', body: { mappings: MAPPING } });
  await node.load([{ title: 'red lamp', price: 9, made: '2024-01-01', parts: [{ name: 'foot' }] }], { index: 'shop' });
  node.clearRequests();
});
afterEach(() => node.close());

async function ask(path: string, body: InProcessFetchInit['body'] = null, method = 'POST'): Promise<void> {
  const answer = await node.fetch(path, { method, body });
  expect(answer.status, await answer.clone().text()).toBeLessThan(300);
}

async function texts(kind: Finding['kind'], options?: ReportOptions): Promise<readonly string[]> {
  return (await node.report(options)).filter((finding) => finding.kind === kind).map(({ text }) => text);
}

describe('a field that no mapping has', () => {
  test('is told where a search names it', async () => {
    await ask('/shop/_search', {
      query: {
        bool: {
          must: [{ match: { titel: 'lamp' } }, { multi_match: { query: 'lamp', fields: ['title^2', 'body'] } }],
          filter: [{ nested: { path: 'part', ignore_unmapped: true, query: { term: { 'parts.nam': 'foot' } } } }],
        },
      },
      sort: [{ prise: { order: 'asc', unmapped_type: 'double' } }],
      aggs: { brands: { terms: { field: 'brand' }, aggs: { mean: { avg: { field: 'cost' } } } } },
      highlight: { fields: { heading: {} } },
      docvalue_fields: ['mad'],
      _source: ['titles'],
    });
    const named = ['body', 'brand', 'cost', 'heading', 'mad', 'part', 'parts.nam', 'prise', 'titel', 'titles'];
    const told = named.map((name) => `no mapping of [shop] has the field [${name}]`);
    expect(await texts('unknownField')).toEqual(told);
    const [first] = await node.report();
    expect(first).toMatchObject({ at: 0, request: 'POST /shop/_search' });
  });

  test('is none that the mapping, the request or the engine has', async () => {
    await ask('/shop/_search', {
      runtime_mappings: { dear: { type: 'boolean', script: 'emit(doc["price"].value > 5)' } },
      query: {
        bool: {
          filter: [
            { term: { dear: true } },
            { exists: { field: 'maker' } },
            { exists: { field: 'labels.size' } },
            { nested: { path: 'parts', query: { term: { 'parts.name': 'foot' } } } },
            { script: { script: { source: 'true', params: { field: 'nothing' } } } },
            { term: { _index: 'shop' } },
          ],
        },
      },
      sort: ['_score', 'title.raw'],
      fields: ['m*', '_id'],
      aggs: { field: { stats: { field: 'price' }, meta: { field: 'nothing' } } },
    });
    expect(await texts('unknownField')).toEqual([]);
  });

  test('is told where the text of a query names it', async () => {
    await ask('/shop/_search?q=titel:lamp%20AND%20price:%3E5', null, 'GET');
    await ask('/shop/_count?q=(labels.size:big%20OR%20siz:big)', null, 'GET');
    const query =
      '+title:(lamp red) -tilte:"a: b" heigth:[1 TO 5] /x:y/ _exists_:wieght mak\\er.nam:x *:* made\\:x "quoted:text" title.\\*:lamp';
    await ask('/shop/_search', { query: { query_string: { query, fields: ['title'] } } });
    await ask('/shop/_search', { query: { query_string: { query: 'a:b', escape: true, fields: ['title'] } } });
    await ask('/shop/_search', { query: { simple_query_string: { query: 'a:b', fields: ['title'] } } });
    const named = ['titel', 'siz', 'heigth', 'maker.nam', 'tilte', 'wieght'];
    expect(await texts('unknownField')).toEqual(named.map((name) => `no mapping of [shop] has the field [${name}]`));
  });

  test('is told where a script reads it by its name', async () => {
    const script = (source: string): object => ({ script: { source, lang: 'painless' } });
    await ask('/shop/_search', {
      query: {
        bool: {
          should: [
            { script: script('doc.containsKey("prize") && doc[\'prize\'].size() > 0') },
            { script: script("/* doc['a'] */ String s = \"doc['b']\"; // doc['c']\n doc['price'].size() > 5") },
            { script: script("doc.containsKey('x') || params.n == 1 || doc['title.raw'].size() == 0") },
          ],
        },
      },
      runtime_mappings: {
        dear: { type: 'boolean', script: "if (doc.containsKey('y')) { emit(doc['prise'].value > 5) }" },
      },
      sort: { _script: { type: 'number', ...script('doc[\'price\'].size() == 0 ? 0 : doc[ "cost" ].value') } },
      script_fields: { shown: script("doc['made'].size() == 0 ? doc.get('mode').value : 1") },
    });
    const named = ['cost', 'mode', 'prise'];
    expect(await texts('unknownField')).toEqual(named.map((name) => `no mapping of [shop] has the field [${name}]`));
  });

  test('is told where a stored script reads it, and where a template asks for it, stored or not', async () => {
    const store = (id: string, lang: string, source: unknown): Promise<void> =>
      ask(`/_scripts/${id}`, { script: { lang, source } }, 'PUT');
    await store(
      'cheap',
      'painless',
      "doc['price'].size() > 0 || doc.get('prise').size() == 0 && doc['rebate'].size() == 0",
    );
    await store('named', 'mustache', { query: { match: { '{{field}}': 'lamp' } }, fields: ['titl*'] });
    node.clearRequests();
    await ask('/shop/_search', {
      query: { bool: { should: { script: { script: { id: 'cheap' } } } } },
    });
    await ask('/shop/_search/template', { id: 'named', params: { field: 'titel' } });
    await ask('/shop/_search/template', { source: '{"query":{"term":{"{{f}}":1}}}', params: { f: 'cost' } });
    await ask('/_msearch/template', '{"index":"shop"}\n{"id":"named","params":{"field":"heading"}}\n');
    const named = ['prise', 'rebate', 'titel', 'cost', 'heading'];
    expect(await texts('unknownField')).toEqual(named.map((name) => `no mapping of [shop] has the field [${name}]`));
    expect((await node.report()).map(({ at, request }) => [at, request])).toContainEqual([
      1,
      'POST /shop/_search/template',
    ]);
    expect(await texts('refusedByOlder', { elasticsearch: '7.9' })).toEqual([
      'Elasticsearch has [fields] of a search since 7.10',
    ]);
  });

  test('is looked for in what each search of several is of, and in queries that change documents', async () => {
    await ask('/_msearch', '{"index":"shop"}\n{"query":{"term":{"a":1}}}\n{}\n{"query":{"term":{"price":9}}}\n');
    await ask('/shop/_delete_by_query', { query: { term: { b: 1 } } });
    await ask('/shop/_count', { query: { term: { c: 1 } } });
    const told = ['a', 'b', 'c'].map((name) => `no mapping of [shop] has the field [${name}]`);
    expect(await texts('unknownField')).toEqual(told);
  });
});

describe('nothing found', () => {
  test('is told of searches, counts, changes by query and documents', async () => {
    const query = { term: { price: 1 } };
    await ask('/shop/_search', { query });
    await ask('/shop/_count', { query });
    await ask('/shop/_update_by_query', { query });
    await ask('/_msearch', `{"index":"shop"}\n${JSON.stringify({ query })}\n`);
    await node.fetch('/shop/_doc/none');
    await ask('/shop/_mget', { ids: ['other'] });
    const nothing = 'nothing in [shop] matches';
    const missing = ['there is no document [none]', 'there is no document [other]'];
    expect(await texts('nothingFound')).toEqual([nothing, nothing, nothing, nothing, ...missing]);
  });

  test('is not told of what was found, and not of what was refused', async () => {
    await ask('/shop/_search', { query: { term: { price: 9 } } });
    await ask('/shop/_count');
    expect((await node.fetch('/none/_search')).status).toBe(404);
    expect((await node.fetch('/shop/_search', { method: 'POST', body: { query: { no: {} } } })).status).toBe(400);
    expect(await node.report()).toEqual([]);
  });
});

const aggs = (body: object) => ({ size: 0, aggs: { a: body } });
const mapping = (type: string) => ({ mappings: { properties: { f: { type } } } });
const days = { field: 'made', calendar_interval: 'day' };

/** A request for each fact, by what the fact is about. */
const USES: Readonly<Record<string, readonly [string, InProcessFetchInit['body']?, string?]>> = {
  'the parameter [include_type_name]': ['/x?include_type_name=false', {}, 'PUT'],
  '[_type] in an action of _bulk': ['/_bulk', '{"index":{"_index":"x","_type":"_doc"}}\n{}\n'],
  'the query [common]': ['/shop/_search', { query: { common: { title: { query: 'lamp' } } } }],
  'the aggregation [moving_avg]': [
    '/shop/_search',
    aggs({
      date_histogram: days,
      aggs: { p: { sum: { field: 'price' } }, m: { moving_avg: { buckets_path: 'p' } } },
    }),
  ],
  'the parameter [boost] of a field': ['/x', { mappings: { properties: { f: { type: 'text', boost: 1 } } } }, 'PUT'],
  'the API [_flush/synced]': ['/shop/_flush/synced'],
  'the API [_slm]': ['/_slm/policy', null, 'GET'],
  'the API [_enrich]': ['/_enrich/policy', null, 'GET'],
  'the API [_async_search]': ['/shop/_async_search', {}],
  'the API [_index_template]': ['/_index_template/t', { index_patterns: ['t-*'] }, 'PUT'],
  'the API [_component_template]': ['/_component_template/t', { template: {} }, 'PUT'],
  'the API [_data_stream]': ['/_data_stream', null, 'GET'],
  'the API [_resolve/index]': ['/_resolve/index/*', null, 'GET'],
  'the API [_pit]': ['/shop/_pit?keep_alive=1m'],
  'the API [_terms_enum]': ['/shop/_terms_enum', { field: 'title.raw' }],
  'the API [_health_report]': ['/_health_report', null, 'GET'],
  'the API [_synonyms]': ['/_synonyms', null, 'GET'],
  'selectors of index names': ['/shop::data/_search', {}],
  '[fields] of a search': ['/shop/_search', { fields: ['title'] }],
  '[runtime_mappings] of a search': ['/shop/_search', { runtime_mappings: {} }],
  'the query [combined_fields]': ['/shop/_search', { query: { combined_fields: { query: 'a', fields: ['title'] } } }],
  'the aggregation [boxplot]': ['/shop/_search', aggs({ boxplot: { field: 'price' } })],
  'the aggregation [top_metrics]': [
    '/shop/_search',
    aggs({ top_metrics: { metrics: { field: 'price' }, sort: { price: 'asc' } } }),
  ],
  'the aggregation [t_test]': ['/shop/_search', aggs({ t_test: { a: { field: 'price' }, b: { field: 'made' } } })],
  'the aggregation [variable_width_histogram]': [
    '/shop/_search',
    aggs({ variable_width_histogram: { field: 'price' } }),
  ],
  'the aggregation [rate]': ['/shop/_search', aggs({ date_histogram: days, aggs: { r: { rate: { unit: 'day' } } } })],
  'the aggregation [multi_terms]': [
    '/shop/_search',
    aggs({ multi_terms: { terms: [{ field: 'title.raw' }, { field: 'price' }] } }),
  ],
  'the field type [constant_keyword]': ['/x', mapping('constant_keyword'), 'PUT'],
  'the field type [wildcard]': ['/x', mapping('wildcard'), 'PUT'],
  'the field type [unsigned_long]': ['/x', mapping('unsigned_long'), 'PUT'],
  'the field type [version]': ['/x', mapping('version'), 'PUT'],
  'the field type [match_only_text]': ['/x', mapping('match_only_text'), 'PUT'],
};

describe('what other versions refuse', () => {
  test.each(VERSION_FACTS)('$what is told, for the versions that refuse it', async ({ what, since, until }) => {
    const [path, body = null, method = 'POST'] = USES[what] ?? ['/'];
    await ask(path, body, method);
    const told =
      since === null ? `Elasticsearch ${until} and newer refuse ${what}` : `Elasticsearch has ${what} since ${since}`;
    const kind = since === null ? 'refusedByNewer' : 'refusedByOlder';
    expect(await texts(kind)).toEqual([told]);
    expect(await texts(kind, { elasticsearch: since === null ? '8.17' : '7.0' })).toEqual([told]);
    expect(await texts(kind, { elasticsearch: since === null ? '7.17' : '9.1' })).toEqual([]);
  });

  test('is nothing of a plain request', async () => {
    await ask('/shop/_search', { query: { match: { title: 'lamp' } } });
    await ask('/shop/_doc/2', { title: 'lamp' }, 'PUT');
    expect(await node.report({ elasticsearch: '7.0' })).toEqual([]);
    expect(await node.report({ elasticsearch: '8.17' })).toEqual([]);
  });

  test('wants a version of two numbers', async () => {
    await expect(node.report({ elasticsearch: '8' as '8.0' })).rejects.toThrow('a version has two numbers');
  });
});
