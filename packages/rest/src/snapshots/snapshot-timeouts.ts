/**
 * How long requests about snapshots wait: for a cluster manager as their parameter says, for work as long as its bytes take.
 */
import type { HttpRequest, ParameterDeclarations } from '@shoal/http';
import type { ManagerTimeouts } from '@shoal/membership';
import { masterTimeoutMs } from '../request/manager-timeouts.ts';

/** Longest wait for work on a repository: a week. */
export const LONG_TIMEOUT_MS: number = 7 * 24 * 3_600_000;
/** Wait for all nodes to apply a change. */
const ACK_TIMEOUT_MS = 30_000;

export const MASTER_TIMEOUT: ParameterDeclarations = { master_timeout: 'time', cluster_manager_timeout: 'time' };

/** Timeouts of a request whose route declares `MASTER_TIMEOUT`. */
export function snapshotTimeouts(request: HttpRequest): ManagerTimeouts {
  return { masterTimeoutMs: masterTimeoutMs(request), timeoutMs: ACK_TIMEOUT_MS };
}
