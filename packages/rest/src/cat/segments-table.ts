/**
 * `_cat/segments`: one row a segment of each copy of a shard.
 */
import { checkIndexBlocks } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { type CoordinatorContext, gatherSegments, READ_INDICES_OPTIONS } from '@shoal/coordinator';
import type { HttpRequest } from '@shoal/http';
import type { ShardSegmentsEntry } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { SEGMENT_FORMAT_VERSION, segmentGeneration } from '../bodies/segment-names.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { readState } from '../request/managed-state.ts';
import { namedIndices } from '../request/named-indices.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './table/cat-table.ts';
import { bytesCell } from './table/stat-columns.ts';

const COLUMNS: readonly CatColumn[] = [
  column('index', 'i,idx', 'index name'),
  column('shard', 's,sh', 'shard number'),
  column('prirep', 'p,pr,primaryOrReplica', 'p for a primary, r for a replica'),
  column('ip', '', 'address of the node'),
  column('id', '', 'id of the node', ['hidden']),
  column('segment', 'seg', 'segment name'),
  column('generation', 'g,gen', 'number of the segment in its shard', ['right']),
  column('docs.count', 'dc,docsCount', 'documents of the segment', ['right']),
  column('docs.deleted', 'dd,docsDeleted', 'deleted documents of the segment', ['right']),
  column('size', 'si', 'size of the segment', ['right']),
  column('size.memory', 'sm,sizeMemory', 'memory that the segment holds', ['right']),
  column('committed', 'ic,isCommitted', 'whether the last commit has it'),
  column('searchable', 'is,isSearchable', 'whether searches see it'),
  column('version', 'v,ver', 'version of its format'),
  column('compound', 'ico,isCompound', 'whether its files are one'),
];

export const catSegmentsApi: RestApi = catApi({
  usageName: 'cat_segments_action',
  paths: ['/_cat/segments', '/_cat/segments/{index}'],
  privilege: 'indices:monitor/segments',
  columns: COLUMNS,
  params: { ...INDICES_OPTIONS_PARAMETERS, allow_closed: 'boolean' },
  table: segmentsTable,
});

async function segmentsTable(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  const state = await readState(request, context);
  // A closed index has no segments open: naming one is an error, as for searches, unless the request takes it for nothing.
  const forbidsClosed = !request.params.boolean('allow_closed', false);
  const indices = namedIndices(state, request, context, { ...READ_INDICES_OPTIONS, forbidsClosed });
  checkIndexBlocks(state, 'metadata_read', indices);
  const { entries } = await gatherSegments(context, state, indices);
  const sorted = indices.flatMap((index) =>
    entries.filter((entry) => entry.index === index).sort((a, b) => a.shard - b.shard),
  );
  return { columns: COLUMNS, rows: sorted.flatMap((entry) => rowsOf(state, entry)) };
}

function rowsOf(state: ClusterState, entry: ShardSegmentsEntry): readonly (readonly CatCell[])[] {
  const copies = state.routing.indices.get(entry.index)?.[entry.shard] ?? [];
  const routing = copies.find((copy) => copy.allocationId === entry.allocationId);
  const node = state.nodes.get(routing?.nodeId ?? '');
  return entry.segments.map((segment) => [
    entry.index,
    entry.shard,
    routing?.isPrimary === false ? 'r' : 'p',
    node?.address.host ?? null,
    node?.id ?? null,
    segment.name,
    segmentGeneration(segment.name),
    segment.liveCount,
    segment.deletedCount,
    bytesCell(segment.sizeBytes),
    bytesCell(segment.memoryBytes),
    String(segment.isCommitted),
    String(segment.isSearchable),
    SEGMENT_FORMAT_VERSION,
    'false',
  ]);
}
