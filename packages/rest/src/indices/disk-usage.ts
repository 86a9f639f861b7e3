/**
 * `_disk_usage`: what each field takes of the files of an index, from the sizes of the sections of its segments.
 *
 * One copy of each shard is counted. A flush before it brings what is still in memory into the files.
 */
import { checkBlock, checkIndexBlocks } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  gatherSegments,
  maintainShards,
  READ_INDICES_OPTIONS,
  resolveIndexNames,
} from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { ShardSegmentsEntry } from '@shoal/protocol';
import type { FieldDiskBytes } from '@shoal/shard-api';
import type { RestApi } from '../api/rest-api.ts';
import { bytesText } from '../bodies/unit-text.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { shardsHeaderBody } from './index-stats-body.ts';

type Json = Readonly<Record<string, unknown>>;
type Bytes = Omit<FieldDiskBytes, 'name'>;

export const diskUsageApi: RestApi = {
  usageName: 'analyze_index_disk_usage_action',
  methods: ['POST'],
  paths: ['/{index}/_disk_usage'],
  privilege: 'indices:admin/analyze_disk_usage',
  task: null,
  params: { ...INDICES_OPTIONS_PARAMETERS, run_expensive_tasks: 'boolean', flush: 'boolean' },
  handler: diskUsage,
};

async function diskUsage(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  if (!params.boolean('run_expensive_tasks', false)) {
    throw illegalArgument(
      'analyzing the disk usage of an index is expensive and resource intensive, the parameter [run_expensive_tasks] must be set to [true] in order for the task to be performed.',
    );
  }
  const state = context.cluster.state();
  checkBlock(state, 'metadata_read', []);
  const options = { ...indicesOptionsOf(params, READ_INDICES_OPTIONS), forbidsClosed: true };
  const indices = resolveIndexNames(state, params.string('index'), options, context.runtime.clock.wallMs());
  checkIndexBlocks(state, 'metadata_read', indices);
  if (params.boolean('flush', true)) await maintainShards(context, state, { kind: 'flush' }, indices);
  const { entries, header } = await gatherSegments(context, state, indices, true);
  const counted = oneOfEachShard(entries);
  const total = shardCount(state, indices);
  const failures = header.failures.filter(
    ({ index, shard }) => !counted.some((entry) => entry.index === index && entry.shard === shard),
  );
  const shards = { total, successful: counted.length, failed: total - counted.length, failures };
  const bodies = indices.flatMap((index) => {
    const ofIndex = counted.filter((entry) => entry.index === index);
    return ofIndex.length === 0 ? [] : [[index, indexBody(ofIndex)] as const];
  });
  return valueResponse({ _shards: shardsHeaderBody(shards), ...Object.fromEntries(bodies) });
}

function shardCount(state: ClusterState, indices: readonly string[]): number {
  return indices.reduce((sum, index) => sum + (state.routing.indices.get(index)?.length ?? 0), 0);
}

function oneOfEachShard(entries: readonly ShardSegmentsEntry[]): readonly ShardSegmentsEntry[] {
  return [...new Map(entries.map((entry) => [`${entry.shard} ${entry.index}`, entry])).values()];
}

function indexBody(shards: readonly ShardSegmentsEntry[]): Json {
  const segments = shards.flatMap((shard) => shard.segments);
  const storeBytes = segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const byField = new Map<string, Bytes>();
  for (const field of segments.flatMap(({ fields }) => fields)) {
    byField.set(field.name, sumOf([byField.get(field.name) ?? sumOf([]), field]));
  }
  const largestFirst = [...byField].sort(([, a], [, b]) => totalOf(b) - totalOf(a));
  return {
    ...sizeBody('store_size', storeBytes),
    all_fields: bytesBody(sumOf([...byField.values()])),
    fields: Object.fromEntries(largestFirst.map(([name, bytes]) => [name, bytesBody(bytes)])),
  };
}

function sumOf(all: readonly Bytes[]): Bytes {
  const sum = (of: (bytes: Bytes) => number): number => all.reduce((total, bytes) => total + of(bytes), 0);
  return {
    invertedIndex: sum((bytes) => bytes.invertedIndex),
    storedFields: sum((bytes) => bytes.storedFields),
    docValues: sum((bytes) => bytes.docValues),
    points: sum((bytes) => bytes.points),
    norms: sum((bytes) => bytes.norms),
  };
}

function totalOf({ invertedIndex, storedFields, docValues, points, norms }: Bytes): number {
  return invertedIndex + storedFields + docValues + points + norms;
}

/** Term vectors are computed when they are asked for: they take nothing. */
function bytesBody(bytes: Bytes): Json {
  return {
    ...sizeBody('total', totalOf(bytes)),
    inverted_index: sizeBody('total', bytes.invertedIndex),
    ...sizeBody('stored_fields', bytes.storedFields),
    ...sizeBody('doc_values', bytes.docValues),
    ...sizeBody('points', bytes.points),
    ...sizeBody('norms', bytes.norms),
    ...sizeBody('term_vectors', 0),
  };
}

function sizeBody(name: string, bytes: number): Json {
  return { [name]: bytesText(bytes), [`${name}_in_bytes`]: bytes };
}
