/**
 * `POST _snapshot/{repository}/{snapshot}/_restore`: indices of a snapshot come back, under their names or others.
 */

import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import { illegalArgument, randomUuid } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { RESTORE_SNAPSHOT, type RestoreAnswer } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { bodyObject, objectAt, textAt, textsAt } from '../request/json-body.ts';
import { checkSnapshotKeys, flag, indicesAt, indicesOptionsAt } from './snapshot-request.ts';
import { LONG_TIMEOUT_MS, MASTER_TIMEOUT, snapshotTimeouts } from './snapshot-timeouts.ts';

const UUID_BYTES = 16;
/** Attempts after which the cluster manager gives a shard up, unless the index says another number. */
const ATTEMPTS_DEFAULT = 5;
const KEYS: readonly string[] = [
  'partial',
  'include_global_state',
  'include_aliases',
  'rename_pattern',
  'rename_replacement',
  'index_settings',
  'ignore_index_settings',
];

export const restoreSnapshotApi: RestApi = {
  usageName: 'restore_snapshot_action',
  methods: ['POST'],
  paths: ['/_snapshot/{repository}/{snapshot}/_restore'],
  privilege: 'cluster:admin/snapshot/restore',
  task: { action: 'cluster:admin/snapshot/restore', isCancellable: false },
  params: { ...MASTER_TIMEOUT, wait_for_completion: 'boolean' },
  body: 'json',
  handler: restoreSnapshot,
};

async function restoreSnapshot(request: HttpRequest, { runtime, cluster }: CoordinatorContext): Promise<HttpResponse> {
  const body = bodyObject(request);
  checkSnapshotKeys(body, KEYS);
  const { ignoreUnavailable, allowNoIndices } = indicesOptionsAt(body);
  const renamePattern = textAt(body, 'rename_pattern');
  const renameReplacement = textAt(body, 'rename_replacement');
  if ((renamePattern === null) !== (renameReplacement === null)) {
    throw illegalArgument('[rename_pattern] and [rename_replacement] go together');
  }
  const message = {
    ...snapshotTimeouts(request),
    repository: request.params.required('repository'),
    snapshot: request.params.required('snapshot'),
    restoreUuid: randomUuid(runtime.random.bytes(UUID_BYTES)),
    indices: indicesAt(body),
    ignoresUnavailable: ignoreUnavailable,
    allowsNoIndices: allowNoIndices,
    renamePattern,
    renameReplacement,
    includesGlobalState: flag(body, 'include_global_state', false),
    includesAliases: flag(body, 'include_aliases', true),
    isPartial: flag(body, 'partial', false),
    indexSettings: objectAt(body, 'index_settings'),
    ignoredSettings: textsAt(body, 'ignore_index_settings').flatMap((text) => text.split(',')),
  };
  const answer = await cluster.admin.ask(RESTORE_SNAPSHOT, message, message);
  if (!request.params.boolean('wait_for_completion', false)) return valueResponse({ accepted: true });
  const isOver = (state: ClusterState): boolean =>
    primariesOf(state, answer, message.restoreUuid).every((copy) => isSettled(state, copy));
  const state = (await cluster.waitForState(isOver, LONG_TIMEOUT_MS)) ?? cluster.state();
  return valueResponse({ snapshot: restoreBody(message, answer, primariesOf(state, answer, message.restoreUuid)) });
}

/** Primaries of the restored indices that are still there. */
function primariesOf(state: ClusterState, { indices }: RestoreAnswer, restoreUuid: string): readonly ShardRouting[] {
  return indices.flatMap((name) => {
    if (state.metadata.indices.get(name)?.restoredFrom?.restoreUuid !== restoreUuid) return [];
    return (state.routing.indices.get(name) ?? []).flatMap(([primary]) => (primary === undefined ? [] : [primary]));
  });
}

/** It has started, or is not tried any more. */
function isSettled(state: ClusterState, copy: ShardRouting): boolean {
  if (copy.state === 'STARTED') return true;
  const text = state.metadata.indices.get(copy.index)?.settings['index.allocation.max_retries'];
  const attempts = text === undefined ? ATTEMPTS_DEFAULT : Number(text);
  return copy.state === 'UNASSIGNED' && (copy.unassigned?.failedAllocations ?? 0) >= attempts;
}

function restoreBody(
  { snapshot }: { readonly snapshot: string },
  { indices, missingShards }: RestoreAnswer,
  primaries: readonly ShardRouting[],
): Readonly<Record<string, unknown>> {
  const started = primaries.filter((copy) => copy.state === 'STARTED').length;
  const successful = Math.max(started - missingShards, 0);
  const total = primaries.length;
  return { snapshot, indices, shards: { total, failed: total - successful, successful } };
}
