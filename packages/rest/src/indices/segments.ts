/**
 * `_segments`: the segments of every copy of a shard.
 */
import { checkBlock, checkIndexBlocks } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { type CoordinatorContext, gatherSegments, READ_INDICES_OPTIONS, resolveIndexNames } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { ShardSegmentsEntry } from '@shoal/protocol';
import type { SegmentInfo } from '@shoal/shard-api';
import type { RestApi } from '../api/rest-api.ts';
import { SEGMENT_FORMAT_VERSION, segmentGeneration } from '../bodies/segment-names.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { shardsHeaderBody } from './index-stats-body.ts';

type Json = Readonly<Record<string, unknown>>;

export const segmentsApi: RestApi = {
  usageName: 'indices_segments_action',
  methods: ['GET'],
  paths: ['/_segments', '/{index}/_segments'],
  privilege: 'indices:monitor/segments',
  task: null,
  params: {
    ...INDICES_OPTIONS_PARAMETERS,
    verbose: withoutEffect('boolean', 'a segment has no tree of parts in memory to show'),
  },
  handler: segments,
};

async function segments(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const state = context.cluster.state();
  checkBlock(state, 'metadata_read', []);
  const options = { ...indicesOptionsOf(params, READ_INDICES_OPTIONS), forbidsClosed: true };
  const indices = resolveIndexNames(state, params.string('index'), options, context.runtime.clock.wallMs());
  checkIndexBlocks(state, 'metadata_read', indices);
  const { entries, header } = await gatherSegments(context, state, indices);
  const bodies = indices.flatMap((index) => {
    const ofIndex = entries.filter((entry) => entry.index === index);
    return ofIndex.length === 0 ? [] : [[index, { shards: shardsBody(state, ofIndex) }] as const];
  });
  return valueResponse({ _shards: shardsHeaderBody(header), indices: Object.fromEntries(bodies) });
}

function shardsBody(state: ClusterState, entries: readonly ShardSegmentsEntry[]): Json {
  const byShard = new Map<number, Json[]>();
  for (const entry of [...entries].sort((a, b) => a.shard - b.shard)) {
    const copies = byShard.get(entry.shard) ?? [];
    copies.push(copyBody(state, entry));
    byShard.set(entry.shard, copies);
  }
  return Object.fromEntries([...byShard].map(([shard, copies]) => [String(shard), copies]));
}

function copyBody(state: ClusterState, entry: ShardSegmentsEntry): Json {
  const copies = state.routing.indices.get(entry.index)?.[entry.shard] ?? [];
  const routing = copies.find((copy) => copy.allocationId === entry.allocationId);
  return {
    routing: {
      state: routing?.state ?? 'STARTED',
      primary: routing?.isPrimary ?? false,
      node: routing?.nodeId ?? null,
    },
    num_committed_segments: entry.segments.filter((segment) => segment.isCommitted).length,
    num_search_segments: entry.segments.filter((segment) => segment.isSearchable).length,
    segments: Object.fromEntries(entry.segments.map((segment) => [segment.name, segmentBody(segment)])),
  };
}

function segmentBody(segment: SegmentInfo): Json {
  return {
    generation: segmentGeneration(segment.name),
    num_docs: segment.liveCount,
    deleted_docs: segment.deletedCount,
    size_in_bytes: segment.sizeBytes,
    memory_in_bytes: segment.memoryBytes,
    committed: segment.isCommitted,
    search: segment.isSearchable,
    version: SEGMENT_FORMAT_VERSION,
    compound: false,
    // What Lucene notes of a segment for its codecs.
    attributes: {},
  };
}
