/**
 * What makes two searches the same but for the page they show: the bytes by which a list of ranked matches is kept.
 */
import { type JsonNode, parseJsonTree } from '@shoal/core';
import type { RequestInput } from './search-request.ts';

/** Members of a body and URI parameters that change neither the matches nor their order. Others are kept: that costs a list. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  'from',
  'size',
  'pit',
  '_source',
  '_source_includes',
  '_source_excludes',
  'fields',
  'docvalue_fields',
  'stored_fields',
  'highlight',
  'track_total_hits',
  'version',
  'seq_no_primary_term',
  'explain',
  'profile',
  'aggs',
  'aggregations',
  'timeout',
  'suggest',
  'ext',
  'stats',
  'pretty',
  'human',
  'format',
  'filter_path',
  'error_trace',
  'typed_keys',
  'rest_total_hits_as_int',
  'batched_reduce_size',
  'max_concurrent_shard_requests',
  'pre_filter_shard_size',
  'allow_partial_search_results',
  'request_cache',
  'preference',
]);

/** Equal texts: the same matches in the same order in the same reader. */
export function searchIdentity({ body, params }: RequestInput, nowMs: number): string {
  const root = body === null ? null : parseJsonTree(body);
  const members = root?.kind === 'object' ? root.members.filter(({ name }) => !WITHOUT_EFFECT.has(name)) : [];
  const given = Object.entries(params)
    .filter(([name]) => !WITHOUT_EFFECT.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const shown = `{${members.map(({ name, value }) => `${JSON.stringify(name)}:${textOf(value)}`).join()}}${JSON.stringify(given)}`;
  // Date math: another moment is another search.
  return shown.includes('now') ? `${shown}@${nowMs}` : shown;
}

/** As it was written, without white space: numbers keep all of their digits. */
function textOf(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return `{${node.members.map(({ name, value }) => `${JSON.stringify(name)}:${textOf(value)}`).join()}}`;
    case 'array':
      return `[${node.items.map(textOf).join()}]`;
    case 'number':
      return node.text;
    case 'string':
      return JSON.stringify(node.value);
    case 'boolean':
      return String(node.value);
    default:
      return 'null';
  }
}
