/**
 * How administrative routes read and change the cluster: the state of a cluster that has a cluster manager, and the
 * parameters that say how long to wait for one.
 */

import { type CoordinatorContext, type IndicesOptions, resolveIndices, splitExpression } from '@shoal/coordinator';
import { illegalArgument, masterNotDiscovered } from '@shoal/core';
import type { HttpRequest, ParameterDeclarations } from '@shoal/http';
import type { ManagerTimeouts } from '@shoal/membership';
import type { ClusterState } from '@shoal/protocol';

const MASTER_TIMEOUT_MS_DEFAULT = 30_000;
const ACK_TIMEOUT_MS_DEFAULT = 30_000;
/** What `-1`, for ever, means. */
const WAIT_MS_MAX = 24 * 60 * 60 * 1000;

/** Of routes that only read. */
export const READ_PARAMETERS: ParameterDeclarations = {
  master_timeout: 'time',
  cluster_manager_timeout: 'time',
  local: 'boolean',
};
/** Of routes that change the cluster state. */
export const CHANGE_PARAMETERS: ParameterDeclarations = {
  master_timeout: 'time',
  cluster_manager_timeout: 'time',
  timeout: 'time',
};
/** Accepted as false, so that clients of version 7 can go on sending it; mapping types are gone. */
export const TYPE_NAME_PARAMETER: ParameterDeclarations = { include_type_name: 'boolean' };

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

/**
 * The state of a cluster with a cluster manager; waits for one up to `master_timeout`.
 *
 * @throws master_not_discovered_exception (503) when none was found in that time
 */
export async function managedState(request: HttpRequest, context: CoordinatorContext): Promise<ClusterState> {
  const state = await context.cluster.waitForState((s) => s.clusterManagerId !== null, masterTimeoutMs(request));
  if (state === null) throw masterNotDiscovered();
  return state;
}

/** As `managedState`; with `?local=true` the last applied state, whatever it is. */
export async function readState(request: HttpRequest, context: CoordinatorContext): Promise<ClusterState> {
  return request.params.boolean('local', false) ? context.cluster.state() : managedState(request, context);
}

/**
 * Concrete indices for APIs that refuse aliases: a wildcard passes them over, a name is an error.
 *
 * @throws illegal_argument_exception when a part of the expression is an alias
 */
export function concreteIndices(
  state: ClusterState,
  expression: string | null,
  options: IndicesOptions,
  nowMs: number,
): readonly string[] {
  for (const part of splitExpression(expression)) {
    const isAlias = [...state.metadata.indices.values()].some((index) => index.aliases.has(part));
    if (isAlias && !options.ignoreUnavailable) {
      throw illegalArgument(
        `The provided expression [${part}] matches an alias, specify the corresponding concrete indices instead.`,
      );
    }
  }
  return resolveIndices(state, expression, options, nowMs)
    .filter((resolved) => resolved.viaAliases.length === 0)
    .map((resolved) => resolved.index.name);
}

/** A cluster setting in force: transient before persistent; null when it is not set. */
export function clusterSetting(state: ClusterState, name: string): string | null {
  const { transientSettings, persistentSettings } = state.metadata;
  return transientSettings[name] ?? persistentSettings[name] ?? null;
}

/** @throws illegal_argument_exception for `include_type_name=true` */
export function refuseTypes(request: HttpRequest): void {
  if (request.params.boolean('include_type_name', false)) {
    throw illegalArgument('mapping types are gone: include_type_name must be false or absent');
  }
}
