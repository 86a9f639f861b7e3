/**
 * May this write go on? Conditions of the request against the document's newest state, in Elasticsearch's words.
 */
import { type ShoalError, versionConflict } from '@shoal/core';
import type { ShardId, WriteConditions } from '@shoal/shard-api';

/** Newest known state of an id. A recent delete keeps its version. */
export interface CurrentVersion {
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly isDeleted: boolean;
}

export interface ConflictCheck {
  readonly id: string;
  readonly conditions: WriteConditions;
  readonly mustNotExist: boolean;
  /** null when nothing is known of the id. */
  readonly current: CurrentVersion | null;
}

/** The error to answer with, or null when the write may go on. */
export function findConflict(check: ConflictCheck, shard: ShardId): ShoalError | null {
  const reason = conflictReason(check);
  if (reason === null) return null;
  return versionConflict(`[${check.id}]: version conflict, ${reason}`, {
    index: shard.index,
    indexUuid: shard.indexUuid,
    shard: shard.number,
  });
}

function conflictReason({ conditions, current, mustNotExist }: ConflictCheck): string | null {
  const exists = current !== null && !current.isDeleted;
  const { ifSeqNo, ifPrimaryTerm, version, versionType } = conditions;
  if (ifSeqNo !== null) {
    const required = `required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm ?? 0}].`;
    if (!exists) return `${required} but no document was found`;
    if (current.seqNo !== ifSeqNo || (ifPrimaryTerm !== null && current.primaryTerm !== ifPrimaryTerm)) {
      return `${required} current document has seqNo [${current.seqNo}] and primary term [${current.primaryTerm}]`;
    }
  }
  if (mustNotExist && exists) return `document already exists (current version [${current.version}])`;
  if (version === null) return null;
  switch (versionType) {
    case 'internal':
      return exists && current.version === version
        ? null
        : `current version [${exists ? current.version : -1}] is different than the one provided [${version}]`;
    case 'external':
      return current === null || current.version < version
        ? null
        : `current version [${current.version}] is higher or equal to the one provided [${version}]`;
    default:
      return current === null || current.version <= version
        ? null
        : `current version [${current.version}] is higher than the one provided [${version}]`;
  }
}

/** Version that the write gives its document. */
export function nextVersion(conditions: WriteConditions, current: CurrentVersion | null): number {
  if (conditions.versionType !== 'internal' && conditions.version !== null) return conditions.version;
  return current === null ? 1 : current.version + 1;
}
