/** A node of the cluster on the wire and on disk. */
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { NodeIdentity } from '@shoal/transport';
import type { DiscoveryNode, NodeRole } from './cluster-state.ts';

export const NODE_ROLES: readonly NodeRole[] = [
  'cluster_manager',
  'voting_only',
  'data',
  'ingest',
  'remote_cluster_client',
];

const ATTRIBUTES_MAX = 64;
const PORT_MAX = 65_535;

export function writeDiscoveryNode(node: DiscoveryNode): Record<string, unknown> {
  const { port } = node.address;
  assert(node.id !== '' && node.ephemeralId !== '', `node [${node.name}] without an id: [${node.id}]`);
  assert(port >= 0 && port <= PORT_MAX, `node [${node.name}] at port ${port}`);
  return {
    id: node.id,
    ephemeralId: node.ephemeralId,
    name: node.name,
    version: node.version,
    roles: [...node.roles],
    host: node.address.host,
    port: node.address.port,
    httpAddress: node.httpAddress,
    attributes: { ...node.attributes },
  };
}

export const readDiscoveryNode: ItemReader<DiscoveryNode> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    id: r.string('id'),
    ephemeralId: r.string('ephemeralId'),
    name: r.string('name'),
    version: r.string('version'),
    roles: r.list('roles', readRole, NODE_ROLES.length),
    address: { host: r.string('host'), port: r.integer('port', 0, PORT_MAX) },
    httpAddress: r.optionalString('httpAddress'),
    attributes: r.map('attributes', ValueReader.asString, ATTRIBUTES_MAX),
  };
};

/** The node behind a connection, from what its handshake said. Roles that this version does not know are left out. */
export function discoveryNodeOf(identity: NodeIdentity): DiscoveryNode {
  return {
    id: identity.nodeId,
    ephemeralId: identity.ephemeralId,
    name: identity.name,
    version: identity.version,
    roles: NODE_ROLES.filter((role) => identity.roles.includes(role)),
    address: identity.address,
    httpAddress: identity.httpAddress,
    attributes: identity.attributes,
  };
}

const readRole: ItemReader<NodeRole> = (value, field) => {
  const role = NODE_ROLES.find((known) => known === value);
  return role ?? new ValueReader({ [field]: value }).refuse(field, `one of [${NODE_ROLES.join(', ')}]`);
};
