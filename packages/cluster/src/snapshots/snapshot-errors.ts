/** Errors of repositories and snapshots, in Elasticsearch's words. */
import { ShoalError, type ShoalErrorOptions } from '@shoal/core';

export function repositoryException(repository: string, why: string, options?: ShoalErrorOptions): ShoalError {
  return new ShoalError('repository_exception', 500, `[${repository}] ${why}`, options);
}

export function repositoryMissing(repository: string): ShoalError {
  return new ShoalError('repository_missing_exception', 404, `[${repository}] missing`);
}

export function snapshotMissing(repository: string, snapshot: string): ShoalError {
  return new ShoalError('snapshot_missing_exception', 404, `[${repository}:${snapshot}] is missing`);
}

export function invalidSnapshotName(repository: string, name: string, why: string): ShoalError {
  return new ShoalError(
    'invalid_snapshot_name_exception',
    400,
    `[${repository}:${name}] Invalid snapshot name [${name}], ${why}`,
  );
}

/** @param snapshot name, with `/` and the UUID when it is known */
export function snapshotRestoreException(repository: string, snapshot: string, why: string): ShoalError {
  return new ShoalError('snapshot_restore_exception', 500, `[${repository}:${snapshot}] ${why}`);
}

export function concurrentSnapshots(repository: string, snapshot: string, why: string): ShoalError {
  return new ShoalError('concurrent_snapshot_execution_exception', 503, `[${repository}:${snapshot}] ${why}`);
}
