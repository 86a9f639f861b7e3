/**
 * What every socket of one transport shares: runtime, settings, codec, counters. One object per transport, made once.
 */
import { versionId } from '@shoal/core';
import type { Log, Runtime } from '@shoal/runtime';
import type { NodeIdentity } from '../channel/node-identity.ts';
import type { TransportSettings } from '../channel/transport-settings.ts';
import { FrameEncoder } from '../frames/frame-encoder.ts';
import { createMessageCodec, type MessageCodec } from '../messages/message-codec.ts';
import { InflightRequests } from './inflight-requests.ts';

export interface TrafficCounters {
  rxFrames: number;
  rxBytes: number;
  txFrames: number;
  txBytes: number;
  refusedSockets: number;
  pendingRequests: number;
  runningRequests: number;
}

/** An open socket, as far as its transport looks after it. */
export interface OpenSocket {
  /** Drops the socket. */
  destroy(reason: string): void;
  /** Called periodically: drops a peer that takes or sends nothing, and pings an idle one. */
  check(nowMs: number): void;
}

export interface TransportContext {
  readonly runtime: Runtime;
  readonly log: Log;
  readonly settings: TransportSettings;
  readonly identity: NodeIdentity;
  readonly codec: MessageCodec;
  readonly encoder: FrameEncoder;
  readonly inflight: InflightRequests;
  readonly counters: TrafficCounters;
  /** Every open socket: walked by the periodic check for stalled writes and idle clients. */
  readonly sockets: Set<OpenSocket>;
  /** False under TLS, which checks every byte itself. */
  readonly checksum: boolean;
}

export function createTransportContext(
  runtime: Runtime,
  identity: NodeIdentity,
  settings: TransportSettings,
): TransportContext {
  const codec = createMessageCodec();
  const checksum = true;
  return {
    runtime,
    log: runtime.log,
    settings,
    identity,
    codec,
    encoder: new FrameEncoder({
      codec,
      version: versionId(identity.version),
      frameBytesMax: settings.frameBytesMax,
      checksum,
    }),
    inflight: new InflightRequests(settings.inflightBytesMax),
    counters: {
      rxFrames: 0,
      rxBytes: 0,
      txFrames: 0,
      txBytes: 0,
      refusedSockets: 0,
      pendingRequests: 0,
      runningRequests: 0,
    },
    sockets: new Set(),
    checksum,
  };
}
