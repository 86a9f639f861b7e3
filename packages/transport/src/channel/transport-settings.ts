/**
 * Limits and times of the transport, with their defaults.
 */
import type { Machine } from '@shoal/runtime';
import type { NodeKind } from './node-identity.ts';
import type { Channel } from './transport.ts';

export interface TransportSettings {
  /** `transport.connect_timeout`. */
  readonly connectTimeoutMs: number;
  /** Longest time from the accepted or opened socket to the end of the handshake. */
  readonly handshakeTimeoutMs: number;
  /** `transport.compress`: never, bulk traffic only, or all but recovery. */
  readonly compress: 'false' | 'indexing_data' | 'true';
  /** `transport.ping_schedule`: idle sockets are pinged this often; 0 never. Default: 5 s for clients, never for nodes. */
  readonly pingScheduleMs: number;
  /**
   * The `ping` socket of each connection that this process opened is pinged after this much silence; 0 never. Only a
   * cluster manager checks all nodes: any other node would wait for a peer that is cut off until TCP gives up.
   */
  readonly livenessPingMs: number;
  /** A peer that takes no byte for this long while data waits is gone. */
  readonly stalledWriteMs: number;
  /** `transport.max_frame`, as the other end sends it. */
  readonly frameBytesMax: number;
  /** Bytes of requests and responses that may be in memory between socket and handler. */
  readonly inflightBytesMax: number;
  /** Requests of one socket that may run at once. */
  readonly runningRequestsMax: number;
  /** `transport.connections_per_node.*`; overrides the profile of the node's kind. */
  readonly connectionsPerNode: Readonly<Partial<Record<Channel, number>>>;
  /** Bytes queued to one socket above which no producer is served until they are gone. */
  readonly highWaterBytes: Readonly<Record<Channel, number>>;
}

export const HANDSHAKE_FRAME_BYTES_MAX = 65_536;

const MIB = 1024 * 1024;
const INFLIGHT_SHARE = 0.2;
/** Memory that is assumed where the machine does not tell. */
const UNKNOWN_MEMORY_BYTES = 1024 * MIB;
/** Half of the machine is for the kernel's file cache. */
const BUDGET_SHARE = 0.5;
const FRAME_BYTES_MAX = 64 * MIB;

export function transportSettings(
  given: Partial<TransportSettings>,
  node: { readonly kind: NodeKind; readonly machine: Machine },
): TransportSettings {
  const memory = node.machine.totalMemoryBytes || UNKNOWN_MEMORY_BYTES;
  const inflightBytesMax = given.inflightBytesMax ?? Math.floor(memory * BUDGET_SHARE * INFLIGHT_SHARE);
  const isClient = node.kind === 'node_client' || node.kind === 'transport_client';
  return {
    connectTimeoutMs: 30_000,
    handshakeTimeoutMs: 10_000,
    compress: 'false',
    pingScheduleMs: isClient ? 5_000 : 0,
    livenessPingMs: 8_000,
    stalledWriteMs: 60_000,
    runningRequestsMax: 10_000,
    connectionsPerNode: {},
    highWaterBytes: { ping: 2 * MIB, state: 8 * MIB, recovery: 2 * MIB, bulk: 8 * MIB, reg: 8 * MIB },
    ...given,
    inflightBytesMax,
    frameBytesMax: Math.min(
      given.frameBytesMax ?? FRAME_BYTES_MAX,
      Math.max(inflightBytesMax, HANDSHAKE_FRAME_BYTES_MAX),
    ),
  };
}

/** True when bodies on this channel are worth compressing under the setting. File chunks are compressed already. */
export function compresses(setting: TransportSettings['compress'], channel: Channel): boolean {
  if (setting === 'false' || channel === 'recovery') return false;
  return setting === 'true' || channel === 'bulk';
}
