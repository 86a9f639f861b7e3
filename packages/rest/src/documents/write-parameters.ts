/**
 * Parameters that all writes share, read into the options of a bulk.
 */

import { type BulkAction, type BulkOptions, DEFAULT_WRITE_TIMEOUT_MS } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type ParameterDeclarations, type RequestParameters, withoutEffect } from '@shoal/http';
import type { RefreshPolicy } from '@shoal/protocol';
import type { WriteConditions } from '@shoal/shard-api';
import { parseVersionType, withoutStateVersion } from './write-options.ts';

export const WRITE_PARAMETERS: ParameterDeclarations = {
  refresh: 'string',
  timeout: 'time',
  routing: 'string',
  wait_for_active_shards: 'string',
  require_alias: 'boolean',
  require_data_stream: 'boolean',
};

/** Parameters of the APIs that write a document from a body. */
export const SOURCE_ERROR_PARAMETER: ParameterDeclarations = {
  include_source_on_error: withoutEffect('boolean', 'no error shows the document'),
};

export const CONDITION_PARAMETERS: ParameterDeclarations = {
  if_seq_no: 'long',
  if_primary_term: 'long',
  version: 'long',
  version_type: 'string',
};

/** Options of a request whose route declares `WRITE_PARAMETERS`. */
export function bulkOptionsOf(params: RequestParameters): BulkOptions {
  return {
    refresh: refreshPolicyOf(params.string('refresh')),
    timeoutMs: params.timeMs('timeout') ?? DEFAULT_WRITE_TIMEOUT_MS,
    waitForActiveShards: activeShardsOf(params.string('wait_for_active_shards')),
  };
}

/** Conditions of a request whose route declares `CONDITION_PARAMETERS`. */
export function conditionsOf(params: RequestParameters, action: BulkAction): WriteConditions {
  const versionType = params.string('version_type');
  return withoutStateVersion(action, {
    ifSeqNo: params.long('if_seq_no'),
    ifPrimaryTerm: params.long('if_primary_term'),
    version: params.long('version'),
    versionType: versionType === null ? 'internal' : parseVersionType(versionType),
  });
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

/** null when not given: the index says. */
function activeShardsOf(text: string | null): number | 'all' | null {
  if (text === null) return null;
  if (text === 'all') return 'all';
  if (!/^\d{1,9}$/.test(text)) throw illegalArgument(`cannot parse ActiveShardCount[${text}]`);
  return Number(text);
}
