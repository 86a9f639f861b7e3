/**
 * `_snapshot/{repository}/{snapshot}`: shows snapshots, how far they are, and deletes them.
 */

import type { CoordinatorContext } from '@shoal/coordinator';
import { asShoalError, isAssertionFailure, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { CLONE_SNAPSHOT, DELETE_SNAPSHOTS, GET_SNAPSHOTS, SNAPSHOT_STATUS } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { requiredBody } from '../request/json-body.ts';
import { managedState } from '../request/managed-state.ts';
import { repositoriesNamed } from './repositories.ts';
import { snapshotBody, snapshotStatusBody } from './snapshot-body.ts';
import { PAGE_PARAMETERS, pageOf, type RepositorySnapshot } from './snapshot-page.ts';
import { checkSnapshotKeys, indicesAt, indicesOptionsAt } from './snapshot-request.ts';
import { LONG_TIMEOUT_MS, MASTER_TIMEOUT, snapshotTimeouts } from './snapshot-timeouts.ts';

export const getSnapshotsApi: RestApi = {
  usageName: 'get_snapshots_action',
  methods: ['GET'],
  paths: ['/_snapshot/{repository}/{snapshot}'],
  privilege: 'cluster:admin/snapshot/get',
  task: { action: 'cluster:admin/snapshot/get', isCancellable: false },
  params: {
    ...MASTER_TIMEOUT,
    ...PAGE_PARAMETERS,
    ignore_unavailable: 'boolean',
    verbose: 'boolean',
    include_repository: 'boolean',
    index_names: 'boolean',
  },
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
  params: { ...MASTER_TIMEOUT, wait_for_completion: 'boolean' },
  handler: async (request, { cluster, runtime }) => {
    const message = {
      ...snapshotTimeouts(request),
      repository: request.params.required('repository'),
      names: request.params.list('snapshot'),
    };
    const timeouts = { ...message, timeoutMs: LONG_TIMEOUT_MS };
    const deleted = () => cluster.admin.ask(DELETE_SNAPSHOTS, message, timeouts);
    if (request.params.boolean('wait_for_completion', true)) return valueResponse(await deleted());
    // What is not there is told at once; what fails later only to the log.
    await cluster.admin.ask(GET_SNAPSHOTS, { ...message, ignoresUnavailable: false }, timeouts);
    void deleted().catch((error: unknown) => {
      if (isAssertionFailure(error)) throw error;
      const { repository, names } = message;
      runtime.log.warn('snapshots were not deleted', { repository, names, reason: asShoalError(error).message });
    });
    return valueResponse({ acknowledged: true });
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

async function getSnapshots(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const { shown, total, remaining, next } = pageOf(await foundSnapshots(request, context), params);
  const isVerbose = params.boolean('verbose', true);
  const ordered = isVerbose ? shown : [...shown].sort((a, b) => (a.info.name < b.info.name ? -1 : 1));
  const view = {
    isVerbose,
    showsRepository: params.boolean('include_repository', true),
    showsIndices: params.boolean('index_names', true),
  };
  return valueResponse({
    snapshots: ordered.map((snapshot) => shownSnapshot(snapshot, view)),
    ...(next === null ? {} : { next }),
    total,
    remaining,
  });
}

/** Snapshots of all repositories that the request names, each repository's oldest first. */
async function foundSnapshots(
  request: HttpRequest,
  context: CoordinatorContext,
): Promise<readonly RepositorySnapshot[]> {
  const { params } = request;
  const message = {
    ...snapshotTimeouts(request),
    names: params.list('snapshot'),
    ignoresUnavailable: params.boolean('ignore_unavailable', false),
  };
  const expression = params.required('repository');
  const isOne = !expression.includes(',') && !expression.includes('*') && expression !== '_all';
  const repositories = isOne
    ? [expression]
    : repositoriesNamed(await managedState(request, context), params.list('repository')).map(({ name }) => name);
  const found: RepositorySnapshot[] = [];
  for (const repository of repositories) {
    const asked = { ...message, repository, ignoresUnavailable: message.ignoresUnavailable || !isOne };
    const { snapshots } = await context.cluster.admin.ask(GET_SNAPSHOTS, asked, asked);
    found.push(...snapshots.map((info) => ({ repository, info })));
  }
  refuseMissing(message.names, message.ignoresUnavailable, expression, found);
  return found;
}

/** A snapshot that is named must be in one of the repositories. */
function refuseMissing(
  names: readonly string[],
  ignoresUnavailable: boolean,
  repositories: string,
  found: readonly RepositorySnapshot[],
): void {
  if (ignoresUnavailable) return;
  const isName = (name: string): boolean => !name.includes('*') && !name.startsWith('_') && !name.startsWith('-');
  const missing = names.find((name) => isName(name) && !found.some(({ info }) => info.name === name));
  if (missing === undefined) return;
  throw new ShoalError('snapshot_missing_exception', 404, `[${repositories}:${missing}] is missing`);
}

interface SnapshotView {
  readonly isVerbose: boolean;
  readonly showsRepository: boolean;
  readonly showsIndices: boolean;
}

function shownSnapshot(
  { repository, info }: RepositorySnapshot,
  { isVerbose, showsRepository, showsIndices }: SnapshotView,
): Readonly<Record<string, unknown>> {
  const { snapshot, uuid, indices, ...rest } = snapshotBody(info, isVerbose);
  return {
    snapshot,
    uuid,
    ...(showsRepository ? { repository } : {}),
    ...(showsIndices ? { indices } : {}),
    ...rest,
  };
}
