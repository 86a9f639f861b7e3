/**
 * Refresh, flush and statistics of the shards of indices.
 */
import { checkBlock } from '@shoal/cluster';
import {
  type CoordinatorContext,
  gatherStats,
  maintainShards,
  READ_INDICES_OPTIONS,
  resolveIndexNames,
} from '@shoal/coordinator';
import { illegalArgument, ShoalError } from '@shoal/core';
import { type Route, valueResponse } from '@shoal/http';
import type { HealthLevel } from '../bodies/health-conditions.ts';
import { parseStatsMetrics } from '../bodies/shard-stats-body.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { indexStatsBody, shardsHeaderBody } from './index-stats-body.ts';

type Handler = Route<CoordinatorContext>['handler'];

const LEVELS: readonly HealthLevel[] = ['cluster', 'indices', 'shards'];

const maintain =
  (kind: 'refresh' | 'flush'): Handler =>
  async (request, context) => {
    const { params } = request;
    const isForced = kind === 'flush' && params.boolean('force', false);
    if (isForced && !params.boolean('wait_if_ongoing', true)) {
      throw new ShoalError(
        'action_request_validation_exception',
        400,
        'Validation Failed: 1: wait_if_ongoing must be true for a force flush;',
      );
    }
    const state = context.cluster.state();
    checkBlock(state, 'metadata_read', []);
    const options = indicesOptionsOf(params, READ_INDICES_OPTIONS);
    const indices = resolveIndexNames(state, params.string('index'), options, context.runtime.clock.wallMs());
    const header = await maintainShards(context, state, isForced ? 'force_flush' : kind, indices);
    return valueResponse({ _shards: shardsHeaderBody(header) });
  };

const getStats: Handler = async (request, context) => {
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
  const { copies, header } = await gatherStats(context, state, indices);
  return valueResponse(indexStatsBody(state, copies, header, { indices, metrics, level }));
};

const FLUSH_PARAMETERS = { ...INDICES_OPTIONS_PARAMETERS, force: 'boolean', wait_if_ongoing: 'boolean' } as const;
/** Narrowing statistics by field or group has nothing to narrow here yet; the parameters are taken all the same. */
const STATS_PARAMETERS = {
  ...INDICES_OPTIONS_PARAMETERS,
  completion_fields: 'list',
  fielddata_fields: 'list',
  fields: 'list',
  groups: 'list',
  level: 'string',
  types: 'list',
  include_segment_file_sizes: 'boolean',
  include_unloaded_segments: 'boolean',
  forbid_closed_indices: 'boolean',
} as const;

export const maintenanceRoutes: readonly Route<CoordinatorContext>[] = [
  {
    methods: ['POST', 'GET'],
    paths: ['/_refresh', '/{index}/_refresh'],
    params: INDICES_OPTIONS_PARAMETERS,
    handler: maintain('refresh'),
  },
  {
    methods: ['POST', 'GET'],
    paths: ['/_flush', '/{index}/_flush'],
    params: FLUSH_PARAMETERS,
    handler: maintain('flush'),
  },
  {
    methods: ['GET'],
    paths: ['/_stats', '/_stats/{metric}', '/{index}/_stats', '/{index}/_stats/{metric}'],
    params: STATS_PARAMETERS,
    handler: getStats,
  },
];
