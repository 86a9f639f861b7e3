/**
 * `_data_stream/_modify`: takes indices into data streams and out of them. `_data_stream/_promote`: makes a stream that follows one
 * of another cluster its own; none does here, so that there is nothing to change.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { illegalArgument, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { StreamIndexChange } from '@shoal/protocol';
import type { RestApi } from '../../api/rest-api.ts';
import { flagAt, isJsonObject, requiredBody } from '../../request/json-body.ts';
import { managedState } from '../../request/managed-state.ts';
import { CHANGE_PARAMETERS, MANAGER_PARAMETERS, managerTimeouts } from '../../request/manager-timeouts.ts';

const ACTIONS_MAX = 10_000;
const KINDS: ReadonlyMap<string, StreamIndexChange['kind']> = new Map([
  ['add_backing_index', 'add'],
  ['remove_backing_index', 'remove'],
]);

const MEMBERS: readonly string[] = ['data_stream', 'index', 'failure_store'];

export const modifyDataStreamsApi: RestApi = {
  usageName: 'modify_data_stream_action',
  methods: ['POST'],
  paths: ['/_data_stream/_modify'],
  privilege: 'indices:admin/data_stream/modify',
  task: null,
  params: CHANGE_PARAMETERS,
  body: 'json',
  handler: async (request, context) => {
    const changes = parseActions(requiredBody(request).actions);
    const { acknowledged } = await context.cluster.admin.modifyDataStreams({ ...managerTimeouts(request), changes });
    return valueResponse({ acknowledged });
  },
};

export const promoteDataStreamApi: RestApi = {
  usageName: 'promote_data_stream_action',
  methods: ['POST'],
  paths: ['/_data_stream/_promote/{name}'],
  privilege: 'indices:admin/data_stream/promote',
  task: null,
  params: MANAGER_PARAMETERS,
  handler: promote,
};

async function promote(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const name = request.params.required('name');
  const state = await managedState(request, context);
  if (!state.metadata.dataStreams.has(name)) {
    throw new ShoalError('resource_not_found_exception', 404, `data stream [${name}] does not exist`);
  }
  return valueResponse({ acknowledged: true });
}

function parseActions(list: unknown): readonly StreamIndexChange[] {
  if (!Array.isArray(list)) throw illegalArgument('Required [actions]');
  if (list.length === 0) {
    throw new ShoalError(
      'action_request_validation_exception',
      400,
      'Validation Failed: 1: must specify at least one data stream modification action;',
    );
  }
  if (list.length > ACTIONS_MAX) throw illegalArgument(`more than [${ACTIONS_MAX}] actions`);
  return list.map(parseAction);
}

function parseAction(item: unknown): StreamIndexChange {
  const [entry, another] = isJsonObject(item) ? Object.entries(item) : [];
  if (entry === undefined || another !== undefined) {
    throw illegalArgument('Only one data stream modification operation is supported for each element of [actions]');
  }
  const [name, body] = entry;
  const kind = KINDS.get(name);
  if (kind === undefined) throw illegalArgument(`[data_stream_action] unknown field [${name}]`);
  const members = isJsonObject(body) ? body : {};
  const unknown = Object.keys(members).find((key) => !MEMBERS.includes(key));
  if (unknown !== undefined) throw illegalArgument(`[${name}] unknown field [${unknown}]`);
  const component = flagAt(members, 'failure_store') === true ? 'failures' : 'data';
  return { kind, stream: textOf(members, name, 'data_stream'), component, index: textOf(members, name, 'index') };
}

function textOf(members: Readonly<Record<string, unknown>>, action: string, key: 'data_stream' | 'index'): string {
  const value = members[key];
  if (typeof value !== 'string' || value === '') throw illegalArgument(`[${action}] requires [${key}]`);
  return value;
}
