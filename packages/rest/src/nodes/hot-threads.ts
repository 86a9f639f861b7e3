/**
 * `_nodes/hot_threads`: what the busiest threads of nodes are at, as text.
 */

import { shownRoles } from '@shoal/cluster';
import type { DiscoveryNode } from '@shoal/cluster-state';
import { askNodes, type CoordinatorContext, NODE_TIMEOUT_MS_DEFAULT } from '@shoal/coordinator';
import { illegalArgument, showHostPort } from '@shoal/core';
import { type HttpRequest, type HttpResponse, textResponse } from '@shoal/http';
import { HOT_THREADS, HOT_THREADS_INTERVAL_MS_MAX, HOT_THREADS_SNAPSHOTS_MAX, type HotThread } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { nodesOf, timeoutOf } from './asked-nodes.ts';

const INTERVAL_MS_DEFAULT = 500;
const SNAPSHOTS_DEFAULT = 10;
const THREADS_DEFAULT = 3;
/** Share of a processor below which a thread without a stack counts as idle. */
const IDLE_SHARE = 0.001;

export const hotThreadsApi: RestApi = {
  usageName: 'nodes_hot_threads_action',
  methods: ['GET'],
  paths: [
    ...['/_nodes/hot_threads', '/_nodes/{node_id}/hot_threads', '/_nodes/hotthreads', '/_nodes/{node_id}/hotthreads'],
    ...['/_cluster/nodes/hot_threads', '/_cluster/nodes/{node_id}/hot_threads'],
    ...['/_cluster/nodes/hotthreads', '/_cluster/nodes/{node_id}/hotthreads'],
  ],
  privilege: 'cluster:monitor/nodes/hot_threads',
  task: null,
  params: {
    threads: 'integer',
    ignore_idle_threads: 'boolean',
    type: 'string',
    sort: 'string',
    interval: 'time',
    snapshots: 'integer',
    timeout: 'time',
  },
  handler: hotThreads,
};

async function hotThreads(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const type = params.string('type') ?? 'cpu';
  // Threads here wait for nothing but the next piece of work, so that there is no blocked time to tell of.
  if (type !== 'cpu') throw illegalArgument(`type not supported [${type}]`);
  const order = params.string('sort') ?? 'cpu';
  // Time outside of a processor is time without work here, which puts no thread above another.
  if (order !== 'cpu') throw illegalArgument(`sort order not supported [${order}]`);
  const intervalMs = within('interval', params.timeMs('interval') ?? INTERVAL_MS_DEFAULT, HOT_THREADS_INTERVAL_MS_MAX);
  const snapshots = within('snapshots', params.integer('snapshots') ?? SNAPSHOTS_DEFAULT, HOT_THREADS_SNAPSHOTS_MAX);
  const threadsMax = params.integer('threads') ?? THREADS_DEFAULT;
  const ignoresIdle = params.boolean('ignore_idle_threads', true);
  const nodes = nodesOf(context, params.list('node_id'));
  const timeoutMs = params.has('timeout') ? timeoutOf(request) : NODE_TIMEOUT_MS_DEFAULT + intervalMs;
  const { answers } = await askNodes(context, nodes, HOT_THREADS, () => ({ intervalMs, snapshots }), timeoutMs);
  const time = new Date(context.runtime.clock.wallMs()).toISOString();
  const head = `Hot threads at ${time}, interval=${intervalMs}ms, busiestThreads=${threadsMax}, ignoreIdleThreads=${ignoresIdle}:`;
  const texts = nodes.flatMap((node) => {
    const threads = answers.get(node.id)?.threads;
    if (threads === undefined) return [];
    const shown = threads.filter((thread) => !ignoresIdle || isBusy(thread, intervalMs)).sort(byLoad);
    const busiest = shown.slice(0, Math.max(0, threadsMax)).map((thread) => threadText(thread, intervalMs));
    return `::: ${nodeText(node)}\n   ${head}\n${busiest.join('')}\n`;
  });
  return textResponse(texts.join(''));
}

function within(name: string, value: number, most: number): number {
  if (value >= 1 && value <= most) return value;
  throw illegalArgument(`[${name}] must be between [1] and [${most}] but was [${value}]`);
}

function isBusy({ cpuMs, stacks }: HotThread, intervalMs: number): boolean {
  return stacks.length > 0 || (cpuMs ?? 0) > intervalMs * IDLE_SHARE;
}

function byLoad(a: HotThread, b: HotThread): number {
  return (b.cpuMs ?? 0) - (a.cpuMs ?? 0) || busySamples(b) - busySamples(a);
}

function busySamples({ stacks }: HotThread): number {
  return stacks.reduce((sum, { count }) => sum + count, 0);
}

function threadText(thread: HotThread, intervalMs: number): string {
  const { name, sampleCount, stacks } = thread;
  // Where the system does not tell, the samples do.
  const cpuMs = thread.cpuMs ?? (busySamples(thread) / Math.max(1, sampleCount)) * intervalMs;
  const percent = ((cpuMs / intervalMs) * 100).toFixed(1);
  const lines = [
    `   \n${percent.padStart(7)}% (${cpuMs.toFixed(1)}ms out of ${intervalMs}ms) cpu usage by thread '${name}'`,
  ];
  for (const { count, frames } of stacks) {
    lines.push(`     ${count}/${sampleCount} snapshots sharing following ${frames.length} elements`);
    lines.push(...frames.map((frame) => `       ${frame}`));
  }
  return `${lines.join('\n')}\n`;
}

function nodeText({ name, id, ephemeralId, address, roles, attributes }: DiscoveryNode): string {
  const initials = shownRoles(roles)
    .map((role) => role.charAt(0))
    .sort()
    .join('');
  const shown = Object.entries(attributes).map(([key, value]) => `${key}=${value}`);
  const parts = [name, id, ephemeralId, address.host, showHostPort(address), initials];
  return `${parts.map((part) => `{${part}}`).join('')}${shown.length === 0 ? '' : `{${shown.join(', ')}}`}`;
}
