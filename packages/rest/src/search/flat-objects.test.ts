/** Indices whose fields have dots in their names (`subobjects: false`), as shippers of metrics declare them. */
import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

const LONG = { type: 'long', meta: { unit: 'ms' } };

test('a field whose name goes on from that of another is found, sorted, aggregated and shown', async () => {
  const mapping = { subobjects: false, properties: { time: LONG, 'time.max': LONG, t: { type: 'keyword' } } };
  const node = testNode({ indices: [indexOf('lib', { mapping })] });
  await node.ask('PUT', '/lib/_doc/1?refresh', { time: 1, 'time.max': 10, t: 'a' });
  await node.ask('PUT', '/lib/_doc/2?refresh', { time: 2, 'time.max': 5, t: 'b' });
  const { json } = await node.ask('POST', '/lib/_search', {
    query: { range: { 'time.max': { gte: 5 } } },
    sort: [{ 'time.max': 'asc' }],
    fields: ['time*'],
    docvalue_fields: ['time.max'],
    aggs: { max: { max: { field: 'time.max' } }, sum: { sum: { field: 'time' } } },
  });
  expect(json.aggregations).toEqual({ max: { value: 10 }, sum: { value: 3 } });
  expect(json.hits.hits).toMatchObject([
    { _id: '2', sort: [5], fields: { time: [2], 'time.max': [5] } },
    { _id: '1', sort: [10], fields: { time: [1], 'time.max': [10] } },
  ]);
  const { fields } = (await node.ask('GET', '/lib/_field_caps?fields=time*')).json;
  expect(fields).toMatchObject({
    time: { long: { meta: { unit: ['ms'] } } },
    'time.max': { long: { aggregatable: true } },
  });
  const single = (await node.ask('GET', '/lib/_mapping/field/time.max')).json.lib.mappings;
  expect(single).toEqual({ 'time.max': { full_name: 'time.max', mapping: { 'time.max': LONG } } });
});

test('a field that comes to the name of a multi-field is refused, and the index goes on', async () => {
  const node = testNode({ indices: [indexOf('lib', { mapping: { subobjects: false } })] });
  const refused = await node.ask('PUT', '/lib/_doc/1?refresh', { host: 'a', 'host.keyword': 'b' });
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('[host.keyword] is defined more than once'),
  ]);
  expect((await node.ask('PUT', '/lib/_doc/2?refresh', { host: 'a' })).status).toBe(201);
  const later = await node.ask('PUT', '/lib/_doc/3?refresh', { 'host.keyword': 'b' });
  expect([later.status, later.text]).toEqual([400, expect.stringContaining('host.keyword')]);
  expect((await node.ask('GET', '/lib/_count?q=host:a')).json.count).toBe(1);
});
