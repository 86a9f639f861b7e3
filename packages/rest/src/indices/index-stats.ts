/**
 * `_stats`: statistics of the shards of indices.
 */
import { checkBlock, checkIndexBlocks } from '@shoal/cluster';
import {
  type CoordinatorContext,
  type CopyStats,
  gatherStats,
  READ_INDICES_OPTIONS,
  resolveIndexNames,
} from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import {
  type HttpRequest,
  type HttpResponse,
  type ParameterDeclarations,
  valueResponse,
  withoutEffect,
} from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import type { HealthLevel } from '../bodies/health-conditions.ts';
import { parseStatsMetrics } from '../bodies/shard-stats-body.ts';
import { shownFields } from '../request/field-patterns.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { indexStatsBody } from './index-stats-body.ts';

const LEVELS: readonly HealthLevel[] = ['cluster', 'indices', 'shards'];

const STATS_PARAMETERS: ParameterDeclarations = {
  ...INDICES_OPTIONS_PARAMETERS,
  completion_fields: 'list',
  fielddata_fields: 'list',
  fields: 'list',
  groups: 'list',
  level: 'string',
  types: withoutEffect('list', 'mapping types are gone'),
  include_segment_file_sizes: withoutEffect('boolean', 'a segment is one file: there are no kinds to tell apart'),
  include_unloaded_segments: withoutEffect('boolean', 'segments are counted whether they are in memory or not'),
  forbid_closed_indices: 'boolean',
};

export const indexStatsApi: RestApi = {
  usageName: 'indices_stats_action',
  methods: ['GET'],
  paths: ['/_stats', '/_stats/{metric}', '/{index}/_stats', '/{index}/_stats/{metric}'],
  privilege: 'indices:monitor/stats',
  task: null,
  params: STATS_PARAMETERS,
  handler: getStats,
};

async function getStats(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const metrics = parseStatsMetrics(params.list('metric'), request.path);
  const level = LEVELS.find((candidate) => candidate === (params.string('level') ?? 'indices'));
  if (level === undefined)
    throw illegalArgument(
      `level parameter must be one of [cluster] or [indices] or [shards] but was [${params.string('level')}]`,
    );
  const state = context.cluster.state();
  checkBlock(state, 'metadata_read', []);
  const options = {
    ...indicesOptionsOf(params, READ_INDICES_OPTIONS),
    forbidsClosed: params.boolean('forbid_closed_indices', true),
  };
  const indices = resolveIndexNames(state, params.string('index'), options, context.runtime.clock.wallMs());
  checkIndexBlocks(state, 'metadata_read', indices);
  const { copies, header } = await gatherStats(context, state, indices);
  const counted = params.boolean('include_unloaded_segments', false) ? copies.map(withUnloadedSegments) : copies;
  const body = indexStatsBody(state, counted, header, { indices, metrics, level, fields: shownFields(params) });
  return valueResponse(await context.turns.run(body, request.signal));
}

/** Segments of a closed index are counted, though no thread has them open. */
function withUnloadedSegments(copy: CopyStats): CopyStats {
  const { segmentCount = 0, unloadedSegmentCount = 0 } = copy.stats;
  return { ...copy, stats: { ...copy.stats, segmentCount: segmentCount + unloadedSegmentCount } };
}
