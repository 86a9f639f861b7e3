/**
 * A cluster service over a state that a test sets, and HTTP requests to the administrative routes without a socket.
 *
 * Messages to nodes go through the writers and readers of their codec, as they would over 9300. Changes are recorded and
 * acknowledged. Waits end at once: with the state, or as timed out.
 */

import { clusterSettings, withoutManager } from '@shoal/cluster';
import type { ClusterState, DiscoveryNode, IndexMetadata } from '@shoal/cluster-state';
import { createCoordinatorContext } from '@shoal/coordinator';
import { assert, CancelSource, ShoalError } from '@shoal/core';
import { answerRequest, createHttpHandler, DEFAULT_CONTENT_BYTES_MAX } from '@shoal/http';
import type { ClusterAdmin, ClusterService } from '@shoal/membership';
import type { PendingTask } from '@shoal/protocol';
import { createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import type { ActionCodec } from '@shoal/transport';
import { REST_APIS } from '../rest-apis.ts';
import {
  lib,
  libCopy,
  libStats,
  NODE_ID,
  RECORDED_AT_MS,
  recordedState,
  stateWith,
} from './recorded-state.test-support.ts';

/** Answers of nodes by action name. */
type Answers = Readonly<Record<string, (request: unknown, nodeId: string) => unknown>>;

export interface AdminCall {
  readonly method: string;
  readonly request: unknown;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** The text as JSON; null for other types. */
  readonly json: unknown;
}

export class RecordedCluster {
  current: ClusterState;
  readonly calls: AdminCall[] = [];
  readonly waits: number[] = [];
  answers: Answers = {};
  /** What the admin methods answer besides `acknowledged`. */
  adminAnswer: Readonly<Record<string, unknown>> = {};

  /** What waits for the cluster manager. */
  pendingTasks: readonly PendingTask[] = [];

  constructor(state: ClusterState = recordedState) {
    this.current = state;
  }

  service(): ClusterService {
    const localNode: DiscoveryNode = this.current.nodes.get(NODE_ID) ?? recordedNode();
    const missing = (): never => {
      throw new ShoalError('node_not_connected_exception', 503, 'not in this test');
    };
    return {
      localNode,
      // No route uses the transport itself: all messages go through `send`.
      transport: {} as ClusterService['transport'],
      state: () => this.current,
      settings: () => clusterSettings(this.current, {}),
      onApplied: () => () => undefined,
      waitForState: async (predicate, timeoutMs) => {
        if (predicate(this.current)) return this.current;
        this.waits.push(timeoutMs);
        return null;
      },
      connection: missing,
      send: async (nodeId, codec, request) => this.#answer(nodeId, codec, request),
      admin: this.#admin(),
      diagnose: missing,
      handOver: async () => undefined,
      close: async () => undefined,
    };
  }

  async ask(method: string, target: string, body?: unknown): Promise<Answer> {
    const bytes = body === undefined ? new Uint8Array(0) : new TextEncoder().encode(JSON.stringify(body));
    const handler = createHttpHandler(REST_APIS, {
      context: createCoordinatorContext(fixedRuntime(), this.service()),
      log: createSilentLog(),
      contentBytesMax: DEFAULT_CONTENT_BYTES_MAX,
      onAssertionFailure: (error) => {
        throw error;
      },
    });
    const rendered = await answerRequest(handler, {
      method,
      target,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      remoteAddress: '127.0.0.1',
      readBody: async () => bytes,
      signal: new CancelSource(),
    });
    const text = new TextDecoder().decode(rendered.body);
    const contentType = rendered.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
    const isJson = contentType.startsWith('application/json') && text !== '';
    return { status: rendered.status, contentType, text, json: isJson ? JSON.parse(text) : null };
  }

  #answer<Req, Res>(nodeId: string, codec: ActionCodec<Req, Res>, request: Req): Res {
    const answer = this.answers[codec.name];
    if (answer === undefined) throw new ShoalError('node_not_connected_exception', 503, `[${nodeId}] not connected`);
    const wire = codec.writeRequest(request);
    // The test says what the node answers; the codec's reader checks it.
    const response = answer(codec.readRequest({ message: structuredClone(wire.message) }), nodeId) as Res;
    return codec.readResponse({ message: structuredClone(codec.writeResponse(response).message) });
  }

  #admin(): ClusterAdmin {
    const methods = new Proxy(
      {},
      {
        get:
          (_target, method) =>
          async (request: unknown): Promise<unknown> => {
            assert(typeof method === 'string', 'methods have names');
            this.calls.push({ method, request });
            if (method === 'pendingTasks') return this.pendingTasks;
            return { acknowledged: true, ...this.adminAnswer };
          },
      },
    );
    return methods as ClusterAdmin; // Every name answers; the test looks at what was called.
  }
}

function recordedNode(): DiscoveryNode {
  const node = recordedState.nodes.get(NODE_ID);
  assert(node !== undefined, 'the recorded state has its node');
  return node;
}

function fixedRuntime(): Runtime {
  const runtime = createNodeRuntime({ log: createSilentLog() });
  return { ...runtime, clock: { monotonicMs: () => 0, wallMs: () => RECORDED_AT_MS } };
}

const aliased: IndexMetadata = {
  ...lib,
  aliases: new Map([
    [
      'books',
      { name: 'books', filter: null, indexRouting: null, searchRouting: null, isWriteIndex: null, isHidden: null },
    ],
  ]),
};
const closed: IndexMetadata = { ...lib, name: 'shut', uuid: 'shut-uuid', state: 'close' };
/** `lib` with the alias `books`, and the closed index `shut`. */
export const twoIndices: ClusterState = stateWith([
  { metadata: aliased, shards: [[libCopy]] },
  { metadata: closed, shards: [[{ ...libCopy, index: 'shut' }]] },
]);
/** The recorded cluster, seen by a node that lost its cluster manager. */
export const lost: ClusterState = withoutManager(recordedState, 'write');

const machine = {
  indices: { docs: { count: 3, deleted: 5 }, store: { size_in_bytes: 13_282 } },
  timestamp: 1,
  os: { cpu: { percent: 9, load_average: { '1m': 1, '5m': 1, '15m': 1 } }, mem: { used_percent: 36 } },
  process: { open_file_descriptors: 117, max_file_descriptors: 20_000 },
  jvm: { mem: { heap_used_percent: 14 } },
  fs: { total: { total_in_bytes: 1000, available_in_bytes: 250 } },
};

/** A cluster whose one node answers what it is asked. */
export function answering(state: ClusterState = recordedState): RecordedCluster {
  const cluster = new RecordedCluster(state);
  cluster.answers = {
    'indices:monitor/stats[n]': () => ({ shards: [{ ...libStats, indexUuid: lib.uuid }] }),
    'cluster:monitor/nodes/stats[n]': () => ({ stats: machine }),
    'cluster:monitor/nodes/info[n]': () => ({ info: { process: { id: 7 }, os: { name: 'Linux' }, settings: {} } }),
    'indices:admin/maintenance[n]': () => ({ failures: [null] }),
  };
  return cluster;
}
