import { describe, expect, test } from 'vitest';
import { indexOf, nodeOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { RecordedCluster } from '../cluster/recorded-cluster.test-support.ts';
import { lib, libCopy, stateWith } from '../cluster/recorded-state.test-support.ts';
import { testNode } from '../http.test-support.ts';

const MAPPINGS = {
  one: {
    properties: {
      title: { type: 'text', fields: { raw: { type: 'keyword' } } },
      number: { type: 'double', meta: { unit: 'ms', kind: 'gauge' } },
      person: { properties: { name: { type: 'keyword', index: false } } },
      misc: { type: 'text' },
    },
  },
  two: {
    properties: {
      title: { type: 'text' },
      number: { type: 'double', meta: { unit: 'ns' } },
      person: { properties: { name: { type: 'keyword', doc_values: false } } },
    },
  },
  three: { properties: { title: { type: 'text' }, number: { type: 'long' } } },
};

const RARER_FIELDS = {
  four: {
    properties: {
      boss: { properties: { name: { type: 'keyword' } } },
      also: { type: 'alias', path: 'boss.name' },
      suggestion: { type: 'completion' },
    },
  },
};

function cluster(mappings: object): RecordedCluster {
  return new RecordedCluster(
    stateWith(
      Object.entries(mappings).map(([name, mapping]) => ({
        metadata: { ...lib, name, uuid: name, mapping, state: 'open' as const },
        shards: [[{ ...libCopy, index: name }]],
      })),
    ),
  );
}

interface Caps {
  readonly indices: readonly string[];
  readonly fields: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  readonly error: { readonly reason: string };
}

interface Answered {
  readonly status: number;
  readonly json: Caps;
}

async function ask(target: string, body?: unknown, mappings: object = MAPPINGS): Promise<Answered> {
  const { status, json } = await cluster(mappings).ask('GET', target, body);
  return { status, json: json as Caps }; // Its tests look at what they expect of it.
}

describe('_field_caps', () => {
  test('a join has a field for each kind of parent, stored queries have several, and a count of words is an integer', async () => {
    const properties = {
      j: { type: 'join', relations: { question: ['answer'], answer: 'vote' } },
      q: { type: 'percolator' },
      n: { type: 'token_count', analyzer: 'standard' },
    };
    const { json } = await ask('/_field_caps?fields=j*,q*,n', undefined, { one: { properties } });
    expect(Object.keys(json.fields)).toEqual([
      ...['j', 'j#answer', 'j#question', 'n', 'q'],
      ...['q.extracted_terms', 'q.extraction_result', 'q.minimum_should_match_field', 'q.query_builder_field'],
      'q.range_field',
    ]);
    expect(json.fields['j#answer']).toMatchObject({ parent: { searchable: true, aggregatable: true } });
    expect(json.fields.q).toMatchObject({ percolator: { searchable: false, aggregatable: false } });
    expect(json.fields.n).toMatchObject({ integer: { type: 'integer', searchable: true, aggregatable: true } });
  });

  test('a field of one type in all indices names no indices', async () => {
    const { json } = await ask('/one,two/_field_caps?fields=title');
    expect(json).toEqual({
      indices: ['one', 'two'],
      fields: { title: { text: { type: 'text', metadata_field: false, searchable: true, aggregatable: false } } },
    });
  });

  test('a field of several types names the indices of each, and merges what they declare', async () => {
    const { json } = await ask('/_field_caps?fields=number');
    const common = { metadata_field: false, searchable: true, aggregatable: true };
    expect(json.indices).toEqual(['one', 'three', 'two']);
    expect(json.fields.number).toEqual({
      double: { type: 'double', ...common, indices: ['one', 'two'], meta: { kind: ['gauge'], unit: ['ms', 'ns'] } },
      long: { type: 'long', ...common, indices: ['three'] },
    });
  });

  test('indices where a field cannot be searched or aggregated are named when others can', async () => {
    const { json } = await ask('/one,two/_field_caps?fields=person.*');
    expect(json.fields).toEqual({
      person: { object: { type: 'object', metadata_field: false, searchable: false, aggregatable: false } },
      'person.name': {
        keyword: {
          type: 'keyword',
          metadata_field: false,
          searchable: false,
          aggregatable: false,
          non_searchable_indices: ['one'],
          non_aggregatable_indices: ['two'],
        },
      },
    });
    expect((await ask('/one/_field_caps?fields=person.name')).json.fields['person.name']?.keyword).toEqual({
      type: 'keyword',
      metadata_field: false,
      searchable: false,
      aggregatable: true,
    });
  });

  test('indices without a field are of type unmapped on request', async () => {
    const { json } = await ask('/_field_caps?fields=title,misc,nosuch&include_unmapped');
    expect(Object.keys(json.fields)).toEqual(['misc', 'title']);
    expect(json.fields.misc?.text?.indices).toEqual(['one']);
    expect(json.fields.misc?.unmapped).toEqual({
      type: 'unmapped',
      metadata_field: false,
      searchable: false,
      aggregatable: false,
      indices: ['three', 'two'],
    });
  });

  test('a pattern finds sub-fields and metadata fields', async () => {
    expect(Object.keys((await ask('/one/_field_caps?fields=*')).json.fields)).toEqual([
      ...[
        '_data_stream_timestamp',
        '_doc_count',
        '_feature',
        '_field_names',
        '_id',
        '_ignored',
        '_index',
        '_nested_path',
        '_routing',
        '_seq_no',
        '_source',
        '_version',
        'misc',
        'number',
        'person',
        'person.name',
        'title',
        'title.raw',
      ],
    ]);
    expect((await ask('/one/_field_caps?fields=_i*')).json.fields._id?._id).toMatchObject({ metadata_field: true });
  });

  test('an alias shows the objects above the field that it stands for', async () => {
    const { fields } = (await ask('/four/_field_caps?fields=al*', undefined, RARER_FIELDS)).json;
    expect(Object.entries(fields).map(([name, types]) => [name, Object.keys(types)])).toEqual([
      ['also', ['keyword']],
      ['boss', ['object']],
    ]);
  });

  test('a completion is searchable', async () => {
    const { fields } = (await ask('/four/_field_caps?fields=suggestion', undefined, RARER_FIELDS)).json;
    expect(fields.suggestion?.completion).toMatchObject({ searchable: true, aggregatable: false });
  });

  test('fields may stand in the body, and the parameter wins', async () => {
    expect(Object.keys((await ask('/_field_caps', { fields: ['mis*'] })).json.fields)).toEqual(['misc']);
    expect(Object.keys((await ask('/_field_caps?fields=title', { fields: 'mis*' })).json.fields)).toEqual(['title']);
  });

  test.each([
    ['/_field_caps', undefined, 'Validation Failed: 1: no fields specified;'],
    ['/_field_caps?fields=*', { nosuch: 1 }, '[field_caps_request] unknown field [nosuch]'],
    ['/_field_caps?fields=*', { index_filter: { nosuch: {} } }, 'unknown query [nosuch]'],
    ['/_field_caps?fields=*', { runtime_mappings: { n: {} } }, 'No type specified for runtime field [n]'],
  ])('%s with %j is refused', async (target, body, reason) => {
    const { status, json } = await ask(target, body);
    expect([status, json.error.reason]).toEqual([400, reason]);
  });

  test('fields that the request declares hide those of the mapping', async () => {
    const { json } = await ask('/one/_field_caps?fields=title,extra', {
      runtime_mappings: { title: { type: 'long' }, extra: { type: 'ip', script: "emit('::1')" } },
    });
    expect(json.fields).toMatchObject({
      title: { long: { searchable: true, aggregatable: true } },
      extra: { ip: { searchable: true, aggregatable: true } },
    });
  });

  test('indices that are missing are an error, unless the request ignores them', async () => {
    expect((await ask('/one,nosuch/_field_caps?fields=*')).status).toBe(404);
    expect((await ask('/one,nosuch/_field_caps?fields=n*&ignore_unavailable')).json.indices).toEqual(['one']);
    expect((await ask('/x*/_field_caps?fields=*')).json).toEqual({ indices: [], fields: {} });
    expect((await ask('/x*/_field_caps?fields=*&allow_no_indices=false')).status).toBe(404);
  });
});

describe('filters of _field_caps', () => {
  const mapping = {
    properties: {
      title: { type: 'text', fields: { raw: { type: 'keyword' } } },
      part: { type: 'nested', properties: { size: { type: 'long' } } },
      box: { properties: { size: { type: 'long' } } },
    },
  };
  const named = async (query: string): Promise<readonly string[]> => {
    const { json } = await cluster({ one: mapping }).ask('GET', `/_field_caps?fields=*&${query}`);
    return Object.keys((json as Caps).fields).filter((name) => query.includes('metadata') || !name.startsWith('_'));
  };

  test.each([
    ['filters=-parent', ['box.size', 'part.size', 'title', 'title.raw']],
    ['filters=-nested', ['box', 'box.size', 'title', 'title.raw']],
    ['filters=-multifield,-parent', ['box.size', 'part.size', 'title']],
    ['types=keyword,text', ['title', 'title.raw']],
    ['types=long&filters=-nested', ['box', 'box.size']],
    ['filters=-metadata,-parent&types=long', ['box.size', 'part.size']],
  ])('leave with %s what is asked for', async (query, names) => {
    expect(await named(query)).toEqual(names);
  });

  test('leave with +metadata no field of a document', async () => {
    const names = await named('filters=%2Bmetadata');
    expect(names).toContain('_id');
    expect(names.every((name) => name.startsWith('_'))).toBe(true);
  });
});

describe('fields of the indices that a filter leaves', () => {
  const mapping = {
    properties: { at: { type: 'date' }, env: { type: 'constant_keyword', value: 'prod' }, n: { type: 'long' } },
  };
  const filled = async () => {
    const old = { ...mapping, properties: { ...mapping.properties, env: { type: 'keyword' }, only: { type: 'ip' } } };
    const node = testNode({
      indices: [indexOf('old', { shards: 2, mapping: old }), indexOf('new', { mapping })],
      nodes: [nodeOf('n1')],
    });
    await node.ask('PUT', '/old/_doc/1?refresh', { at: '2020-01-01', env: 'prod', n: 1 });
    await node.ask('PUT', '/new/_doc/1?refresh', { at: '2024-01-01', n: 2 });
    return node;
  };

  test.each([
    [{ range: { at: { gte: '2023' } } }, ['new']],
    [{ range: { at: { lt: '2023' } } }, ['old']],
    [{ term: { env: 'dev' } }, ['old']],
    [{ term: { _index: 'new' } }, ['new']],
    [{ exists: { field: 'only' } }, ['old']],
    [{ match_all: {} }, ['new', 'old']],
    [{ match_none: {} }, []],
    // What no column and no mapping rules out may match.
    [{ term: { n: 1 } }, ['new', 'old']],
  ])('%j', async (filter, expected) => {
    const { json } = await (await filled()).ask('POST', '/*/_field_caps?fields=*', { index_filter: filter });
    expect(json.indices).toEqual(expected);
    expect(json.fields.only !== undefined).toBe(json.indices.includes('old'));
    expect(json).not.toHaveProperty('failures');
  });

  test('indices where it fails are named, and are an error when they are all', async () => {
    const node = await filled();
    const bad = { range: { only: { gte: 'no address' } } };
    const { status } = await node.ask('POST', '/old/_field_caps?fields=*', { index_filter: bad });
    expect(status).toBe(400);
    const index_filter = { bool: { should: [bad, { match_all: {} }] } };
    const { json } = await node.ask('POST', '/*/_field_caps?fields=n', { index_filter });
    expect(json).toMatchObject({
      indices: ['new'],
      failed_indices: 1,
      failures: [{ indices: ['old'], failure: { error: { type: expect.any(String) } } }],
    });
  });
});

test('fields without a value in any document can be left out', async () => {
  const properties = {
    text: { type: 'text', fields: { raw: { type: 'keyword' } } },
    never: { type: 'long' },
    o: { properties: { in: { type: 'date' }, out: { type: 'ip' } } },
    alias: { type: 'alias', path: 'text' },
    other: { type: 'alias', path: 'never' },
    n: { type: 'nested', properties: { a: { type: 'keyword' }, b: { type: 'keyword' } } },
    c: { type: 'constant_keyword', value: 'x' },
    at: { type: 'geo_point' },
  };
  const mapping = { properties, runtime: { made: { type: 'long' } } };
  const node = testNode({ indices: [indexOf('lib', { shards: 2, mapping }), indexOf('new', { mapping })] });
  await node.ask('PUT', '/lib/_doc/1?refresh', { text: 'a', n: [{ a: 'b' }], at: '1,2' });
  await node.ask('PUT', '/lib/_doc/2?refresh', { o: { in: '2020-01-01' } });
  const names = async (target: string) => {
    const { json } = await node.ask(
      'GET',
      `/${target}/_field_caps?fields=*&filters=-metadata&include_empty_fields=false`,
    );
    return [json.indices, Object.keys(json.fields)];
  };
  expect(await names('lib')).toEqual([
    ['lib'],
    ['alias', 'at', 'c', 'made', 'n', 'n.a', 'o', 'o.in', 'text', 'text.raw'],
  ]);
  expect(await names('new')).toEqual([['new'], ['made']]);
  expect(await names('lib,new')).toEqual([['lib', 'new'], (await names('lib'))[1]]);
});

test('field capabilities tell the fields of beginnings and of pairs apart from the words that they are of', async () => {
  const properties = { typed: { type: 'search_as_you_type' }, text: { type: 'text', index_phrases: true } };
  const { json } = await ask('/one/_field_caps?fields=typed*,text*', undefined, { one: { properties } });
  const types = Object.entries(json.fields).map(([name, byType]) => [name, ...Object.keys(byType)]);
  expect(types).toEqual([
    ['text', 'text'],
    ['text._index_phrase', 'phrase'],
    ['typed', 'search_as_you_type'],
    ['typed._2gram', 'search_as_you_type'],
    ['typed._3gram', 'search_as_you_type'],
    ['typed._index_prefix', 'prefix'],
  ]);
});
