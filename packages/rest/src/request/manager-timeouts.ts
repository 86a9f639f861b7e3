/**
 * Parameters that say how long a request waits for the cluster manager, and for the nodes that apply a change.
 */
import type { HttpRequest, ParameterDeclarations } from '@shoal/http';
import type { ManagerTimeouts } from '@shoal/membership';

const MASTER_TIMEOUT_MS_DEFAULT = 30_000;
const ACK_TIMEOUT_MS_DEFAULT = 30_000;
/** Longest wait; also the meaning of `-1`, for ever. */
const WAIT_MS_MAX = 24 * 60 * 60 * 1000;

/** Parameters of APIs that wait for a cluster manager. */
export const MANAGER_PARAMETERS: ParameterDeclarations = { master_timeout: 'time', cluster_manager_timeout: 'time' };
/** Parameters of APIs that only read the cluster state. */
export const READ_PARAMETERS: ParameterDeclarations = {
  ...MANAGER_PARAMETERS,
  local: 'boolean',
};
/** Parameters of APIs that change the cluster state. */
export const CHANGE_PARAMETERS: ParameterDeclarations = {
  ...MANAGER_PARAMETERS,
  timeout: 'time',
};

export function masterTimeoutMs(request: HttpRequest): number {
  const { params } = request;
  const given = params.timeMs('master_timeout') ?? params.timeMs('cluster_manager_timeout');
  return boundedMs(given ?? MASTER_TIMEOUT_MS_DEFAULT);
}

export function managerTimeouts(request: HttpRequest): ManagerTimeouts {
  const timeoutMs = boundedMs(request.params.timeMs('timeout') ?? ACK_TIMEOUT_MS_DEFAULT);
  return { masterTimeoutMs: masterTimeoutMs(request), timeoutMs };
}

/** A wait that a request names, at most a day. */
export function boundedMs(ms: number): number {
  return ms < 0 ? WAIT_MS_MAX : Math.min(ms, WAIT_MS_MAX);
}
