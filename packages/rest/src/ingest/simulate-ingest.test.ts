/** `_ingest/_simulate` against what a write through the same pipelines leaves. */
import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { type TestNode, testNode } from '../http.test-support.ts';

const setTo = (field: string, value: unknown): object => ({ set: { field, value } });
const append = (value: string): object => ({ append: { field: 'by', value } });

function nodeWith(): TestNode {
  const settings = (usual: string, final: string): Record<string, string> => ({
    'index.default_pipeline': usual,
    'index.final_pipeline': final,
  });
  return testNode({
    indices: [
      indexOf('lib', { settings: settings('usual', 'final') }),
      indexOf('moving', { settings: settings('move', 'final') }),
      indexOf('other', { settings: settings('usual', 'last') }),
    ],
    ingestPipelines: {
      usual: { processors: [append('usual')] },
      final: { processors: [append('final')] },
      last: { processors: [append('last')] },
      move: { processors: [setTo('_index', 'other')] },
      number: { processors: [{ convert: { field: 'n', type: 'integer' } }] },
      drop: { processors: [{ drop: {} }] },
    },
  });
}

const docOf = (answer: { json: { docs: unknown[] } }): unknown => (answer.json.docs[0] as { doc: unknown }).doc;

describe('a simulated ingest', () => {
  test('shows what the pipelines of each index make of its documents, and writes nothing', async () => {
    const node = nodeWith();
    const docs = [
      { _index: 'lib', _id: '1', _source: { n: 1.5 } },
      { _index: 'moving', _id: 2, _source: {} },
      { _index: 'none', _source: { a: [] } },
    ];
    const { status, json } = await node.ask('POST', '/_ingest/_simulate', { docs });
    expect(status).toBe(200);
    expect(json.docs).toEqual([
      {
        doc: {
          ...{ _id: '1', _index: 'lib', _version: -3 },
          _source: { n: 1.5, by: ['usual', 'final'] },
          executed_pipelines: ['usual', 'final'],
        },
      },
      {
        doc: {
          ...{ _id: '2', _index: 'other', _version: -3 },
          _source: { by: ['last'] },
          executed_pipelines: ['move', 'last'],
        },
      },
      { doc: { _id: null, _index: 'none', _version: -3, _source: { a: [] }, executed_pipelines: [] } },
    ]);
    expect((await node.ask('GET', '/lib/_doc/1')).status).toBe(404);
  });

  test('runs other pipelines in place of stored ones, and of the usual one', async () => {
    const node = nodeWith();
    const docs = [{ _source: {} }];
    const substituted = { usual: { processors: [append('new'), { pipeline: { name: 'more' } }] } };
    const more = { processors: [append('more')] };
    const pipelines = { docs, pipeline_substitutions: { ...substituted, more } };
    expect(docOf(await node.ask('POST', '/_ingest/lib/_simulate', pipelines))).toMatchObject({
      _source: { by: ['new', 'more', 'final'] },
      executed_pipelines: ['usual', 'final'],
    });
    expect(docOf(await node.ask('GET', '/_ingest/lib/_simulate?pipeline=last', { docs }))).toMatchObject({
      executed_pipelines: ['last', 'final'],
    });
    expect(docOf(await node.ask('GET', '/_ingest/lib/_simulate?pipeline=_none', { docs }))).toMatchObject({
      executed_pipelines: ['final'],
    });
    const { ingestPipelines } = node.cluster.state().metadata;
    expect([ingestPipelines.has('more'), ingestPipelines.size]).toEqual([false, 6]);
  });

  test('tells of each document why it fails or that it is dropped', async () => {
    const node = nodeWith();
    const ask = (pipeline: string): Promise<{ json: { docs: unknown[] } }> =>
      node.ask('POST', `/_ingest/lib/_simulate?pipeline=${pipeline}`, { docs: [{ _id: '1', _source: { n: 'x' } }] });
    expect(docOf(await ask('number'))).toEqual({
      _id: '1',
      _index: 'lib',
      error: expect.objectContaining({
        type: 'illegal_argument_exception',
        reason: 'unable to convert [x] to integer',
      }),
    });
    expect(docOf(await ask('absent'))).toMatchObject({
      error: { reason: 'pipeline with id [absent] does not exist' },
    });
    expect(docOf(await ask('drop'))).toBeNull();
  });

  test.each([
    [{}, '[docs] required property is missing'],
    [{ docs: [] }, 'must specify at least one document in [docs]'],
    [{ docs: [1] }, 'malformed [docs] section'],
    [{ docs: [{ _source: {} }] }, '[_index] required property is missing'],
    [{ docs: [{ _index: 'lib' }] }, '[_source] required property is missing'],
    [{ docs: [{ _index: 'lib', _source: {} }], mapping_addition: {} }, '[mapping_addition] is not supported'],
    [
      { docs: [{ _index: 'lib', _source: {} }], pipeline_substitutions: { p: { processors: [{ nope: {} }] } } },
      'No processor type exists with name [nope]',
    ],
  ])('%j is refused', async (body, reason) => {
    const { status, json } = await nodeWith().ask('POST', '/_ingest/_simulate', body);
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(reason)]);
  });
});

describe('a document that a pipeline reroutes', () => {
  const stream = (name: string, settings: Record<string, string>): ReturnType<typeof indexOf> =>
    indexOf(name, { settings });
  const reroute = (options: object): object => ({
    processors: [append('before'), { reroute: options }, append('never')],
  });
  const node = (): TestNode =>
    testNode({
      indices: [
        stream('logs-app-default', { 'index.default_pipeline': 'route', 'index.final_pipeline': 'last' }),
        stream('logs-nginx-default', { 'index.default_pipeline': 'nginx', 'index.final_pipeline': 'last' }),
        stream('logs-a-x', { 'index.default_pipeline': 'to-b' }),
        stream('logs-b-x', { 'index.default_pipeline': 'to-a' }),
        stream('logs-f-x', { 'index.final_pipeline': 'to-b' }),
        stream('logs-same-x', { 'index.default_pipeline': 'same', 'index.final_pipeline': 'last' }),
      ],
      ingestPipelines: {
        route: { processors: [{ pipeline: { name: 'inner' } }, append('never')] },
        inner: reroute({ dataset: ['{{service.name}}', 'other'] }),
        nginx: { processors: [append('nginx')] },
        last: { processors: [append('last')] },
        'to-a': reroute({ destination: 'logs-a-x' }),
        'to-b': reroute({ destination: 'logs-b-x' }),
        same: reroute({ dataset: 'same' }),
      },
    });
  const simulated = async (index: string, source: object): Promise<unknown> => {
    const docs = [{ _index: index, _id: '1', _source: source }];
    return docOf(await node().ask('POST', '/_ingest/_simulate', { docs }));
  };

  test('goes through the pipelines of its new index, and no further through those of the first', async () => {
    expect(await simulated('logs-app-default', { service: { name: 'Nginx' } })).toMatchObject({
      _index: 'logs-nginx-default',
      _source: {
        by: ['before', 'nginx', 'last'],
        data_stream: { type: 'logs', dataset: 'nginx', namespace: 'default' },
      },
      executed_pipelines: ['route', 'nginx', 'last'],
    });
    expect(await simulated('logs-app-default', {})).toMatchObject({
      _index: 'logs-other-default',
      executed_pipelines: ['route'],
    });
    expect(await simulated('logs-same-x', {})).toMatchObject({
      _index: 'logs-same-x',
      _source: { by: ['before', 'last'] },
    });
  });

  test('is refused where it comes round to an index again, or a final pipeline moves it', async () => {
    expect(await simulated('logs-a-x', {})).toMatchObject({
      error: {
        type: 'illegal_state_exception',
        reason:
          'index cycle detected while processing pipeline [to-a] for document [1]: [logs-a-x, logs-b-x, logs-a-x]',
      },
    });
    expect(await simulated('logs-f-x', {})).toMatchObject({
      error: { reason: "final pipeline [to-b] can't change the target index" },
    });
  });
});
