/**
 * Who a node says it is in the handshake, and the limits on what is believed.
 */

import { ValueReader } from '@shoal/core';
import type { Address } from '@shoal/runtime';

/** `node` joins; `node_client` joins without data or vote; `transport_client` only asks; `probe` is closed after use. */
export type NodeKind = 'node' | 'node_client' | 'transport_client' | 'probe';

export interface NodeIdentity {
  /** Survives restarts with the same data folder. */
  readonly nodeId: string;
  /** New at each start of the process. */
  readonly ephemeralId: string;
  readonly name: string;
  readonly clusterName: string;
  /** Product version such as `0.1.0`. */
  readonly version: string;
  readonly roles: readonly string[];
  readonly kind: NodeKind;
  /** Published: where others dial this node. Port 0 when it does not listen. */
  readonly address: Address;
  readonly attributes: Readonly<Record<string, string>>;
  /** `host:port` of HTTP, or null when there is none. */
  readonly httpAddress: string | null;
}

export const NODE_KINDS: readonly NodeKind[] = ['node', 'node_client', 'transport_client', 'probe'];

const ROLES_MAX = 32;
const ATTRIBUTES_MAX = 64;
const PORT_MAX = 65_535;

export function writeNodeIdentity(identity: NodeIdentity): Record<string, unknown> {
  return {
    nodeId: identity.nodeId,
    ephemeralId: identity.ephemeralId,
    name: identity.name,
    clusterName: identity.clusterName,
    version: identity.version,
    roles: [...identity.roles],
    kind: identity.kind,
    host: identity.address.host,
    port: identity.address.port,
    attributes: { ...identity.attributes },
    httpAddress: identity.httpAddress,
  };
}

export function readNodeIdentity(r: ValueReader): NodeIdentity {
  return {
    nodeId: r.string('nodeId'),
    ephemeralId: r.string('ephemeralId'),
    name: r.string('name'),
    clusterName: r.string('clusterName'),
    version: r.string('version'),
    roles: r.list('roles', ValueReader.asString, ROLES_MAX),
    kind: r.oneOf('kind', NODE_KINDS),
    address: { host: r.string('host'), port: r.integer('port', 0, PORT_MAX) },
    attributes: r.map('attributes', ValueReader.asString, ATTRIBUTES_MAX),
    httpAddress: r.optionalString('httpAddress'),
  };
}
