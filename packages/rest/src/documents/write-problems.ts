/**
 * Problems of a write that are found before any shard is asked: ids, and conditions that do not go together.
 */

import type { BulkAction } from '@shoal/coordinator';
import { ShoalError } from '@shoal/core';
import type { WriteConditions } from '@shoal/shard-api';
import { ANY_VERSION } from './write-options.ts';

export const ID_BYTES_MAX = 512;

export function idTooLong(id: string, bytes: number): string {
  return `id [${id}] is too long, must be no longer than ${ID_BYTES_MAX} bytes but was: ${bytes}`;
}

/** null when the conditions go together. */
export function conditionProblem(action: BulkAction, conditions: WriteConditions): string | null {
  const { ifSeqNo, ifPrimaryTerm, version, versionType } = conditions;
  if (action === 'create') {
    if (versionType !== 'internal') return 'create operations only support internal versioning. use index instead';
    if (version !== null) return 'create operations do not support explicit versions. use index instead';
    if (ifSeqNo !== null || ifPrimaryTerm !== null) {
      return 'create operations do not support compare and set. use index instead';
    }
  }
  if (ifSeqNo !== null && ifPrimaryTerm === null) return 'ifSeqNo is set, but primary term is [0]';
  if (ifSeqNo === null && ifPrimaryTerm !== null) {
    return `ifSeqNo is unassigned, but primary term is [${ifPrimaryTerm}]`;
  }
  if (versionType === 'internal' && version !== null) {
    return (
      'internal versioning can not be used for optimistic concurrency control. ' +
      'Please use `if_seq_no` and `if_primary_term` instead'
    );
  }
  if (versionType !== 'internal' && (version === null || version < 0)) {
    return `illegal version value [${version ?? ANY_VERSION}] for version type [${versionType.toUpperCase()}]`;
  }
  return null;
}

/** 400 with a numbered list of everything that is wrong. */
export function validationFailed(problems: readonly string[]): ShoalError {
  const PROBLEMS_SHOWN_MAX = 100;
  const listed = problems.slice(0, PROBLEMS_SHOWN_MAX).map((problem, i) => `${i + 1}: ${problem};`);
  return new ShoalError('action_request_validation_exception', 400, `Validation Failed: ${listed.join('')}`);
}
