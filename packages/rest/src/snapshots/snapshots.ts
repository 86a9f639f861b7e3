/**
 * `_snapshot/{repository}/{snapshot}`: shows snapshots, how far they are, and deletes them.
 */

import type { CoordinatorContext } from '@shoal/coordinator';
import { ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { CLONE_SNAPSHOT, DELETE_SNAPSHOTS, GET_SNAPSHOTS, SNAPSHOT_STATUS } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { requiredBody } from '../request/json-body.ts';
import { snapshotBody, snapshotStatusBody } from './snapshot-body.ts';
import { checkSnapshotKeys, indicesAt, indicesOptionsAt } from './snapshot-request.ts';
import { LONG_TIMEOUT_MS, MASTER_TIMEOUT, snapshotTimeouts } from './snapshot-timeouts.ts';

export const getSnapshotsApi: RestApi = {
  usageName: 'get_snapshots_action',
  methods: ['GET'],
  paths: ['/_snapshot/{repository}/{snapshot}'],
  privilege: 'cluster:admin/snapshot/get',
  task: { action: 'cluster:admin/snapshot/get', isCancellable: false },
  params: { ...MASTER_TIMEOUT, ignore_unavailable: 'boolean', verbose: 'boolean' },
  handler: getSnapshots,
};

export const snapshotStatusApi: RestApi = {
  usageName: 'snapshot_status_action',
  methods: ['GET'],
  paths: ['/_snapshot/_status', '/_snapshot/{repository}/_status', '/_snapshot/{repository}/{snapshot}/_status'],
  privilege: 'cluster:admin/snapshot/status',
  task: { action: 'cluster:admin/snapshot/status', isCancellable: false },
  params: { ...MASTER_TIMEOUT, ignore_unavailable: 'boolean' },
  handler: async (request, { cluster }) => {
    const { params } = request;
    const repository = params.string('repository');
    const message = {
      ...snapshotTimeouts(request),
      // All repositories: only what is being made is shown.
      repository: repository === '_all' ? null : repository,
      names: params.list('snapshot'),
      ignoresUnavailable: params.boolean('ignore_unavailable', false),
    };
    const { statuses } = await cluster.admin.ask(SNAPSHOT_STATUS, message, message);
    return valueResponse({ snapshots: statuses.map(snapshotStatusBody) });
  },
};

export const deleteSnapshotsApi: RestApi = {
  usageName: 'delete_snapshot_action',
  methods: ['DELETE'],
  paths: ['/_snapshot/{repository}/{snapshot}'],
  privilege: 'cluster:admin/snapshot/delete',
  task: { action: 'cluster:admin/snapshot/delete', isCancellable: false },
  params: MASTER_TIMEOUT,
  handler: async (request, { cluster }) => {
    const message = {
      ...snapshotTimeouts(request),
      repository: request.params.required('repository'),
      names: request.params.list('snapshot'),
    };
    const { acknowledged } = await cluster.admin.ask(DELETE_SNAPSHOTS, message, {
      ...message,
      timeoutMs: LONG_TIMEOUT_MS,
    });
    return valueResponse({ acknowledged });
  },
};

export const cloneSnapshotApi: RestApi = {
  usageName: 'clone_snapshot_action',
  methods: ['PUT'],
  paths: ['/_snapshot/{repository}/{snapshot}/_clone/{target_snapshot}'],
  privilege: 'cluster:admin/snapshot/clone',
  task: { action: 'cluster:admin/snapshot/clone', isCancellable: false },
  params: MASTER_TIMEOUT,
  body: 'json',
  handler: async (request, { cluster }) => {
    const body = requiredBody(request);
    checkSnapshotKeys(body, []);
    const indices = indicesAt(body);
    const { ignoreUnavailable, allowNoIndices } = indicesOptionsAt(body);
    if (indices.length === 0) {
      const why = 'Validation Failed: 1: indices patterns are empty;';
      throw new ShoalError('action_request_validation_exception', 400, why);
    }
    const message = {
      ...snapshotTimeouts(request),
      repository: request.params.required('repository'),
      source: request.params.required('snapshot'),
      target: request.params.required('target_snapshot'),
      indices,
      ignoresUnavailable: ignoreUnavailable,
      allowsNoIndices: allowNoIndices,
    };
    const timeouts = { ...message, timeoutMs: LONG_TIMEOUT_MS };
    return valueResponse({ acknowledged: (await cluster.admin.ask(CLONE_SNAPSHOT, message, timeouts)).acknowledged });
  },
};

async function getSnapshots(request: HttpRequest, { cluster }: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const message = {
    ...snapshotTimeouts(request),
    repository: params.required('repository'),
    names: params.list('snapshot'),
    ignoresUnavailable: params.boolean('ignore_unavailable', false),
  };
  const { snapshots } = await cluster.admin.ask(GET_SNAPSHOTS, message, message);
  const isVerbose = params.boolean('verbose', true);
  const shown = isVerbose ? snapshots : [...snapshots].sort((a, b) => (a.name < b.name ? -1 : 1));
  return valueResponse({ snapshots: shown.map((info) => snapshotBody(info, isVerbose)) });
}
