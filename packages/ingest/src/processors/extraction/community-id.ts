/**
 * `community_id`: the Community ID of a flow, version 1: a hash of addresses, ports and protocol that is the same for both of its
 * directions.
 */

import { createHash } from 'node:crypto';
import { illegalArgument } from '@shoal/core';
import { javaText } from '@shoal/script';
import { type Processor, type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { type FieldPath, parseFieldPath } from '../../document/field-path.ts';
import type { IngestDocument } from '../../document/ingest-document.ts';
import { ipAddressBytes } from '../../values/ip-address.ts';

export const communityIdProcessor: ProcessorType = { type: 'community_id', create: createCommunityId };

/** Numbers of protocols by their names. */
const PROTOCOLS: ReadonlyMap<string, number> = new Map([
  ...[['icmp', 1] as const, ['igmp', 2] as const, ['tcp', 6] as const, ['udp', 17] as const],
  ...[['gre', 47] as const, ['icmp6', 58] as const, ['ipv6-icmp', 58] as const, ['eigrp', 88] as const],
  ...[['ospf', 89] as const, ['pim', 103] as const, ['sctp', 132] as const],
]);
const ICMP = 1;
const ICMP_V6 = 58;
/** Protocols whose flows have ports. */
const WITH_PORTS: readonly number[] = [6, 17, 132];
/** Types of messages of ICMP and the type of their answer, which has the place of a port. */
const ICMP_ANSWERS: ReadonlyMap<number, number> = new Map([
  ...[[8, 0] as const, [0, 8] as const, [13, 14] as const, [14, 13] as const, [15, 16] as const],
  ...[[16, 15] as const, [10, 9] as const, [9, 10] as const, [17, 18] as const, [18, 17] as const],
]);
const ICMP_V6_ANSWERS: ReadonlyMap<number, number> = new Map([
  ...[[128, 129] as const, [129, 128] as const, [133, 134] as const, [134, 133] as const],
  ...[[135, 136] as const, [136, 135] as const, [130, 131] as const, [131, 130] as const],
  ...[[144, 145] as const, [145, 144] as const],
]);
const PORT_MAX = 0xffff;
const PROTOCOL_MAX = 0xff;

/** Endpoint of a flow; a port of null is no part of it. */
interface Endpoint {
  readonly ip: Uint8Array;
  readonly port: number;
}

interface Flow {
  readonly source: Endpoint;
  readonly destination: Endpoint;
  readonly protocol: number;
  /** Ports are a part of the hash. */
  readonly hasPorts: boolean;
  /** Its two directions cannot be told apart by type and code, so that the direction stays as it is. */
  readonly isOneWay: boolean;
}

function createCommunityId(config: ProcessorConfig): Processor {
  const path = (name: string, byDefault: string): FieldPath => parseFieldPath(config.optionalText(name) ?? byDefault);
  const paths = {
    sourceIp: path('source_ip', 'source.ip'),
    sourcePort: path('source_port', 'source.port'),
    destinationIp: path('destination_ip', 'destination.ip'),
    destinationPort: path('destination_port', 'destination.port'),
    number: path('iana_number', 'network.iana_number'),
    icmpType: path('icmp_type', 'icmp.type'),
    icmpCode: path('icmp_code', 'icmp.code'),
    transport: path('transport', 'network.transport'),
  };
  const target = path('target_field', 'network.community_id');
  const seed = config.integer('seed', 0);
  if (seed < 0 || seed > PORT_MAX) throw config.error('seed', 'must be a value between 0 and 65535');
  const ignoresMissing = config.flag('ignore_missing', true);
  return simple((document) => {
    const flow = flowOf(document, paths);
    if (flow !== null) document.set(target, communityId(flow, seed));
    else if (!ignoresMissing) throw illegalArgument('unable to construct flow from document');
  });
}

type Paths = Readonly<
  Record<
    'sourceIp' | 'sourcePort' | 'destinationIp' | 'destinationPort' | 'number' | 'icmpType' | 'icmpCode' | 'transport',
    FieldPath
  >
>;

/** null: the document lacks a part. @throws illegal_argument_exception for a part that is none */
function flowOf(document: IngestDocument, paths: Paths): Flow | null {
  const source = addressAt(document, paths.sourceIp);
  const destination = addressAt(document, paths.destinationIp);
  const protocol = protocolOf(document, paths);
  if (source === null || destination === null || protocol === null) return null;
  if (protocol === ICMP || protocol === ICMP_V6) {
    const type = numberAt(document, paths.icmpType, PROTOCOL_MAX, 'ICMP type');
    if (type === null) return null;
    const code = numberAt(document, paths.icmpCode, PROTOCOL_MAX, 'ICMP code') ?? 0;
    const answer = (protocol === ICMP ? ICMP_ANSWERS : ICMP_V6_ANSWERS).get(type);
    return {
      source: { ip: source, port: type },
      destination: { ip: destination, port: answer ?? code },
      protocol,
      hasPorts: true,
      isOneWay: answer === undefined,
    };
  }
  const hasPorts = WITH_PORTS.includes(protocol);
  const sourcePort = hasPorts ? numberAt(document, paths.sourcePort, PORT_MAX, 'source port') : 0;
  const destinationPort = hasPorts ? numberAt(document, paths.destinationPort, PORT_MAX, 'destination port') : 0;
  if (sourcePort === null || destinationPort === null) return null;
  return {
    source: { ip: source, port: sourcePort },
    destination: { ip: destination, port: destinationPort },
    protocol,
    hasPorts,
    isOneWay: false,
  };
}

function addressAt(document: IngestDocument, path: FieldPath): Uint8Array | null {
  const value = document.find(path);
  if (value === null) return null;
  const bytes = ipAddressBytes(javaText(value));
  if (bytes === null) throw illegalArgument(`'${javaText(value)}' is not an IP string literal.`);
  return bytes;
}

function protocolOf(document: IngestDocument, paths: Paths): number | null {
  const number = numberAt(document, paths.number, PROTOCOL_MAX, 'IANA number');
  if (number !== null) return number;
  const name = document.find(paths.transport);
  if (name === null) return null;
  const known = PROTOCOLS.get(javaText(name).toLowerCase());
  return known ?? numberAt(document, paths.transport, PROTOCOL_MAX, 'transport protocol');
}

function numberAt(document: IngestDocument, path: FieldPath, max: number, what: string): number | null {
  const value = document.find(path);
  if (value === null) return null;
  const text = javaText(value);
  if (!/^\d{1,5}$/.test(text) || Number(text) > max) throw illegalArgument(`invalid ${what} [${text}]`);
  return Number(text);
}

/** `1:` and the hash, the smaller endpoint first. */
function communityId({ source, destination, protocol, hasPorts, isOneWay }: Flow, seed: number): string {
  const isInOrder = isOneWay || isSmaller(source, destination);
  const [first, second] = isInOrder ? [source, destination] : [destination, source];
  const hash = createHash('sha1')
    .update(twoBytes(seed))
    .update(first.ip)
    .update(second.ip)
    .update(Uint8Array.of(protocol, 0));
  if (hasPorts) hash.update(twoBytes(first.port)).update(twoBytes(second.port));
  return `1:${hash.digest('base64')}`;
}

function isSmaller(a: Endpoint, b: Endpoint): boolean {
  const order = Buffer.compare(a.ip, b.ip);
  return order < 0 || (order === 0 && a.port <= b.port);
}

function twoBytes(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}
