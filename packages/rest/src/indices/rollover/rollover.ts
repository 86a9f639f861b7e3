/**
 * `_rollover`: gives an alias or a data stream a new index to write to, when the present one meets the conditions; with `::failures`
 * behind the name of a data stream, a new failure index.
 */
import { NO_SOURCE, planRollover, type RolloverPlan } from '@shoal/cluster';
import {
  areMet,
  type CoordinatorContext,
  measureIndex,
  parseConditions,
  resolveDateMathName,
  splitSelector,
} from '@shoal/coordinator';
import { illegalArgument, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { parseActiveShards } from '../../request/active-shards.ts';
import { bodyObject, objectAt, unknownKey } from '../../request/json-body.ts';
import { managedState } from '../../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../../request/manager-timeouts.ts';
import { refuseTypes, TYPE_NAME_PARAMETER } from '../../request/refuse-types.ts';
import { checkAliasFilters } from '../aliases/alias-filter.ts';
import { untypedMappings } from '../mappings/untyped-mappings.ts';

const BODY_KEYS: readonly string[] = ['conditions', 'settings', 'mappings', 'aliases'];
/** A lazy rollover comes with the next write. */
const LAZY = { rolled_over: false, dry_run: false, lazy: true };

export const rolloverApi: RestApi = {
  usageName: 'rollover_index_action',
  methods: ['POST'],
  paths: ['/{index}/_rollover', '/{index}/_rollover/{new_index}'],
  privilege: 'indices:admin/rollover',
  task: null,
  params: {
    ...CHANGE_PARAMETERS,
    ...TYPE_NAME_PARAMETER,
    dry_run: 'boolean',
    lazy: 'boolean',
    wait_for_active_shards: 'string',
  },
  body: 'json',
  handler: rollOver,
};

async function rollOver(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  refuseTypes(request);
  const { params } = request;
  const body = bodyObject(request);
  const unknown = unknownKey(body, BODY_KEYS);
  if (unknown !== undefined) {
    throw new ShoalError('x_content_parse_exception', 400, `[rollover] unknown field [${unknown}]`);
  }
  const conditions = parseConditions(body);
  const aliases = objectAt(body, 'aliases');
  checkAliasFilters(aliases);
  const waitForActiveShards = parseActiveShards(params.string('wait_for_active_shards'));
  const state = await managedState(request, context);
  const { name: target, component } = splitSelector(params.required('index'), { allowsSelectors: true });
  const nowMs = context.runtime.clock.wallMs();
  const plan = planRollover(state, {
    target,
    component,
    newIndex: params.string('new_index'),
    nowMs,
    resolveName: (name) => resolveDateMathName(name, nowMs),
  });
  const isDryRun = params.boolean('dry_run', false);
  const isLazy = params.boolean('lazy', false);
  if (isLazy) checkLazy(state.metadata.dataStreams.has(target), conditions.length > 0);
  if (isLazy && !isDryRun) {
    const change = { ...managerTimeouts(request), name: target, component };
    const { acknowledged } = await context.cluster.admin.rolloverOnWrite(change);
    return valueResponse({ acknowledged, shards_acknowledged: false, ...shownPlan(plan), ...LAZY, conditions: {} });
  }
  const index = plan.source === null ? null : await measureIndex(context, state, plan.source);
  const wanted = index === null || areMet(conditions, index);
  const created =
    wanted && !isDryRun
      ? await context.cluster.admin.rollover({
          ...managerTimeouts(request),
          target,
          component,
          source: plan.source?.name ?? null,
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
    ...shownPlan(plan),
    rolled_over: created !== null,
    dry_run: isDryRun,
    lazy: isLazy,
    conditions: Object.fromEntries(
      conditions.map((condition) => [condition.shown, index !== null && condition.isMet(index)]),
    ),
  });
}

function shownPlan({ source, newIndex }: RolloverPlan): Readonly<Record<string, string>> {
  return { old_index: source?.name ?? NO_SOURCE, new_index: newIndex };
}

/** @throws illegal_argument_exception when the next write cannot be what rolls the target over */
function checkLazy(isStream: boolean, hasConditions: boolean): void {
  const [only, remedy] = isStream
    ? ['used only without any conditions', "the conditions from the request body or the query parameter 'lazy'"]
    : hasConditions
      ? [
          'applied only on a data stream with no conditions',
          "the conditions from the request body and the query parameter 'lazy'",
        ]
      : ['applied only on a data stream', "the query parameter 'lazy'"];
  if (!isStream || hasConditions) throw illegalArgument(`Lazy rollover can be ${only}. Please remove ${remedy}.`);
}
