/**
 * `_recovery`: how each copy of a shard was opened, or how far it has come.
 */
import { checkBlock, checkIndexBlocks } from '@shoal/cluster';
import type { ClusterState, DiscoveryNode, RestoreSource } from '@shoal/cluster-state';
import { type CoordinatorContext, gatherRecoveries, METADATA_INDICES_OPTIONS } from '@shoal/coordinator';
import { API_VERSION, showHostPort } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { ShardRecoveryEntry } from '@shoal/protocol';
import type { PeerRecoveryStage } from '@shoal/shard-api';
import type { RestApi } from '../api/rest-api.ts';
import { bytesText, durationText } from '../bodies/unit-text.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { namedIndices } from '../request/named-indices.ts';

type Json = Readonly<Record<string, unknown>>;

interface RecoveryView {
  readonly isHuman: boolean;
  /** Lists each file that was read; a shard opened from its own folder reads none over the network. */
  readonly isDetailed: boolean;
  /** Snapshot that it was opened from; null: none. */
  readonly source: RestoreSource | null;
  /** Node of the primary that it was copied from; null: it came from no other node. */
  readonly peer: DiscoveryNode | null;
}

export const recoveryApi: RestApi = {
  usageName: 'recovery_action',
  methods: ['GET'],
  paths: ['/_recovery', '/{index}/_recovery'],
  privilege: 'indices:monitor/recovery',
  task: null,
  params: { ...INDICES_OPTIONS_PARAMETERS, detailed: 'boolean', active_only: 'boolean' },
  handler: recovery,
};

async function recovery(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = context.cluster.state();
  checkBlock(state, 'metadata_read', []);
  const indices = namedIndices(state, request, context, METADATA_INDICES_OPTIONS);
  checkIndexBlocks(state, 'metadata_read', indices);
  const { entries } = await gatherRecoveries(context, state, indices);
  const onlyActive = request.params.boolean('active_only', false);
  const view: Omit<RecoveryView, 'source' | 'peer'> = {
    isHuman: request.human,
    isDetailed: request.params.boolean('detailed', false),
  };
  const nodeOf = (entry: ShardRecoveryEntry): DiscoveryNode | undefined => {
    const copies = state.routing.indices.get(entry.index)?.[entry.shard] ?? [];
    return state.nodes.get(copies.find((copy) => copy.allocationId === entry.allocationId)?.nodeId ?? '');
  };
  const sourceOf = (entry: ShardRecoveryEntry): RestoreSource | null =>
    entry.source === 'SNAPSHOT' ? (state.metadata.indices.get(entry.index)?.restoredFrom ?? null) : null;
  const bodies = indices.flatMap((index) => {
    const shown = entries
      .filter((entry) => entry.index === index && (!onlyActive || entry.stopMs === null))
      .sort((a, b) => a.shard - b.shard);
    if (shown.length === 0) return [];
    return [
      [
        index,
        {
          shards: shown.map((entry) =>
            recoveryBody(entry, nodeOf(entry), {
              ...view,
              source: sourceOf(entry),
              peer: recoveryPeer(state, entry),
            }),
          ),
        },
      ] as const,
    ];
  });
  return valueResponse(Object.fromEntries(bodies));
}

function recoveryBody(entry: ShardRecoveryEntry, node: DiscoveryNode | undefined, view: RecoveryView): Json {
  const { recovery: read, startMs, stopMs, tookMs } = entry;
  const { isHuman } = view;
  const duration = (name: string, ms: number): Json => ({
    ...(isHuman ? { [name]: durationText(Math.round(ms)) } : {}),
    [`${name}_in_millis`]: Math.round(ms),
  });
  const moment = (name: string, ms: number): Json => ({
    ...(isHuman ? { [name]: new Date(ms).toISOString() } : {}),
    [`${name}_in_millis`]: ms,
  });
  return {
    id: entry.shard,
    type: entry.source,
    stage: recoveryStage(entry),
    primary: entry.isPrimary,
    ...moment('start_time', startMs),
    ...(stopMs === null ? {} : moment('stop_time', stopMs)),
    ...duration('total_time', tookMs),
    source: view.source !== null ? sourceBody(view.source) : view.peer !== null ? recoveryNodeBody(view.peer) : {},
    target: node === undefined ? {} : recoveryNodeBody(node),
    index: {
      size: sizeBody(read?.fileBytes ?? 0, read?.copiedFileBytes ?? 0, isHuman),
      files: {
        total: read?.fileCount ?? 0,
        reused: Math.max(0, (read?.fileCount ?? 0) - (read?.copiedFileCount ?? 0)),
        recovered: read?.copiedFileCount ?? 0,
        percent: recoveredPercent(read?.fileCount ?? 0),
        ...(view.isDetailed ? { details: [] } : {}),
      },
      ...duration('total_time', read?.indexTimeMs ?? 0),
      ...duration('source_throttle_time', 0),
      ...duration('target_throttle_time', 0),
    },
    translog: {
      recovered: read?.translogOperations ?? 0,
      total: read?.translogOperations ?? 0,
      percent: '100.0%',
      total_on_start: read?.translogOperations ?? 0,
      ...duration('total_time', read?.translogTimeMs ?? 0),
    },
    verify_index: { ...duration('check_index_time', 0), ...duration('total_time', 0) },
  };
}

/** Node that a copy is or was copied from: that of its primary at that time. */
export function recoveryPeer(state: ClusterState, entry: ShardRecoveryEntry): DiscoveryNode | null {
  const { index, shard, source, peer } = entry;
  if (source !== 'PEER') return null;
  // Nothing is known of a node that left.
  if (peer !== null) return state.nodes.get(peer.nodeId ?? '') ?? null;
  return state.nodes.get(state.routing.indices.get(index)?.[shard]?.[0]?.nodeId ?? '') ?? null;
}

/** `INDEX` until the engine has read the commit and the translog; a copy from another one says where it is. */
export function recoveryStage({ stopMs, peer }: ShardRecoveryEntry): PeerRecoveryStage {
  return peer?.stage ?? (stopMs === null ? 'INDEX' : 'DONE');
}

/** Share of files, or of their bytes, that are there: Elasticsearch says nothing of nothing. */
export function recoveredPercent(total: number): string {
  return total === 0 ? '0.0%' : '100.0%';
}

function sourceBody({ repository, snapshot, index, restoreUuid }: RestoreSource): Json {
  return { repository, snapshot, version: API_VERSION.number, index, restoreUUID: restoreUuid };
}

function sizeBody(bytes: number, copiedBytes: number, isHuman: boolean): Json {
  const size = (name: string, value: number): Json => ({
    ...(isHuman ? { [name]: bytesText(value) } : {}),
    [`${name}_in_bytes`]: value,
  });
  return {
    ...size('total', bytes),
    ...size('reused', Math.max(0, bytes - copiedBytes)),
    ...size('recovered', copiedBytes),
    percent: recoveredPercent(bytes),
  };
}

function recoveryNodeBody(node: DiscoveryNode): Json {
  const { address } = node;
  const { host } = address;
  return { id: node.id, host, transport_address: showHostPort(address), ip: host, name: node.name };
}
