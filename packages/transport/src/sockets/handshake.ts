/**
 * The handshake: what both ends say first on every socket, and which pairs refuse each other with which words.
 *
 * Pure. Both ends check, each from its own point of view; the acceptor also sends its refusal along, so that the dialler
 * can show a reason even where only the acceptor objects.
 */
import { showHostPort, unreachable, ValueReader, versionId } from '@shoal/core';
import type { Address } from '@shoal/runtime';
import { CHANNELS } from '../channel/connection-profile.ts';
import { type NodeIdentity, readNodeIdentity, writeNodeIdentity } from '../channel/node-identity.ts';
import type { Channel } from '../channel/transport.ts';
import { type HandshakeFailure, showNode } from '../channel/transport-errors.ts';
import { HANDSHAKE_FRAME_BYTES_MAX } from '../channel/transport-settings.ts';
import { PROTOCOL_REVISION } from '../frames/frame.ts';
import { unsupportedRevision } from '../frames/frame-decoder.ts';

/** Oldest version whose nodes this one works with. */
export const MINIMUM_NODE_VERSION = '0.1.0';

export interface Hello {
  readonly revision: number;
  readonly minimumVersion: string;
  readonly identity: NodeIdentity;
  readonly purpose: 'node' | 'probe';
  readonly channel: Channel;
  /** The same for all sockets of one logical connection. */
  readonly nonce: string;
  /** Longest frame that this end reads: it may have less memory than the other. */
  readonly frameBytesMax: number;
}

export interface HelloAnswer {
  readonly revision: number;
  readonly minimumVersion: string;
  readonly identity: NodeIdentity;
  readonly frameBytesMax: number;
  /** Why the acceptor closes after this answer; null when it does not. */
  readonly refusal: HandshakeRefusal | null;
}

export interface HandshakeRefusal {
  readonly failure: HandshakeFailure;
  readonly reason: string;
}

const REVISION_MAX = 255;
/** The length field has 32 bits. */
const FRAME_BYTES_MAX_LIMIT = 2 ** 32;
const FAILURES = [
  'version',
  'clusterName',
  'revision',
  'sameNodeId',
  'unexpectedNode',
  'foreignProtocol',
  'noAnswer',
] as const satisfies readonly HandshakeFailure[];

export function writeHello(hello: Hello): unknown {
  return { ...hello, identity: writeNodeIdentity(hello.identity) };
}

export function readHello(message: unknown): Hello {
  const r = ValueReader.of(message, 'handshake');
  return {
    revision: r.integer('revision', 0, REVISION_MAX),
    minimumVersion: r.string('minimumVersion'),
    identity: readNodeIdentity(r.object('identity')),
    purpose: r.oneOf('purpose', ['node', 'probe']),
    channel: r.oneOf('channel', CHANNELS),
    nonce: r.string('nonce'),
    frameBytesMax: readFrameBytesMax(r),
  };
}

export function writeHelloAnswer(answer: HelloAnswer): unknown {
  return { ...answer, identity: writeNodeIdentity(answer.identity) };
}

export function readHelloAnswer(message: unknown): HelloAnswer {
  const r = ValueReader.of(message, 'handshake');
  return {
    revision: r.integer('revision', 0, REVISION_MAX),
    minimumVersion: r.string('minimumVersion'),
    identity: readNodeIdentity(r.object('identity')),
    frameBytesMax: readFrameBytesMax(r),
    refusal: r.optional('refusal', (value, field) => {
      const refusal = ValueReader.of(value, field);
      return { failure: refusal.oneOf('failure', FAILURES), reason: refusal.string('reason') };
    }),
  };
}

function readFrameBytesMax(r: ValueReader): number {
  return r.integer('frameBytesMax', HANDSHAKE_FRAME_BYTES_MAX, FRAME_BYTES_MAX_LIMIT);
}

/** Reason of the acceptor to refuse the dialler. Clients of another version are answered: they refuse by themselves. */
export function checkHello(local: NodeIdentity, hello: Hello): HandshakeRefusal | null {
  if (hello.revision !== PROTOCOL_REVISION) return refuse('revision', unsupportedRevision(hello.revision));
  const remote = hello.identity;
  if (remote.kind === 'probe') return null;
  if (isSameIdOtherProcess(local, remote)) return refuse('sameNodeId', sameNodeIdReason(remote, remote.address));
  const clusterName = checkClusterName(local, remote, showNode(remote));
  if (clusterName !== null || remote.kind !== 'node' || local.kind !== 'node') return clusterName;
  return checkNodeVersion(local, hello, showNode(remote));
}

export interface DialExpectation {
  readonly address: Address;
  readonly nodeId: string | null;
}

/** Reason of the dialler to refuse the acceptor, or the refusal that came with its answer. */
export function checkAnswer(
  local: NodeIdentity,
  answer: HelloAnswer,
  expectation: DialExpectation,
): HandshakeRefusal | null {
  if (answer.revision !== PROTOCOL_REVISION) return refuse('revision', unsupportedRevision(answer.revision));
  const remote = answer.identity;
  const shown = `{${remote.name}}{${showHostPort(expectation.address)}}`;
  const own = local.kind === 'probe' ? null : checkNode(local, answer, expectation, shown);
  if (own !== null || answer.refusal === null) return own;
  const { failure, reason } = answer.refusal;
  return refuse(failure, `handshake with [${shown}] failed: refused by the other side: ${reason}`);
}

function checkNode(
  local: NodeIdentity,
  answer: HelloAnswer,
  expectation: DialExpectation,
  shown: string,
): HandshakeRefusal | null {
  const remote = answer.identity;
  if (isSameIdOtherProcess(local, remote)) {
    return refuse('sameNodeId', sameNodeIdReason(remote, expectation.address));
  }
  if (expectation.nodeId !== null && expectation.nodeId !== remote.nodeId) {
    return refuse(
      'unexpectedNode',
      `handshake with [${shown}] failed: expected node [${expectation.nodeId}] but found node [${remote.nodeId}], ` +
        'the address was reused',
    );
  }
  return checkClusterName(local, remote, shown) ?? checkVersion(local, answer, shown);
}

function checkVersion(local: NodeIdentity, answer: HelloAnswer, shown: string): HandshakeRefusal | null {
  switch (local.kind) {
    case 'node':
      return checkNodeVersion(local, answer, shown);
    case 'node_client':
      return checkClientVersion(local, answer.identity, shown, 'NodeClient');
    case 'transport_client':
      return checkClientVersion(local, answer.identity, shown, 'TransportClient');
    case 'probe':
      return null;
    default:
      return unreachable(local.kind);
  }
}

function checkNodeVersion(
  local: NodeIdentity,
  other: { readonly identity: NodeIdentity; readonly minimumVersion: string },
  shown: string,
): HandshakeRefusal | null {
  const remote = other.identity;
  const isCompatible =
    majorOf(remote.version) === majorOf(local.version) &&
    versionId(remote.version) >= versionId(MINIMUM_NODE_VERSION) &&
    versionId(local.version) >= versionId(other.minimumVersion);
  return isCompatible ? null : refuse('version', incompatibleVersion(local, remote, shown));
}

function checkClientVersion(
  local: NodeIdentity,
  remote: NodeIdentity,
  shown: string,
  client: 'NodeClient' | 'TransportClient',
): HandshakeRefusal | null {
  if (remote.version === local.version) return null;
  const rule = `a ${client} must have exactly the version of the nodes`;
  return refuse('version', `${incompatibleVersion(local, remote, shown)}: ${rule}`);
}

function incompatibleVersion(local: NodeIdentity, remote: NodeIdentity, shown: string): string {
  return (
    `handshake with [${shown}] failed: remote node version [${remote.version}] is incompatible with ` +
    `local node version [${local.version}]`
  );
}

/** A TransportClient may say no name, which fits any cluster. */
function checkClusterName(local: NodeIdentity, remote: NodeIdentity, shown: string): HandshakeRefusal | null {
  const isAny = (node: NodeIdentity): boolean => node.kind === 'transport_client' && node.clusterName === '';
  if (local.clusterName === remote.clusterName || isAny(local) || isAny(remote)) return null;
  return refuse(
    'clusterName',
    `handshake with [${shown}] failed: remote cluster name [${remote.clusterName}] does not match ` +
      `local cluster name [${local.clusterName}]`,
  );
}

function isSameIdOtherProcess(local: NodeIdentity, remote: NodeIdentity): boolean {
  return local.nodeId === remote.nodeId && local.ephemeralId !== remote.ephemeralId;
}

function sameNodeIdReason(remote: NodeIdentity, address: Address): string {
  const shown = `{${remote.name}}{${showHostPort(address)}}`;
  return (
    `handshake with [${shown}] failed: another node with the same id is running; data path copied? ` +
    `(node id [${remote.nodeId}])`
  );
}

function majorOf(version: string): number {
  return Math.floor(versionId(version) / 1_000_000);
}

function refuse(failure: HandshakeFailure, reason: string): HandshakeRefusal {
  return { failure, reason };
}
