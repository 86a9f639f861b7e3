import { runSteps } from '@shoal/core';
import { IngestDocument, PipelineRunner, PipelineSet } from '@shoal/ingest';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';
import { ingestStatsBody } from './ingest-stats-body.ts';

const lines = (...parts: readonly object[]): string => parts.map((part) => `${JSON.stringify(part)}\n`).join('');
const setTo = (field: string, value: unknown) => ({ set: { field, value } });

describe('ingest pipelines', () => {
  test('are kept as they were put, with numbers as they were written', async () => {
    const node = testNode({});
    const config = '{"version":3,"_meta":{"a":1.0},"processors":[{"set":{"field":"a","value":1.0,"tag":"t"}}]}';
    expect((await node.ask('PUT', '/_ingest/pipeline/p', Buffer.from(config))).json).toEqual({ acknowledged: true });
    expect((await node.ask('GET', '/_ingest/pipeline/p')).text).toBe(`{"p":${config}}`);
    expect((await node.ask('GET', '/_ingest/pipeline/q*')).status).toBe(404);
    expect((await node.ask('DELETE', '/_ingest/pipeline/q')).json.error.type).toBe('resource_not_found_exception');
    expect((await node.ask('DELETE', '/_ingest/pipeline/*')).json).toEqual({ acknowledged: true });
    expect((await node.ask('GET', '/_ingest/pipeline')).status).toBe(404);
  });

  test.each([
    [{ processors: [{ nope: {} }] }, 'No processor type exists with name [nope]', { processor_type: 'nope' }],
    [{ processors: [{ set: { field: 'a' } }] }, '[value] required property is missing', { property_name: 'value' }],
    [
      { processors: [{ set: { field: 1, value: 1, tag: 't' } }] },
      "[field] property isn't a string, but of type [java.lang.Integer]",
      { processor_tag: 't' },
    ],
    [
      { processors: [{ set: { ...{ field: 'a', value: 1 }, x: 1, y: 2 } }] },
      "processor [set] doesn't support one or more provided configuration parameters [x, y]",
      {},
    ],
    [{ processors: [], on_failure: [] }, 'pipeline [p] cannot have an empty on_failure option defined', {}],
    [
      { processors: [], invalid_field: {} },
      "pipeline [p] doesn't support one or more provided configuration parameters [invalid_field]",
      {},
    ],
    [{}, '[processors] required property is missing', { property_name: 'processors' }],
  ])('that cannot run are refused when they are put: %j', async (body, reason, headers) => {
    const { status, json } = await testNode({}).ask('PUT', '/_ingest/pipeline/p', body);
    expect([status, json.error.type, json.error.reason]).toEqual([400, 'parse_exception', reason]);
    expect(json.error).toMatchObject(headers);
  });

  test('change index, id and fields of what is written through them', async () => {
    const processors = [setTo('_id', 'n-{{name}}'), setTo('_index', 'other'), setTo('seen', true)];
    const node = testNode({ indices: [indexOf('lib'), indexOf('other')], ingestPipelines: { p: { processors } } });
    const written = await node.ask('PUT', '/lib/_doc/1?pipeline=p', { name: 'x' });
    expect([written.status, written.json._index, written.json._id]).toEqual([201, 'other', 'n-x']);
    expect((await node.ask('GET', '/other/_doc/n-x')).json._source).toEqual({ name: 'x', seen: true });
    expect((await node.ask('GET', '/lib/_doc/1')).status).toBe(404);
  });

  test('of an index run unless the request names another, and the final one behind any', async () => {
    const settings = { 'index.default_pipeline': 'usual', 'index.final_pipeline': 'final' };
    const append = (value: string) => ({ processors: [{ append: { field: 'by', value } }] });
    const node = testNode({
      indices: [indexOf('lib', { settings })],
      ingestPipelines: { usual: append('usual'), final: append('final'), other: append('other') },
    });
    await node.ask('PUT', '/lib/_doc/1', {});
    await node.ask('PUT', '/lib/_doc/2?pipeline=other', {});
    await node.ask('PUT', '/lib/_doc/3?pipeline=_none', {});
    await node.ask('POST', '/lib/_update/4', { doc: { a: 1 }, upsert: { b: 1 } });
    await node.ask('POST', '/lib/_update/5', { doc: { a: 1 }, doc_as_upsert: true });
    const by = async (id: string) => (await node.ask('GET', `/lib/_doc/${id}`)).json._source.by;
    expect([await by('1'), await by('2'), await by('3'), await by('4'), await by('5')]).toEqual([
      ['usual', 'final'],
      ['other', 'final'],
      ['final'],
      ['usual', 'final'],
      ['usual', 'final'],
    ]);
  });

  test('of a template run for the document that creates the index', async () => {
    const template = { index_patterns: ['new*'], template: { settings: { 'index.default_pipeline': 'p' } } };
    const node = testNode({ ingestPipelines: { p: { processors: [setTo('_index', 'there'), setTo('a', 1)] } } });
    await node.ask('PUT', '/_index_template/t', template);
    expect((await node.ask('PUT', '/new/_doc/1', {})).json._index).toBe('there');
    expect([...node.cluster.state().metadata.indices.keys()]).toEqual(['there']);
  });

  test('drop and fail documents of a bulk one by one, each at its place', async () => {
    const node = testNode({
      indices: [indexOf('lib')],
      ingestPipelines: {
        drop: { processors: [{ drop: {} }] },
        fail: { processors: [{ fail: { message: 'no {{a}}' } }] },
        loop: { processors: [{ pipeline: { name: 'loop' } }] },
      },
    });
    const item = (id: string, pipeline: string) => [{ index: { _id: id, pipeline } }, { a: 1 }];
    const { json } = await node.ask(
      'POST',
      '/lib/_bulk',
      lines(
        ...item('1', '_none'),
        ...item('2', 'drop'),
        ...item('3', 'fail'),
        ...item('4', 'loop'),
        ...item('5', 'none'),
      ),
    );
    expect(json.errors).toBe(true);
    const shown = json.items.map(({ index }: { index: Record<string, never> }) => index);
    expect(shown[0]).toMatchObject({ _id: '1', result: 'created', status: 201 });
    expect(shown[1]).toEqual({
      ...{ _index: 'lib', _id: '2', _version: -3, result: 'noop' },
      ...{ _shards: { total: 0, successful: 0, failed: 0 }, status: 200 },
    });
    expect(shown[2]).toMatchObject({ status: 500, error: { type: 'fail_processor_exception', reason: 'no 1' } });
    expect(shown[3]).toMatchObject({ status: 400, error: { reason: 'Cycle detected for pipeline: loop' } });
    expect(shown[4]).toMatchObject({ status: 400, error: { reason: 'pipeline with id [none] does not exist' } });
  });

  test('that double what they run at every level end with an error', async () => {
    const twice = (name: string) => ({ processors: [{ pipeline: { name } }, { pipeline: { name } }] });
    const levels = Array.from({ length: 30 }, (_, at) => [`p${at}`, twice(`p${at + 1}`)]);
    const node = testNode({
      indices: [indexOf('lib')],
      ingestPipelines: { ...Object.fromEntries(levels), p30: { processors: [setTo('a', 1)] } },
    });
    const { status, json } = await node.ask('PUT', '/lib/_doc/1?pipeline=p0', {});
    expect([status, json.error.reason]).toEqual([400, 'a document takes more than [200000] steps through pipelines']);
  });
});

describe('what goes through pipelines', () => {
  test('is counted, by pipeline and processor, also across changes of a pipeline', async () => {
    const runtime = createNodeRuntime({ log: createSilentLog() });
    const { clock } = runtime;
    const set = new PipelineSet(runtime);
    const configs = (config: object) => ({
      ingestPipelines: new Map([['p', { id: 'p', config: JSON.stringify(config) }]]),
      storedScripts: new Map(),
    });
    const run = async (config: object): Promise<void> => {
      const pipeline = (await set.source(configs(config)))('p');
      if (pipeline === undefined) throw new Error('no pipeline');
      const runner = new PipelineRunner({
        pipelines: () => undefined,
        clock,
        watcher: null,
        enrich: { find: () => [] },
      });
      runSteps(runner.run(pipeline, new IngestDocument(new Map(), new Map())));
    };
    await run({ processors: [{ set: { field: 'a', value: 1, tag: 't' } }] });
    await run({
      processors: [{ set: { field: 'a', value: 2, tag: 't' } }, { fail: { message: 'm', ignore_failure: true } }],
    });
    const last = {
      processors: [{ set: { field: 'a', value: 2, tag: 't' } }, { fail: { message: 'm', ignore_failure: true } }],
    };
    const body = JSON.parse(JSON.stringify(ingestStatsBody(set.total, await set.all(configs(last)))));
    expect(body.pipelines.p).toMatchObject({ count: 2, failed: 0, current: 0 });
    expect(body.pipelines.p.processors).toMatchObject([
      { 'set:t': { type: 'set', stats: { count: 2, failed: 0 } } },
      { fail: { type: 'fail', stats: { count: 1, failed: 1 } } },
    ]);
  });

  test('is told of a managed pipeline once it was used, and of others always', async () => {
    const set = new PipelineSet(createNodeRuntime({ log: createSilentLog() }));
    const managed = JSON.stringify({ processors: [], _meta: { managed: true } });
    const own = JSON.stringify({ processors: [], _meta: { managed: 'by us' } });
    const stored = {
      ingestPipelines: new Map([
        ['m', { id: 'm', config: managed }],
        ['o', { id: 'o', config: own }],
      ]),
      storedScripts: new Map(),
    };
    const told = async () => (await set.all(stored)).map(({ id }) => id);
    expect(await told()).toEqual(['o']);
    (await set.source(stored))('m');
    expect(await told()).toEqual(['m', 'o']);
  });
});

describe('_simulate', () => {
  const simulate = async (processors: readonly object[], source: object, query = '') => {
    const body = { pipeline: { processors }, docs: [{ _source: source }] };
    return (await testNode({}).ask('POST', `/_ingest/pipeline/_simulate${query}`, body)).json.docs[0];
  };

  test('shows the document with its metadata, or the error, or null for one that was dropped', async () => {
    const { doc } = await simulate([setTo('b', '{{_index}} {{a}}')], { a: 1 });
    expect(doc).toMatchObject({ _index: '_index', _id: '_id', _source: { a: 1, b: '_index 1' } });
    expect(Object.keys(doc._ingest)).toEqual(['timestamp']);
    expect((await simulate([{ fail: { message: 'm' } }], {})).error.type).toBe('fail_processor_exception');
    expect(await simulate([{ drop: {} }], {})).toBeNull();
  });

  test('tells those who handle a failure what failed', async () => {
    const told =
      '{{_ingest.on_failure_message}}|{{_ingest.on_failure_processor_type}}|{{_ingest.on_failure_processor_tag}}';
    const failing = { convert: { field: 'a', type: 'integer', tag: 'c', on_failure: [setTo('told', told)] } };
    const { doc } = await simulate([failing, setTo('after', true)], { a: 'x' });
    expect(doc._source).toEqual({ a: 'x', told: 'For input string: \\"x\\"|convert|c', after: true });
    expect(Object.keys(doc._ingest)).toEqual(['timestamp']);
  });

  test('verbose shows every step with its outcome', async () => {
    const steps = [
      { rename: { field: 'no', target_field: 'x', tag: 'r', ignore_failure: true } },
      setTo('a', 2),
      { rename: { field: 'no', target_field: 'x', on_failure: [setTo('f', 1)] } },
      { drop: { description: 'd' } },
    ];
    const { processor_results: shown } = await simulate(steps, { a: 1 }, '?verbose');
    expect(shown.map((result: Record<string, string>) => [result.processor_type, result.status])).toEqual([
      ['rename', 'error_ignored'],
      ['set', 'success'],
      ['rename', 'error'],
      ['set', 'success'],
      ['drop', 'dropped'],
    ]);
    expect(shown[0]).toMatchObject({ tag: 'r', ignored_error: { error: { reason: "field [no] doesn't exist" } } });
    expect(shown[0].doc._source).toEqual({ a: 1 });
    expect(shown[1].doc._source).toEqual({ a: 2 });
    expect(shown[3].doc._ingest.pipeline).toBe('_simulate_pipeline');
  });

  test('of a stored pipeline needs one, and documents', async () => {
    const node = testNode({ ingestPipelines: { p: { processors: [] } } });
    const of = async (id: string, body: object) =>
      (await node.ask('POST', `/_ingest/pipeline/${id}/_simulate`, body)).json;
    expect((await of('p', { docs: [{ _source: { a: 1 } }] })).docs[0].doc._source).toEqual({ a: 1 });
    expect((await of('q', { docs: [{ _source: {} }] })).error.reason).toBe('pipeline [q] does not exist');
    expect((await of('p', { docs: [] })).error.reason).toBe('must specify at least one document in [docs]');
    expect((await of('p', {})).error.reason).toBe('[docs] required property is missing');
    expect((await of('p', { docs: [{}] })).error.reason).toBe('[_source] required property is missing');
  });
});
