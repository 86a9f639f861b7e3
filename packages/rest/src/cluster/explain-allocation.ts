/**
 * `_cluster/allocation/explain`: why a shard copy is where it is, or nowhere.
 */
import { type CoordinatorContext, filterNodes } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { bodyObject, checkKeys, flagAt, textAt } from '../request/json-body.ts';
import { CHANGE_PARAMETERS, masterTimeoutMs } from '../request/manager-timeouts.ts';

const EXPLAIN_KEYS: readonly string[] = ['index', 'shard', 'primary', 'current_node'];

export const explainAllocationApi: RestApi = {
  usageName: 'cluster_allocation_explain_action',
  methods: ['GET', 'POST'],
  paths: ['/_cluster/allocation/explain'],
  privilege: 'cluster:monitor/allocation/explain',
  task: null,
  params: {
    ...CHANGE_PARAMETERS,
    index: 'string',
    shard: 'integer',
    primary: 'boolean',
    current_node: 'string',
    include_yes_decisions: 'boolean',
    include_disk_info: 'boolean',
  },
  body: 'json',
  handler: explainAllocation,
};

async function explainAllocation(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = bodyObject(request);
  checkKeys(body, EXPLAIN_KEYS, (key) => `unknown key [${key}] for allocation explain`);
  const index = textAt(body, 'index') ?? request.params.string('index');
  const shardText = textAt(body, 'shard') ?? request.params.string('shard');
  const isPrimary =
    flagAt(body, 'primary') ?? (request.params.has('primary') ? request.params.boolean('primary', true) : null);
  const currentNode = textAt(body, 'current_node') ?? request.params.string('current_node');
  const given = [index, shardText, isPrimary, currentNode].filter((value) => value !== null).length;
  if (given !== 0 && (index === null || shardText === null || isPrimary === null)) {
    throw illegalArgument('Validation Failed: index, shard and primary must be specified together, or none of them;');
  }
  const shard = Number(shardText);
  if (!Number.isSafeInteger(shard) || shard < 0)
    throw illegalArgument(`[shard] must be a shard number, not [${shardText}]`);
  const answer = await context.cluster.admin.explainAllocation({
    shard:
      index === null || isPrimary === null
        ? null
        : { index, shard, isPrimary, nodeId: currentNode === null ? null : nodeIdOf(context, currentNode) },
    includeYesDecisions: request.params.boolean('include_yes_decisions', false),
    masterTimeoutMs: masterTimeoutMs(request),
  });
  const diskInfo = request.params.boolean('include_disk_info', false)
    ? { cluster_info: answer.cluster_info ?? { nodes: {} } }
    : {};
  return valueResponse({ ...answer, ...diskInfo });
}

/** @throws illegal_argument_exception for a name, id or address that no node has, or several */
function nodeIdOf({ cluster }: CoordinatorContext, name: string): string {
  const found = filterNodes(cluster.state(), cluster.localNode.id, [name]);
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw illegalArgument(
      `resolved [${name}] into [${found.length}] nodes [${ids}], where expected to be resolved to a single node`,
    );
  }
  const [node] = found;
  if (node === undefined) throw illegalArgument(`failed to resolve [${name}], no matching nodes`);
  return node.id;
}
