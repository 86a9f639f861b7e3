/** `network_direction`: whether a flow stays inside the own networks, leaves them, or comes in. */
import { illegalArgument } from '@shoal/core';
import ipaddr from 'ipaddr.js';
import { type Processor, type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { type FieldPath, parseFieldPath } from '../../document/field-path.ts';
import type { IngestDocument } from '../../document/ingest-document.ts';
import { textTemplate } from '../../templates/value-template.ts';
import { ipAddressBytes } from '../../values/ip-address.ts';

export const networkDirectionProcessor: ProcessorType = { type: 'network_direction', create: createNetworkDirection };

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const PRIVATE_RANGES: readonly string[] = ['private', 'uniqueLocal'];

/** Networks by name. */
const NAMED: ReadonlyMap<string, (address: Address) => boolean> = new Map([
  ['loopback', (address: Address) => address.range() === 'loopback'],
  ['unicast', isGlobalUnicast],
  ['global_unicast', isGlobalUnicast],
  ['multicast', (address: Address) => address.range() === 'multicast'],
  ['interface_local_multicast', (address: Address) => multicastScope(address) === 1],
  ['link_local_unicast', (address: Address) => address.range() === 'linkLocal'],
  ['link_local_multicast', isLinkLocalMulticast],
  ['private', isPrivate],
  ['public', isPublic],
  ['unspecified', (address: Address) => address.range() === 'unspecified'],
]);

function createNetworkDirection(config: ProcessorConfig): Processor {
  const source = parseFieldPath(config.optionalText('source_ip') ?? 'source.ip');
  const destination = parseFieldPath(config.optionalText('destination_ip') ?? 'destination.ip');
  const target = parseFieldPath(config.optionalText('target_field') ?? 'network.direction');
  const networks = config.optionalTexts('internal_networks')?.map((text) => textTemplate(text)) ?? null;
  const networksField = config.optionalText('internal_networks_field');
  const ignoresMissing = config.flag('ignore_missing', true);
  if (networks !== null && networksField !== null) {
    const why = 'and [internal_networks_field] cannot both be used in the same processor';
    throw config.error('internal_networks', why);
  }
  if (networks === null && networksField === null) {
    throw config.error('internal_networks', 'or [internal_networks_field] must be specified');
  }
  const field = networksField === null ? null : parseFieldPath(networksField);
  return simple((document) => {
    const named = field === null ? (networks ?? []).map((network) => network(document)) : textsAt(document, field);
    const from = addressAt(document, source);
    const to = addressAt(document, destination);
    if (from !== null && to !== null && named !== null) {
      document.set(target, directionOf(isInternal(from, named), isInternal(to, named)));
    } else if (!ignoresMissing) {
      throw illegalArgument('unable to calculate network direction from document');
    }
  });
}

function directionOf(isFromInside: boolean, isToInside: boolean): string {
  if (isFromInside) return isToInside ? 'internal' : 'outbound';
  return isToInside ? 'inbound' : 'external';
}

function textsAt(document: IngestDocument, path: FieldPath): readonly string[] | null {
  const value = document.find(path);
  if (value === null) return null;
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    if (typeof item === 'string') return item;
    throw illegalArgument(`field [${path.text}] holds what is no name of a network`);
  });
}

function addressAt(document: IngestDocument, path: FieldPath): Address | null {
  const text = document.has(path) ? document.text(path) : null;
  if (text === null) return null;
  if (ipAddressBytes(text) === null) throw illegalArgument(`'${text}' is not an IP string literal.`);
  return ipaddr.process(text);
}

function isInternal(address: Address, networks: readonly string[]): boolean {
  return networks.some((network) => {
    const named = NAMED.get(network);
    return named === undefined ? isInRange(address, network) : named(address);
  });
}

/** @throws illegal_argument_exception for what is neither a name nor a range */
function isInRange(address: Address, network: string): boolean {
  if (!network.includes('/') || !ipaddr.isValidCIDR(network)) {
    throw illegalArgument(`'${network}' is not an IP string literal.`);
  }
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match(base, bits);
}

function isPrivate(address: Address): boolean {
  return PRIVATE_RANGES.includes(address.range());
}

function isPublic(address: Address): boolean {
  const range = address.range();
  return !isPrivate(address) && !['loopback', 'unspecified', 'multicast', 'linkLocal', 'broadcast'].includes(range);
}

function isGlobalUnicast(address: Address): boolean {
  return !['loopback', 'unspecified', 'multicast', 'linkLocal', 'broadcast'].includes(address.range());
}

/** Scope of a multicast address of version 6; null for any other. */
function multicastScope(address: Address): number | null {
  if (address.kind() !== 'ipv6' || address.range() !== 'multicast') return null;
  return (address.toByteArray()[1] ?? 0) & 0xf;
}

function isLinkLocalMulticast(address: Address): boolean {
  if (multicastScope(address) === 2) return true;
  const [a, b, c] = address.toByteArray();
  return address.kind() === 'ipv4' && a === 224 && b === 0 && c === 0;
}
