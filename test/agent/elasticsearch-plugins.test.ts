/**
 * The elasticsearch output, input and filter against a real node.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFilter } from '../../packages/agent-config/src/options/plugin-fixture.test-support.ts';
import { eventFromJson } from '../../packages/agent-event/src/json/event-from-json.ts';
import { elasticsearchFilter } from '../../packages/agent-plugins/src/filters/elasticsearch/elasticsearch.ts';
import { elasticsearchInput } from '../../packages/agent-plugins/src/inputs/elasticsearch/elasticsearch.ts';
import { elasticsearchOutput } from '../../packages/agent-plugins/src/outputs/elasticsearch/elasticsearch.ts';
import {
  CollectingSink,
  makeInput,
  makeOutput,
  testContext,
} from '../../packages/agent-plugins/src/plugin-instance.test-support.ts';
import { call, type RunningCluster, startUp } from '../support/shoal-process.test-support.ts';

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await startUp(['--nodes', '1', '--ephemeral', '--no-sample']);
});
afterAll(() => cluster.end());

test('what the output indexed the input reads back', async () => {
  const context = testContext();
  const output = makeOutput(
    elasticsearchOutput,
    { hosts: cluster.url, index: 'agent-%{kind}', document_id: '%{n}' },
    context,
  );
  const events = Array.from({ length: 250 }, (_, n) =>
    eventFromJson({ '@timestamp': '2026-01-02T03:04:05Z', kind: 'a', n }),
  );
  await output.receive(events);
  expect(context.counts.get('documents.successes')).toBe(250);
  await call(cluster.url, 'POST', '/agent-a/_refresh');
  expect((await call(cluster.url, 'GET', '/agent-a/_count')).body.count).toBe(250);

  const sink = new CollectingSink();
  const input = makeInput(
    elasticsearchInput,
    { hosts: cluster.url, index: 'agent-*', size: 100, docinfo: true, query: '{"sort":[{"n":"asc"}]}' },
    testContext(),
  );
  await input.start(sink);
  await input.finished;
  expect(new Set(sink.events.map((event) => event.fields.get('n')))).toEqual(
    new Set(events.map((event) => event.fields.get('n'))),
  );
  expect(sink.events[0]?.metadata.get('_index')).toBe('agent-a');
  await input.stop();
  await output.stop?.();
});

test('a conflict is dropped, a mapping that does not fit is dead-lettered, an update finds its document', async () => {
  const context = testContext();
  const create = makeOutput(
    elasticsearchOutput,
    { hosts: cluster.url, index: 'agent-b', action: 'create', document_id: '%{n}' },
    context,
  );
  await create.receive([eventFromJson({ n: 1, v: 5 })]);
  await create.receive([eventFromJson({ n: 1, v: 6 }), eventFromJson({ n: 2, v: 'no number' })]);
  expect(context.counts.get('documents.non_retryable_failures')).toBe(2);
  expect(context.deadLettered).toHaveLength(1);
  const options = { hosts: cluster.url, index: 'agent-b', action: 'update', document_id: '%{n}', doc_as_upsert: true };
  const update = makeOutput(elasticsearchOutput, options, context);
  await update.receive([eventFromJson({ n: 1, w: 7 })]);
  expect((await call(cluster.url, 'GET', '/agent-b/_doc/1')).body._source).toMatchObject({ v: 5, w: 7 });
  await create.stop?.();
  await update.stop?.();
});

test('the filter copies what a document of the cluster says', async () => {
  const output = makeOutput(
    elasticsearchOutput,
    { hosts: cluster.url, index: 'agent-c', document_id: '%{op}' },
    testContext(),
  );
  await output.receive([
    eventFromJson({ '@timestamp': '2026-01-02T03:04:05Z', op: 'x', state: 'start', host: { name: 'web' } }),
    eventFromJson({ '@timestamp': '2026-01-02T03:04:06Z', op: 'y', state: 'start', host: { name: 'db' } }),
  ]);
  await output.stop?.();
  await call(cluster.url, 'POST', '/agent-c/_refresh');
  const options = { hosts: cluster.url, index: 'agent-c', query: 'state:start AND op:%{op}' };
  const copied = { fields: { '@timestamp': 'started', '[host][name]': 'from' }, docinfo_fields: { _id: 'id' } };
  const { filter, run } = makeFilter(elasticsearchFilter, { ...options, ...copied });
  const event = eventFromJson({ op: 'x' });
  expect((await run(event)).outcome).toBe('matched');
  expect(Object.fromEntries(event.fields)).toMatchObject({ started: '2026-01-02T03:04:05.000Z', from: 'web', id: 'x' });
  await filter.stop?.();
});
