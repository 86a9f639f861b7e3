/**
 * Joins a cluster as a node without roles, data and HTTP port, and coordinates requests there.
 *
 * Loaded when a `NodeClient` starts: it takes in the coordinator and the whole API, which nobody needs who talks HTTP.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { createCoordinatorContext, nodeCounters } from '@shoal/coordinator';
import { CancelSource, ShoalError, showHostPort } from '@shoal/core';
import { type ClusterService, startCluster } from '@shoal/membership';
import type { ClientRequest, ClientResponse } from '@shoal/protocol';
import { createRestHandler, executeClientRequest, registerNodeHandlers } from '@shoal/rest';
import { createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';

export interface NodeClientOptions {
  readonly clusterName: string;
  /** `host:port` of some nodes; 9300 without a port. */
  readonly seedHosts: readonly string[];
  readonly name?: string;
  /** Address by which the other nodes reach this one. Default: loopback, any free port. */
  readonly host?: string;
  readonly port?: number;
  readonly publishHost?: string;
  /** Longest wait of `start` for the cluster. Default 30 s. */
  readonly initialStateTimeoutMs?: number;
  /** @internal Default: this process, without log and disk. */
  readonly runtime?: Runtime;
  /** @internal Must be exactly the version of the nodes; only tests say another one. */
  readonly version?: string;
}

/** A node that is part of a cluster and executes requests. */
export interface JoinedNode {
  readonly nodeId: string;
  execute(request: ClientRequest): Promise<ClientResponse>;
  close(): Promise<void>;
}

const INITIAL_STATE_TIMEOUT_MS = 30_000;
const NAME_SUFFIX_BYTES = 3;

/** @throws master_not_discovered_exception when it could not join within `initialStateTimeoutMs` */
export async function joinCluster(options: NodeClientOptions): Promise<JoinedNode> {
  const runtime = options.runtime ?? createNodeRuntime({ log: createSilentLog() });
  const onFatal = (error: unknown): void => runtime.sched.soon(() => rethrow(error));
  const suffix = Buffer.from(runtime.random.bytes(NAME_SUFFIX_BYTES)).toString('hex');
  const counters = nodeCounters(runtime);
  const cluster = await startCluster(runtime, {
    clusterName: options.clusterName,
    nodeName: options.name ?? `node-client-${suffix}`,
    roles: [],
    kind: 'node_client',
    ...(options.version === undefined ? {} : { version: options.version }),
    dataPath: null,
    bind: { host: options.host ?? '127.0.0.1', port: options.port ?? 0 },
    ...(options.publishHost === undefined ? {} : { publishHost: options.publishHost }),
    httpAddress: null,
    seedHosts: options.seedHosts,
    initialClusterManagerNodes: null,
    discoveryType: null,
    // Others ask every node of the cluster for `_nodes`, and this is one.
    register: (service) =>
      registerNodeHandlers({
        runtime,
        cluster: service,
        settings: { 'node.roles': '' },
        http: () => null,
        dataPath: null,
        ...counters,
        shards: null,
      }),
    onFatal,
  });
  const isIn = (state: ClusterState): boolean =>
    state.clusterManagerId !== null && state.nodes.has(cluster.localNode.id);
  const joined = await cluster.waitForState(isIn, options.initialStateTimeoutMs ?? INITIAL_STATE_TIMEOUT_MS);
  if (joined === null) {
    const error = notJoined(cluster);
    await cluster.close();
    throw error;
  }
  const context = createCoordinatorContext(runtime, cluster, {}, counters);
  const handler = createRestHandler(context, { onAssertionFailure: onFatal });
  return {
    nodeId: cluster.localNode.id,
    execute: (request) => executeClientRequest(handler, request, new CancelSource().flag),
    close: () => cluster.close(),
  };
}

/** 503: with what was tried on 9300, and what each address did. */
function notJoined(cluster: ClusterService): ShoalError {
  const { attempts, missing } = cluster.diagnose();
  const tried = attempts.map(({ address, outcome }) => `${showHostPort(address)}: ${outcome}`);
  const reason = [missing ?? 'no cluster manager is known', ...tried].join('; ');
  return new ShoalError('master_not_discovered_exception', 503, reason);
}

function rethrow(error: unknown): never {
  throw error;
}
