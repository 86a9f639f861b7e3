/**
 * What an output needs in its cluster before the first event: templates, policies, an alias. Tried until it is there, for
 * documents indexed before would get the wrong types, or go to the wrong index.
 */

import type { StoppableWait } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import type { Log } from '@shoal/runtime';
import type { ElasticsearchHosts } from '../../elasticsearch-client/elasticsearch-hosts.ts';

export interface ClusterResource {
  /** Name in messages, such as `index template logs`. */
  readonly name: string;
  /** Asked first: what is there stays as it is. null: it is put in any case. */
  readonly probe: { readonly method: 'GET' | 'HEAD'; readonly path: string } | null;
  /** Path of the request that puts it. */
  readonly path: string;
  readonly body: Uint8Array;
  /** For what nobody asked for by name: put when the first is refused, and done without where the cluster has no such thing. */
  readonly fallback?: { readonly body: Uint8Array; readonly lacks: string; readonly without: string };
}

export interface SetupSettings {
  readonly timeoutMs: number;
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
  readonly log: Log;
  readonly control: StoppableWait;
}

/** @throws ShoalError when the output is stopped before it is done */
export async function setUpCluster(
  hosts: ElasticsearchHosts,
  resources: readonly ClusterResource[],
  settings: SetupSettings,
): Promise<void> {
  for (const resource of resources) await ensure(hosts, resource, settings);
}

async function ensure(hosts: ElasticsearchHosts, resource: ClusterResource, settings: SetupSettings): Promise<void> {
  const { control, log } = settings;
  let pauseMs = settings.retryFirstMs;
  for (;;) {
    try {
      if (await isSettled(hosts, resource, settings)) return;
    } catch (error) {
      log.warn('a cluster could not be prepared yet', { for: resource.name, error: String(error) });
    }
    if (control.isStopped) {
      const why = `the output was stopped before its ${resource.name} was installed`;
      throw new ShoalError('illegal_argument_exception', 400, why);
    }
    await control.pause(pauseMs);
    pauseMs = Math.min(pauseMs * 2, settings.retryMaxMs);
  }
}

/** false: to be tried again. */
async function isSettled(
  hosts: ElasticsearchHosts,
  { name, probe, path, body, fallback }: ClusterResource,
  { timeoutMs, log }: SetupSettings,
): Promise<boolean> {
  const found = probe === null ? null : await hosts.call({ ...probe, timeoutMs });
  if (found?.status === 200) return true;
  const headers = { 'content-type': 'application/json' };
  let answer = await hosts.call({ method: 'PUT', path, body, headers, timeoutMs });
  if (answer.status === 400 && fallback !== undefined) {
    const reason = Buffer.from(answer.body.subarray(0, 500)).toString('utf8');
    answer = await hosts.call({ method: 'PUT', path, body: fallback.body, headers, timeoutMs });
    if (answer.status < 300) log.warn(`the ${name} was installed without ${fallback.lacks}`, { reason });
  }
  if (answer.status < 300) return true;
  const reason = Buffer.from(answer.body.subarray(0, 500)).toString('utf8');
  // Another worker, or another agent, was faster.
  if (reason.includes('resource_already_exists_exception')) return true;
  if (fallback !== undefined && isUnknown(answer.status, reason)) {
    log.warn(`the cluster has no place for the ${name}: ${fallback.without}`, { reason });
    return true;
  }
  log.error(`the ${name} was refused`, { status: answer.status, reason });
  // What the cluster refuses once it refuses always; events go on with what it does by itself.
  return answer.status >= 400 && answer.status < 500 && answer.status !== 429;
}

/** The cluster has no such API. */
function isUnknown(status: number, reason: string): boolean {
  return status === 405 || reason.includes('no handler found for uri');
}
