import { beforeEach, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { type Answer, type TestNode, testNode } from '../http.test-support.ts';
import { CONNECTOR } from './connector-document.ts';
import { SYNC_JOB } from './sync-job-document.ts';

let node: TestNode;

beforeEach(() => {
  node = testNode({
    indices: [CONNECTOR, SYNC_JOB].map(({ index }) => ({ ...indexOf(index.name), mapping: index.mappings })),
  });
});

const put = (id: string, body: object = {}) => node.ask('PUT', `/_connector/${id}`, body);
const change = (path: string, body?: object) => node.ask('PUT', `/_connector/a/${path}`, body);
const shown = async (id = 'a') => (await node.ask('GET', `/_connector/${id}`)).json;
const listed = async (parameters = '') =>
  (await node.ask('GET', `/_connector${parameters}`)).json.results.map(({ id }: { readonly id: string }) => id);
const refusal = ({ status, json }: Answer) => [status, json.error.type, json.error.reason];

const RULE = { field: 'f', id: 'r', order: 0, policy: 'exclude', rule: 'equals', value: 'x' };

describe('a connector', () => {
  test('is made with what it does not say, replaced, and shown', async () => {
    const made = await put('a', { index_name: 'books', service_type: 's', name: 'n' });
    expect([made.status, made.json]).toEqual([201, { result: 'created', id: 'a' }]);
    const schedule = { enabled: false, interval: '0 0 0 * * ?' };
    expect(await shown()).toMatchObject({
      id: 'a',
      index_name: 'books',
      is_native: false,
      status: 'created',
      configuration: {},
      scheduling: { access_control: schedule, full: schedule, incremental: schedule },
      filtering: [{ domain: 'DEFAULT', active: { rules: [{ id: 'DEFAULT' }] } }],
    });
    const again = await put('a', { index_name: 'books', is_native: null });
    expect([again.status, again.json.result, (await shown()).name]).toEqual([200, 'updated', null]);
    const posted = await node.ask('POST', '/_connector');
    expect(await shown(posted.json.id)).toMatchObject({ id: posted.json.id, index_name: null });
  });

  test('is found by its index, name and service, and by a part of them', async () => {
    await put('b', { index_name: 'films', name: 'Second', service_type: 't' });
    await put('a', { index_name: 'books', name: 'First', service_type: 's' });
    expect(await listed()).toEqual(['a', 'b']);
    expect(await listed('?index_name=films,none')).toEqual(['b']);
    expect(await listed('?connector_name=First')).toEqual(['a']);
    expect(await listed('?service_type=t')).toEqual(['b']);
    expect(await listed('?query=ook')).toEqual(['a']);
    expect(await listed('?from=1&size=1')).toEqual(['b']);
  });

  test('is deleted for good, or hidden, with its jobs or without', async () => {
    for (const id of ['a', 'b']) {
      await put(id, { index_name: id });
      await node.ask('POST', '/_connector/_sync_job', { id });
    }
    expect((await node.ask('DELETE', '/_connector/a')).json).toEqual({ acknowledged: true });
    expect((await node.ask('GET', '/_connector/a')).status).toBe(404);
    expect((await node.ask('GET', '/_connector/a?include_deleted=true')).json.deleted).toBe(true);
    expect([await listed(), await listed('?include_deleted=true')]).toEqual([['b'], ['a', 'b']]);
    expect((await put('c', { index_name: 'a' })).status).toBe(201);
    await node.ask('DELETE', '/_connector/b?hard=true&delete_sync_jobs=true');
    expect((await node.ask('GET', '/_connector/b?include_deleted=true')).status).toBe(404);
    expect((await node.ask('GET', '/_connector/_sync_job')).json).toMatchObject({
      count: 1,
      results: [{ connector: { id: 'a' } }],
    });
    expect(refusal(await node.ask('DELETE', '/_connector/b'))).toEqual([
      404,
      'resource_not_found_exception',
      'connector [b] not found',
    ]);
  });

  test('has an index for itself, a native one under a prefix', async () => {
    await put('a', { index_name: 'books' });
    const taken = [400, 'status_exception', 'Index name [books] is used by another connector.'];
    expect(refusal(await put('b', { index_name: 'books' }))).toEqual(taken);
    await put('b', { index_name: 'films' });
    expect(refusal(await node.ask('PUT', '/_connector/b/_index_name', { index_name: 'books' }))).toEqual(taken);
    expect((await put('c', { index_name: 'plays', is_native: true })).status).toBe(400);
    expect((await put('c', { index_name: 'content-plays', is_native: true })).status).toBe(201);
    expect(await shown('c')).toMatchObject({ is_native: true, status: 'needs_configuration' });
    expect((await change('_native', { is_native: true })).status).toBe(400);
  });

  test.each([
    [{ more: 1 }, 'unknown field [more]'],
    [{ name: 1 }, '[name] must not be of type [number]'],
  ])('of %j is refused', async (body, reason) => {
    expect(refusal(await put('a', body))).toEqual([400, 'x_content_parse_exception', expect.stringContaining(reason)]);
  });
});

describe('a change of a connector', () => {
  beforeEach(() => put('a', { index_name: 'books' }));

  test.each([
    ['_check_in', undefined, { last_seen: expect.any(String) }],
    [
      '_last_sync',
      { last_sync_status: 'completed', sync_cursor: { a: 1 } },
      { last_sync_status: 'completed', sync_cursor: { a: 1 } },
    ],
    ['_api_key_id', { api_key_id: 'k' }, { api_key_id: 'k', api_key_secret_id: null }],
    ['_error', { error: 'broken' }, { error: 'broken', status: 'error' }],
    ['_error', { error: null }, { error: null, status: 'connected' }],
    [
      '_features',
      { features: { sync_rules: { basic: { enabled: true } } } },
      { features: { sync_rules: { basic: { enabled: true } } } },
    ],
    ['_index_name', { index_name: null }, { index_name: null }],
    ['_name', { description: 'd' }, { description: 'd', name: null }],
    ['_service_type', { service_type: 's' }, { service_type: 's', status: 'created' }],
    ['_status', { status: 'needs_configuration' }, { status: 'needs_configuration' }],
  ])('%s %j sets what it says', async (path, body, members) => {
    expect((await change(path, body)).json).toEqual({ result: 'updated' });
    expect(await shown()).toMatchObject(members);
  });

  test.each([
    ['_api_key_id', {}, 'cannot both be null'],
    ['_name', { name: null }, 'cannot both be null'],
    ['_configuration', {}, 'cannot both be null'],
    ['_configuration', { values: { a: 1 } }, 'Unknown [configuration] fields in the request payload: [a]'],
    ['_configuration', { configuration: { a: { value: 1, type: 'float' } } }, '[type] must be one of'],
    ['_scheduling', { scheduling: { full: { enabled: true, interval: '30m' } } }, 'is no cron expression'],
    ['_status', { status: 'connected' }, 'Invalid transition attempt from [created] to [connected].'],
    ['_last_sync', { last_synced: 'yesterday' }, '[last_synced] must not be'],
    ['_filtering', {}, 'cannot be both [null]'],
    ['_filtering', { rules: [{ ...RULE, policy: 'none' }] }, '[policy] must be one of'],
    ['_pipeline', { pipeline: { name: 'p' } }, 'Required [extract_binary_content]'],
  ])('%s %j is refused', async (path, body, reason) => {
    const { status, text } = await change(path, body);
    expect([status, JSON.parse(text).error.reason]).toEqual([400, expect.stringContaining(reason)]);
    expect(await shown()).toMatchObject({ status: 'created', index_name: 'books' });
  });

  test('takes a configuration, and then values of it', async () => {
    await change('_configuration', { configuration: { host: { label: 'Host', value: 'x', order: 1 } } });
    await change('_configuration', { values: { host: 'y' } });
    expect(await shown()).toMatchObject({
      status: 'configured',
      configuration: { host: { label: 'Host', value: 'y', order: 1 } },
    });
    await change('_service_type', { service_type: 'other' });
    expect((await shown()).status).toBe('needs_configuration');
  });

  test('sets one schedule of several', async () => {
    await change('_scheduling', { scheduling: { full: { enabled: true, interval: '0 30 1 * * ?' } } });
    expect((await shown()).scheduling).toMatchObject({ full: { enabled: true }, incremental: { enabled: false } });
  });

  test('edits a draft of the filters, which counts once it is valid and activated', async () => {
    await change('_filtering', { rules: [{ ...RULE, id: 'second', order: 1 }, RULE] });
    const { draft } = (await shown()).filtering[0];
    expect(draft.rules.map(({ id }: { readonly id: string }) => id)).toEqual(['r', 'second', 'DEFAULT']);
    expect(draft.validation).toEqual({ errors: [], state: 'edited' });
    expect(refusal(await change('_filtering/_activate'))[2]).toContain('needs to be validated');
    await change('_filtering/_validation', { validation: { state: 'valid', errors: [] } });
    await change('_filtering/_activate');
    expect((await shown()).filtering[0].active.rules).toEqual(draft.rules);
  });

  test('that meets another one loses nothing of it', async () => {
    await Promise.all([
      change('_name', { name: 'n' }),
      change('_check_in'),
      change('_api_key_id', { api_key_id: 'k' }),
      change('_service_type', { service_type: 's' }),
    ]);
    const members = { name: 'n', last_seen: expect.any(String), api_key_id: 'k', service_type: 's' };
    expect(await shown()).toMatchObject(members);
  });
});

describe('a sync job', () => {
  const post = async (more: object = {}) =>
    (await node.ask('POST', '/_connector/_sync_job', { id: 'a', ...more })).json.id as string;
  const job = async (id: string) => (await node.ask('GET', `/_connector/_sync_job/${id}`)).json;
  const changeJob = (id: string, path: string, body?: object) =>
    node.ask('PUT', `/_connector/_sync_job/${id}/${path}`, body);

  beforeEach(() => put('a', { index_name: 'books', language: 'pl' }));

  test('takes along what its connector is to do', async () => {
    expect(await job(await post({ job_type: 'incremental', trigger_method: 'scheduled' }))).toMatchObject({
      status: 'pending',
      job_type: 'incremental',
      trigger_method: 'scheduled',
      connector: { id: 'a', index_name: 'books', language: 'pl', filtering: [{ domain: 'DEFAULT' }] },
    });
    const acl = await post({ job_type: 'access_control' });
    expect((await job(acl)).connector.index_name).toBe('.search-acl-filter-books');
    expect((await node.ask('POST', '/_connector/_sync_job', { id: 'none' })).status).toBe(404);
    expect((await node.ask('POST', '/_connector/_sync_job', { id: 'a', job_type: 'half' })).status).toBe(400);
  });

  test('is claimed, counted, and fails or is cancelled', async () => {
    const id = await post();
    expect(refusal(await changeJob(id, '_error', { error: 'e' }))[2]).toBe(
      'Invalid transition attempt from [pending] to [error].',
    );
    await changeJob(id, '_claim', { worker_hostname: 'w', sync_cursor: { at: 1 } });
    await changeJob(id, '_stats', { deleted_document_count: 1, indexed_document_count: 2, indexed_document_volume: 3 });
    expect(await job(id)).toMatchObject({
      status: 'in_progress',
      worker_hostname: 'w',
      indexed_document_count: 2,
      connector: { id: 'a', sync_cursor: { at: 1 } },
    });
    await changeJob(id, '_cancel');
    expect(await job(id)).toMatchObject({ status: 'canceling', canceled_at: null });
    await changeJob(id, '_error', { error: 'e' });
    expect(await job(id)).toMatchObject({ status: 'error', error: 'e', completed_at: expect.any(String) });
    const other = await post();
    await changeJob(other, '_cancel');
    expect(await job(other)).toMatchObject({ status: 'canceled', canceled_at: expect.any(String) });
    expect((await changeJob(other, '_cancel')).status).toBe(400);
  });

  test('is listed by state, type and connector, and deleted', async () => {
    const id = await post();
    await post({ job_type: 'incremental' });
    await changeJob(id, '_cancel');
    const count = async (parameters: string) =>
      (await node.ask('GET', `/_connector/_sync_job${parameters}`)).json.count;
    expect(await Promise.all(['', '?status=pending', '?job_type=full', '?connector_id=b'].map(count))).toEqual([
      2, 1, 1, 0,
    ]);
    expect((await node.ask('GET', '/_connector/_sync_job?status=half')).status).toBe(400);
    expect((await node.ask('DELETE', `/_connector/_sync_job/${id}`)).json).toEqual({ acknowledged: true });
    expect((await node.ask('GET', `/_connector/_sync_job/${id}`)).status).toBe(404);
  });
});
