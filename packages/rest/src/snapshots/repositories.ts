/**
 * `_snapshot/{repository}`: registers, shows, forgets, verifies and cleans up the repositories that snapshots lie in.
 */
import { repositoryMissing } from '@shoal/cluster';
import type { ClusterState, RepositoryMetadata } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import { flattenSettings, illegalArgument, matchesAny, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { CLEANUP_REPOSITORY, DELETE_REPOSITORIES, PUT_REPOSITORY, VERIFY_REPOSITORY } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { objectAt, requiredBody, textAt, unknownKey } from '../request/json-body.ts';
import { readState } from '../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts, READ_PARAMETERS } from '../request/manager-timeouts.ts';
import { LONG_TIMEOUT_MS } from './snapshot-timeouts.ts';

export const putRepositoryApi: RestApi = {
  usageName: 'put_repository_action',
  methods: ['PUT', 'POST'],
  paths: ['/_snapshot/{repository}'],
  privilege: 'cluster:admin/repository/put',
  task: null,
  params: { ...CHANGE_PARAMETERS, verify: 'boolean' },
  body: 'json',
  handler: putRepository,
};

export const getRepositoriesApi: RestApi = {
  usageName: 'get_repositories_action',
  methods: ['GET'],
  paths: ['/_snapshot', '/_snapshot/{repository}'],
  privilege: 'cluster:admin/repository/get',
  task: null,
  params: READ_PARAMETERS,
  handler: async (request, context) => {
    const repositories = repositoriesNamed(await readState(request, context), request.params.list('repository'));
    const shown = repositories.map(({ name, type, settings }) => [name, { type, settings }]);
    return valueResponse(Object.fromEntries(shown));
  },
};

export const deleteRepositoryApi: RestApi = {
  usageName: 'delete_repository_action',
  methods: ['DELETE'],
  paths: ['/_snapshot/{repository}'],
  privilege: 'cluster:admin/repository/delete',
  task: null,
  params: CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const names = request.params.list('repository');
    const message = { ...managerTimeouts(request), names };
    const { acknowledged } = await context.cluster.admin.ask(DELETE_REPOSITORIES, message, message);
    return valueResponse({ acknowledged });
  },
};

export const verifyRepositoryApi: RestApi = {
  usageName: 'verify_repository_action',
  methods: ['POST'],
  paths: ['/_snapshot/{repository}/_verify'],
  privilege: 'cluster:admin/repository/verify',
  task: null,
  params: CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const message = { ...managerTimeouts(request), repository: request.params.required('repository') };
    const { nodes } = await context.cluster.admin.ask(VERIFY_REPOSITORY, message, message);
    return valueResponse({ nodes: Object.fromEntries(nodes.map(({ id, name }) => [id, { name }])) });
  },
};

export const cleanUpRepositoryApi: RestApi = {
  usageName: 'cleanup_repository_action',
  methods: ['POST'],
  paths: ['/_snapshot/{repository}/_cleanup'],
  privilege: 'cluster:admin/repository/_cleanup',
  task: { action: 'cluster:admin/repository/_cleanup', isCancellable: false },
  params: CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const message = { ...managerTimeouts(request), repository: request.params.required('repository') };
    const { deletedBytes, deletedBlobs } = await context.cluster.admin.ask(CLEANUP_REPOSITORY, message, {
      ...message,
      timeoutMs: LONG_TIMEOUT_MS,
    });
    return valueResponse({ results: { deleted_bytes: deletedBytes, deleted_blobs: deletedBlobs } });
  },
};

async function putRepository(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = requiredBody(request);
  const unknown = unknownKey(body, ['type', 'settings']);
  if (unknown !== undefined) throw illegalArgument(`unknown field [${unknown}] of a repository`);
  const type = textAt(body, 'type');
  if (type === null) {
    throw new ShoalError('action_request_validation_exception', 400, 'Validation Failed: 1: type is missing;');
  }
  const message = {
    ...managerTimeouts(request),
    name: request.params.required('repository'),
    type,
    settings: Object.fromEntries(flattenSettings(objectAt(body, 'settings'))),
    verifies: request.params.boolean('verify', true),
  };
  const { acknowledged } = await context.cluster.admin.ask(PUT_REPOSITORY, message, message);
  return valueResponse({ acknowledged });
}

/**
 * Repositories by names and patterns of names; all of them without any.
 *
 * @throws repository_missing_exception for a name that is no pattern and that nothing has
 */
export function repositoriesNamed(state: ClusterState, names: readonly string[]): readonly RepositoryMetadata[] {
  const all = [...state.metadata.repositories.values()];
  if (names.length === 0 || names.includes('_all')) return all;
  const missing = names.find((name) => !name.includes('*') && !state.metadata.repositories.has(name));
  if (missing !== undefined) throw repositoryMissing(missing);
  return all.filter(({ name }) => matchesAny(names, name));
}
