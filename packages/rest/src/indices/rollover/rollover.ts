/**
 * `_rollover`: gives an alias or a data stream a new index to write to, when the present one meets the conditions.
 */
import { planRollover, type RolloverPlan } from '@shoal/cluster';
import { type CoordinatorContext, gatherStats, primaryAllocations, resolveDateMathName } from '@shoal/coordinator';
import { ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { ClusterState } from '@shoal/protocol';
import type { RestApi } from '../../api/rest-api.ts';
import { parseActiveShards } from '../../request/active-shards.ts';
import { bodyObject, objectAt } from '../../request/json-body.ts';
import { managedState } from '../../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../../request/manager-timeouts.ts';
import { refuseTypes, TYPE_NAME_PARAMETER } from '../../request/refuse-types.ts';
import { checkAliasFilters } from '../aliases/alias-filter.ts';
import { untypedMappings } from '../mappings/untyped-mappings.ts';
import { areMet, parseConditions, type RolledIndex } from './rollover-conditions.ts';

const BODY_KEYS: readonly string[] = ['conditions', 'settings', 'mappings', 'aliases'];

export const rolloverApi: RestApi = {
  methods: ['POST'],
  paths: ['/{index}/_rollover', '/{index}/_rollover/{new_index}'],
  privilege: 'indices:admin/rollover',
  task: null,
  params: { ...CHANGE_PARAMETERS, ...TYPE_NAME_PARAMETER, dry_run: 'boolean', wait_for_active_shards: 'string' },
  body: 'json',
  handler: rollOver,
};

async function rollOver(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  refuseTypes(request);
  const { params } = request;
  const body = bodyObject(request);
  const unknown = Object.keys(body).find((key) => !BODY_KEYS.includes(key));
  if (unknown !== undefined) {
    throw new ShoalError('x_content_parse_exception', 400, `[rollover] unknown field [${unknown}]`);
  }
  const conditions = parseConditions(body);
  const aliases = objectAt(body, 'aliases');
  checkAliasFilters(aliases);
  const waitForActiveShards = parseActiveShards(params.string('wait_for_active_shards'));
  const state = await managedState(request, context);
  const target = params.required('index');
  const nowMs = context.runtime.clock.wallMs();
  const plan = planRollover(state, {
    target,
    newIndex: params.string('new_index'),
    nowMs,
    resolveName: (name) => resolveDateMathName(name, nowMs),
  });
  const index = await measure(context, state, plan, nowMs);
  const isDryRun = params.boolean('dry_run', false);
  const wanted = areMet(conditions, index);
  const created =
    wanted && !isDryRun
      ? await context.cluster.admin.rollover({
          ...managerTimeouts(request),
          target,
          source: plan.source.name,
          newIndex: plan.newIndex,
          providedName: plan.providedName,
          settings: objectAt(body, 'settings'),
          mappings: untypedMappings(objectAt(body, 'mappings')),
          aliases,
          waitForActiveShards,
        })
      : null;
  return valueResponse({
    acknowledged: created?.acknowledged ?? false,
    shards_acknowledged: created?.shardsAcknowledged ?? false,
    old_index: plan.source.name,
    new_index: plan.newIndex,
    rolled_over: created !== null,
    dry_run: isDryRun,
    conditions: Object.fromEntries(conditions.map((condition) => [condition.shown, condition.isMet(index)])),
  });
}

/** Age and size of the index that would be left. */
async function measure(
  context: CoordinatorContext,
  state: ClusterState,
  { source }: RolloverPlan,
  nowMs: number,
): Promise<RolledIndex> {
  const { copies } = await gatherStats(context, state, [source.name]);
  const primaries = primaryAllocations(state);
  const shards = copies.filter(({ allocationId }) => primaries.has(allocationId)).map(({ stats }) => stats);
  const docs = shards.map((stats) => stats.docCount ?? 0);
  const bytes = shards.map((stats) => stats.storeBytes ?? 0);
  return {
    ageMs: nowMs - source.creationDateMs,
    docs: docs.reduce((sum, count) => sum + count, 0),
    bytes: bytes.reduce((sum, size) => sum + size, 0),
    largestShardDocs: docs.reduce((most, count) => Math.max(most, count), 0),
    largestShardBytes: bytes.reduce((most, size) => Math.max(most, size), 0),
  };
}
