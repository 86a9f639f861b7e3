/**
 * `PUT _snapshot/{repository}/{snapshot}`: makes a snapshot, and with `wait_for_completion` shows it when it is whole.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { type CoordinatorContext, resolveIndexNames, resolveNames } from '@shoal/coordinator';
import { illegalArgument, randomUuid, ShoalError, writeJson } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { ManagerTimeouts } from '@shoal/membership';
import { CREATE_SNAPSHOT, type CreateSnapshotMessage, GET_SNAPSHOTS, type SnapshotInfo } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { bodyObject, isJsonObject, type JsonObject } from '../request/json-body.ts';
import { managedState } from '../request/managed-state.ts';
import { snapshotBody } from './snapshot-body.ts';
import { checkSnapshotKeys, flag, indicesAt, indicesOptionsAt, SNAPSHOT_CONFIG_KEYS } from './snapshot-request.ts';
import { LONG_TIMEOUT_MS, MASTER_TIMEOUT, snapshotTimeouts } from './snapshot-timeouts.ts';

const UUID_BYTES = 16;
const METADATA_BYTES_MAX = 1_024;
/** Wait between two looks at a snapshot that this node's state does not show yet. */
const LOOK_AGAIN_MS = 200;

export const createSnapshotApi: RestApi = {
  usageName: 'create_snapshot_action',
  methods: ['PUT', 'POST'],
  paths: ['/_snapshot/{repository}/{snapshot}'],
  privilege: 'cluster:admin/snapshot/create',
  task: { action: 'cluster:admin/snapshot/create', isCancellable: false },
  params: { ...MASTER_TIMEOUT, wait_for_completion: 'boolean' },
  body: 'json',
  handler: createSnapshot,
};

async function createSnapshot(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = bodyObject(request);
  checkSnapshotKeys(body, SNAPSHOT_CONFIG_KEYS);
  const { params } = request;
  const target = { repository: params.required('repository'), name: params.required('snapshot') };
  const state = await managedState(request, context);
  const message = creationMessage(context, state, body, { ...snapshotTimeouts(request), ...target });
  await context.cluster.admin.ask(CREATE_SNAPSHOT, message, message);
  if (!params.boolean('wait_for_completion', false)) return valueResponse({ accepted: true });
  return valueResponse({ snapshot: snapshotBody(await finishedSnapshot(context, message), true) });
}

/** Request for a snapshot of what `body` says. @throws index_not_found_exception for an index that is missing */
export function creationMessage(
  context: CoordinatorContext,
  state: ClusterState,
  body: JsonObject,
  target: ManagerTimeouts & { readonly repository: string; readonly name: string },
): CreateSnapshotMessage {
  const nowMs = context.runtime.clock.wallMs();
  const expression = indicesAt(body).join(',') || '_all';
  const options = indicesOptionsAt(body);
  return {
    ...target,
    uuid: randomUuid(context.runtime.random.bytes(UUID_BYTES)),
    indices: [...resolveIndexNames(state, expression, options, nowMs)].sort(),
    dataStreams: resolveNames(state, expression, options, nowMs).dataStreams.map(({ name }) => name),
    isPartial: flag(body, 'partial', false),
    includesGlobalState: flag(body, 'include_global_state', true),
    userMetadata: metadataAt(body),
  };
}

/** The snapshot once it is whole. */
export async function finishedSnapshot(
  { cluster }: CoordinatorContext,
  message: CreateSnapshotMessage,
): Promise<SnapshotInfo> {
  const { repository, name, uuid, masterTimeoutMs } = message;
  for (;;) {
    await cluster.waitForState(
      ({ metadata }) => !metadata.runningSnapshots.some((running) => running.uuid === uuid),
      LONG_TIMEOUT_MS,
    );
    const asked = { repository, names: [name], ignoresUnavailable: true, masterTimeoutMs, timeoutMs: masterTimeoutMs };
    const { snapshots } = await cluster.admin.ask(GET_SNAPSHOTS, asked, asked);
    const info = snapshots.find((snapshot) => snapshot.uuid === uuid);
    if (info === undefined) {
      throw new ShoalError('snapshot_exception', 500, `[${repository}:${name}/${uuid}] snapshot failed or was aborted`);
    }
    if (info.state !== 'IN_PROGRESS') return info;
    const { version } = cluster.state();
    await cluster.waitForState((state) => state.version > version, LOOK_AGAIN_MS);
  }
}

function metadataAt(body: JsonObject): JsonObject | null {
  const metadata = body.metadata ?? null;
  if (metadata === null) return null;
  if (!isJsonObject(metadata)) throw illegalArgument('malformed metadata, should be an object');
  const { length } = writeJson(metadata);
  if (length <= METADATA_BYTES_MAX) return metadata;
  throw new ShoalError(
    'action_request_validation_exception',
    400,
    `Validation Failed: 1: metadata must be smaller than ${METADATA_BYTES_MAX} bytes, but was [${length}];`,
  );
}
