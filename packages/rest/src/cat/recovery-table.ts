/**
 * `_cat/recovery`: one row a copy of a shard, of how it was opened.
 */
import { checkIndexBlocks } from '@shoal/cluster';
import type { ClusterState, RestoreSource } from '@shoal/cluster-state';
import { type CoordinatorContext, gatherRecoveries, METADATA_INDICES_OPTIONS } from '@shoal/coordinator';
import { type HttpRequest, withoutEffect } from '@shoal/http';
import type { ShardRecoveryEntry } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { recoveredPercent, recoveryPeer, recoveryStage } from '../indices/recovery.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { readState } from '../request/managed-state.ts';
import { namedIndices } from '../request/named-indices.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './table/cat-table.ts';

interface RecoveryRow {
  readonly entry: ShardRecoveryEntry;
  readonly state: ClusterState;
}

interface RecoveryColumn {
  readonly column: CatColumn;
  readonly value: (row: RecoveryRow) => CatCell;
}

const NOT_APPLICABLE = 'n/a';

const COLUMNS: readonly RecoveryColumn[] = [
  { column: column('index', 'i,idx', 'index name'), value: ({ entry }) => entry.index },
  { column: column('shard', 's,sh', 'shard number'), value: ({ entry }) => entry.shard },
  {
    column: column('start_time', 'start', 'when it began (UTC)', ['hidden']),
    value: ({ entry }) => new Date(entry.startMs).toISOString(),
  },
  {
    column: column('start_time_millis', 'start_millis', 'when it began, in milliseconds since 1970', ['hidden']),
    value: ({ entry }) => entry.startMs,
  },
  {
    column: column('stop_time', 'stop', 'when it ended (UTC)', ['hidden']),
    value: ({ entry }) => (entry.stopMs === null ? null : new Date(entry.stopMs).toISOString()),
  },
  {
    column: column('stop_time_millis', 'stop_millis', 'when it ended, in milliseconds since 1970', ['hidden']),
    value: ({ entry }) => entry.stopMs ?? 0,
  },
  {
    column: column('time', 't,ti', 'how long it took'),
    value: ({ entry }) => ({ kind: 'duration', ms: entry.tookMs }),
  },
  { column: column('type', 'ty', 'where the documents came from'), value: ({ entry }) => entry.source.toLowerCase() },
  { column: column('stage', 'st', 'how far it has come'), value: ({ entry }) => recoveryStage(entry).toLowerCase() },
  {
    column: column('source_host', 'shost', 'host that sent it'),
    value: ({ state, entry }) => recoveryPeer(state, entry)?.address.host ?? NOT_APPLICABLE,
  },
  {
    column: column('source_node', 'snode', 'node that sent it'),
    value: ({ state, entry }) => recoveryPeer(state, entry)?.name ?? NOT_APPLICABLE,
  },
  { column: column('target_host', 'thost', 'host that it is on'), value: (row) => targetOf(row)?.address.host ?? null },
  { column: column('target_node', 'tnode', 'node that it is on'), value: (row) => targetOf(row)?.name ?? null },
  {
    column: column('repository', 'rep', 'repository that it came from'),
    value: (row) => sourceOf(row)?.repository ?? NOT_APPLICABLE,
  },
  {
    column: column('snapshot', 'snap', 'snapshot that it came from'),
    value: (row) => sourceOf(row)?.snapshot ?? NOT_APPLICABLE,
  },
  { column: column('files', 'f', 'files to copy'), value: ({ entry }) => entry.recovery?.copiedFileCount ?? 0 },
  {
    column: column('files_recovered', 'fr', 'files copied'),
    value: ({ entry }) => entry.recovery?.copiedFileCount ?? 0,
  },
  {
    column: column('files_percent', 'fp', 'share of the files that are there'),
    value: ({ entry }) => recoveredPercent(entry.recovery?.fileCount ?? 0),
  },
  { column: column('files_total', 'tf', 'files of the shard'), value: ({ entry }) => entry.recovery?.fileCount ?? 0 },
  { column: column('bytes', 'b', 'bytes to copy'), value: ({ entry }) => entry.recovery?.copiedFileBytes ?? 0 },
  {
    column: column('bytes_recovered', 'br', 'bytes copied'),
    value: ({ entry }) => entry.recovery?.copiedFileBytes ?? 0,
  },
  {
    column: column('bytes_percent', 'bp', 'share of the bytes that are there'),
    value: ({ entry }) => recoveredPercent(entry.recovery?.fileBytes ?? 0),
  },
  {
    column: column('bytes_total', 'tb', 'bytes of the shard'),
    value: ({ entry }) => entry.recovery?.fileBytes ?? 0,
  },
  {
    column: column('translog_ops', 'to', 'operations to write again'),
    value: ({ entry }) => entry.recovery?.translogOperations ?? 0,
  },
  {
    column: column('translog_ops_recovered', 'tor', 'operations written again'),
    value: ({ entry }) => entry.recovery?.translogOperations ?? 0,
  },
  { column: column('translog_ops_percent', 'top', 'share of the operations that are done'), value: () => '100.0%' },
];

const RECOVERY_COLUMNS: readonly CatColumn[] = COLUMNS.map((c) => c.column);

export const catRecoveryApi: RestApi = catApi({
  usageName: 'cat_recovery_action',
  paths: ['/_cat/recovery', '/_cat/recovery/{index}'],
  privilege: 'indices:monitor/recovery',
  columns: RECOVERY_COLUMNS,
  params: {
    ...INDICES_OPTIONS_PARAMETERS,
    index: 'string',
    active_only: 'boolean',
    detailed: withoutEffect('boolean', 'a row has no list of files'),
  },
  table: recoveryTable,
});

async function recoveryTable(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  const state = await readState(request, context);
  const indices = namedIndices(state, request, context, METADATA_INDICES_OPTIONS);
  checkIndexBlocks(state, 'metadata_read', indices);
  const { entries } = await gatherRecoveries(context, state, indices);
  const onlyActive = request.params.boolean('active_only', false);
  const shown = indices.flatMap((index) =>
    entries
      .filter((entry) => entry.index === index && (!onlyActive || entry.stopMs === null))
      .sort((a, b) => a.shard - b.shard),
  );
  return { columns: RECOVERY_COLUMNS, rows: shown.map((entry) => COLUMNS.map((c) => c.value({ entry, state }))) };
}

/** Snapshot that the shard was opened from; null: none. */
function sourceOf({ entry, state }: RecoveryRow): RestoreSource | null {
  return entry.source === 'SNAPSHOT' ? (state.metadata.indices.get(entry.index)?.restoredFrom ?? null) : null;
}

function targetOf({ entry, state }: RecoveryRow): ReturnType<ClusterState['nodes']['get']> {
  const copies = state.routing.indices.get(entry.index)?.[entry.shard] ?? [];
  return state.nodes.get(copies.find((copy) => copy.allocationId === entry.allocationId)?.nodeId ?? '');
}
