/**
 * `_enrich/policy/{name}/_execute`: copies what a policy names of its source indices into an index of its own, and lets processors look there.
 *
 * Processors see the index before or the new one, and never a part of it: it is made under a name of its own, closed to writes, and takes
 * the alias of the policy in one step.
 */
import { requiredEnrichPolicy } from '@shoal/cluster';
import type { EnrichPolicy } from '@shoal/cluster-state';
import {
  AS_THEY_ARE,
  type ByQueryRequest,
  type CoordinatorContext,
  DEFAULT_WRITE_TIMEOUT_MS,
  enrichAlias,
  enrichIndexMeta,
  executeByQuery,
  listTasks,
  maintainShards,
  NO_EXTRAS,
  READ_INDICES_OPTIONS,
  ScrolledHits,
} from '@shoal/coordinator';
import { illegalArgument, parseJson, ShoalError, writeJson } from '@shoal/core';
import type { HttpRequest, HttpResponse } from '@shoal/http';
import type { AliasChange } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { readByQueryBody, scrollOf } from '../by-query/by-query-search.ts';
import { sourceOfHit } from '../by-query/source-of-hit.ts';
import type { JsonObject } from '../request/json-body.ts';
import { managedState } from '../request/managed-state.ts';
import { MANAGER_PARAMETERS } from '../request/manager-timeouts.ts';
import { answerOrDetach, DETACHING_PARAMETERS } from '../tasks/detached-task.ts';
import { indicesOfPolicy } from './enrich-policies.ts';
import { type SourceMappings, sourceMappings } from './source-mappings.ts';

export const EXECUTE_POLICY = 'cluster:admin/xpack/enrich/execute';

const TIMEOUTS = { masterTimeoutMs: 30_000, timeoutMs: 30_000 } as const;
/** Documents that are read and written at once. */
const PAGE_SIZE = 1_000;
const KEEP_ALIVE = '5m';

export const executeEnrichPolicyApi: RestApi = {
  usageName: 'execute_enrich_policy',
  methods: ['PUT', 'POST'],
  paths: ['/_enrich/policy/{name}/_execute'],
  privilege: EXECUTE_POLICY,
  task: {
    action: EXECUTE_POLICY,
    isCancellable: true,
    outlivesClient: true,
    describe: ({ params }) => params.required('name'),
  },
  params: { ...MANAGER_PARAMETERS, ...DETACHING_PARAMETERS },
  handler: execute,
};

async function execute(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const policy = requiredEnrichPolicy(state.metadata.enrichPolicies, request.params.required('name'));
  const source = sourceMappings(state, context, policy);
  await refuseSecondExecution(context, policy.name);
  return answerOrDetach(request, context, async () => {
    await runPolicy(context, policy, source);
    return { status: 200, body: () => ({ status: { phase: 'COMPLETE' } }) };
  });
}

/** Executions of one policy at the same time would delete each other's index. */
async function refuseSecondExecution({ cluster, ...rest }: CoordinatorContext, policy: string): Promise<void> {
  const question = { actions: [EXECUTE_POLICY], nodes: [], parentTaskId: null, taskId: null, wait: AS_THEY_ARE };
  const { nodes } = await listTasks({ cluster, ...rest }, question);
  const running = nodes.flatMap(({ node, tasks }) => tasks.map((task) => ({ ...task, nodeId: node.id })));
  const isOther = (task: { readonly nodeId: string; readonly id: number }): boolean =>
    task.nodeId !== cluster.localNode.id || task.id !== rest.task?.id;
  if (!running.some((task) => task.description === policy && isOther(task))) return;
  throw new ShoalError(
    'es_rejected_execution_exception',
    429,
    `Could not obtain lock because policy execution for [${policy}] is already in progress.`,
  );
}

async function runPolicy(context: CoordinatorContext, policy: EnrichPolicy, source: SourceMappings): Promise<void> {
  const { admin } = context.cluster;
  const index = `${enrichAlias(policy.name)}-${context.runtime.clock.wallMs()}`;
  await createEnrichIndex(context, policy, index, source.matchField);
  try {
    await copyDocuments(context, policy, index, source.indices);
    await sealIndex(context, index);
  } catch (error) {
    await admin.deleteIndices({ ...TIMEOUTS, indices: [index] });
    throw error;
  }
  const state = context.cluster.state();
  const alias = enrichAlias(policy.name);
  if (!state.metadata.enrichPolicies.has(policy.name)) {
    await admin.deleteIndices({ ...TIMEOUTS, indices: [index] });
    throw illegalArgument(`cannot execute policy [${policy.name}]: it was deleted meanwhile`);
  }
  const before = indicesOfPolicy(state, policy.name).filter((name) => name !== index);
  const aliased = before.filter((name) => state.metadata.indices.get(name)?.aliases.has(alias));
  await admin.updateAliases({
    ...TIMEOUTS,
    actions: [
      ...aliased.map((name): AliasChange => ({ kind: 'remove', index: name, alias, mustExist: false })),
      {
        ...{ kind: 'add', index, alias, filter: null, indexRouting: null },
        ...{ searchRouting: null, isWriteIndex: null, isHidden: true },
      },
    ],
  });
  // The index before this one stays until the next execution: documents on their way may still look into it.
  const gone = before.filter((name) => !aliased.includes(name));
  if (gone.length > 0) await admin.deleteIndices({ ...TIMEOUTS, indices: gone });
}

async function createEnrichIndex(
  { cluster }: CoordinatorContext,
  policy: EnrichPolicy,
  index: string,
  matchField: JsonObject,
): Promise<void> {
  await cluster.admin.createIndex({
    ...TIMEOUTS,
    index,
    settings: {
      'index.number_of_shards': '1',
      'index.number_of_replicas': '0',
      'index.auto_expand_replicas': '0-all',
      // Nothing is found in it before the copy is whole.
      'index.refresh_interval': '-1',
      'index.hidden': 'true',
    },
    mappings: {
      dynamic: false,
      properties: nested(policy.matchField.split('.'), matchField),
      _meta: enrichIndexMeta(policy.name, policy),
    },
    aliases: {},
    waitForActiveShards: 1,
  });
  await cluster.waitForState((state) => state.metadata.indices.has(index), TIMEOUTS.timeoutMs);
}

function nested([first = '', ...rest]: readonly string[], declaration: JsonObject): JsonObject {
  return { [first]: rest.length === 0 ? declaration : { properties: nested(rest, declaration) } };
}

async function copyDocuments(
  context: CoordinatorContext,
  { name, matchField, enrichFields, query }: EnrichPolicy,
  index: string,
  sources: readonly string[],
): Promise<void> {
  const own = query === null ? [] : [parseJson(Buffer.from(query))];
  const expression = sources.join(',');
  const { request: search } = await readByQueryBody(context, {
    body: writeJson({
      size: PAGE_SIZE,
      _source: [matchField, ...enrichFields],
      query: { bool: { filter: [{ exists: { field: matchField } }, ...own] } },
    }),
    params: {},
    signal: null,
    searched: { expression, indicesOptions: READ_INDICES_OPTIONS },
    split: (root) => ({ own: null, search: root }),
  });
  const scrolled = scrollOf(context, search, {
    ...{ expression, indicesOptions: READ_INDICES_OPTIONS, routings: [], keepAlive: KEEP_ALIVE },
    ...{ sharesStatistics: false, usesRequestCache: null, source: search.source },
  });
  const copied: ByQueryRequest = {
    kind: 'reindex',
    action: EXECUTE_POLICY,
    description: name,
    open: (owner, source) => new ScrolledHits(owner, scrolled, source),
    writeOf: (hit) => ({
      kind: 'write',
      item: {
        // Documents of several indices may have one id: each gets one of its own.
        ...NO_EXTRAS,
        ...{ action: 'index', index, id: null, source: sourceOfHit(hit), pipeline: '_none' },
      },
    }),
    ...{ documentsMax: null, slices: 1, ownSlice: null, passesConflicts: false, refreshes: false },
    requestsPerSecond: Number.POSITIVE_INFINITY,
    bulk: { timeoutMs: DEFAULT_WRITE_TIMEOUT_MS, waitForActiveShards: null },
  };
  const { writeFailures, searchFailures, timedOut } = await executeByQuery(context, copied);
  const [failure] = [...writeFailures, ...searchFailures];
  if (failure !== undefined) throw failure.error;
  if (timedOut || context.task?.isCancelled === true) {
    throw new ShoalError('task_cancelled_exception', 400, `execution of policy [${name}] did not come to its end`);
  }
}

/** One segment that takes no writes: what lookups search in does not change any more. */
async function sealIndex(context: CoordinatorContext, index: string): Promise<void> {
  const state = context.cluster.state();
  const merge = { segmentsMax: 1, onlyExpungeDeletes: false };
  const merged = await maintainShards(context, state, { kind: 'force_merge', merge, flush: true }, [index]);
  const refreshed = await maintainShards(context, state, { kind: 'refresh' }, [index]);
  if (merged.failed + refreshed.failed > 0) {
    throw new ShoalError('exception', 500, `the enrich index [${index}] could not be made searchable`);
  }
  await context.cluster.admin.updateIndexSettings({
    ...TIMEOUTS,
    indices: [index],
    settings: { 'index.blocks.write': true },
    preserveExisting: false,
  });
}
