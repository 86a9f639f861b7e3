/**
 * Parameters that all writes share, and what they mean.
 */
import { illegalArgument } from '@shoal/core';
import type { ParameterDeclarations, RequestParameters } from '@shoal/http';
import type { RefreshPolicy } from '@shoal/protocol';
import type { WriteConditions } from '@shoal/query';
import { type BulkOptions, DEFAULT_WRITE_TIMEOUT_MS } from '../actions/execute-bulk.ts';
import { parseVersionType } from '../documents/parse-bulk.ts';

export const WRITE_PARAMETERS: ParameterDeclarations = {
  refresh: 'string',
  timeout: 'time',
  routing: 'string',
  wait_for_active_shards: 'string',
  require_alias: 'boolean',
};

export const CONDITION_PARAMETERS: ParameterDeclarations = {
  if_seq_no: 'long',
  if_primary_term: 'long',
  version: 'long',
  version_type: 'string',
};

/** Of a route that declares `WRITE_PARAMETERS`. */
export function bulkOptionsOf(params: RequestParameters): BulkOptions {
  checkActiveShards(params.string('wait_for_active_shards'));
  return {
    refresh: refreshPolicyOf(params.string('refresh')),
    timeoutMs: params.timeMs('timeout') ?? DEFAULT_WRITE_TIMEOUT_MS,
  };
}

/** Of a route that declares `CONDITION_PARAMETERS`. */
export function conditionsOf(params: RequestParameters): WriteConditions {
  const versionType = params.string('version_type');
  return {
    ifSeqNo: params.long('if_seq_no'),
    ifPrimaryTerm: params.long('if_primary_term'),
    version: params.long('version'),
    versionType: versionType === null ? 'internal' : parseVersionType(versionType),
  };
}

function refreshPolicyOf(text: string | null): RefreshPolicy {
  switch (text) {
    case null:
    case 'false':
      return 'none';
    case '':
    case 'true':
      return 'immediate';
    case 'wait_for':
      return 'wait_for';
    default:
      throw illegalArgument(`Unknown value for refresh: [${text}].`);
  }
}

/** The primary is one active copy; more can be asked for when there are replicas. */
function checkActiveShards(text: string | null): void {
  if (text === null || text === '0' || text === '1') return;
  if (text !== 'all' && !/^\d+$/.test(text)) {
    throw illegalArgument(`cannot parse ActiveShardCount[${text}]`);
  }
  throw illegalArgument(`[wait_for_active_shards] of [${text}] is not supported: only primaries are allocated`);
}
