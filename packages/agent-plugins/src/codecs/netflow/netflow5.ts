/**
 * NetFlow version 5: records of a fixed form, without templates. Pure.
 */
import type { EventMap, EventValue, Timestamp } from '@shoal/agent-event';
import { broken } from './flow-packet.ts';
import { instant, switchedTime5 } from './flow-times.ts';

const HEAD_BYTES = 24;
const RECORD_BYTES = 48;
/** A packet is to fit into one datagram of Ethernet. */
const RECORDS_MAX = 30;

export interface Netflow5Record {
  readonly timestamp: Timestamp;
  readonly fields: EventMap;
}

/** @throws ShoalError for what is no packet of version 5 */
export function readNetflow5(bytes: Buffer): Netflow5Record[] {
  if (bytes.length < HEAD_BYTES) throw broken('it ends within its head');
  const count = bytes.readUInt16BE(2);
  if (count < 1 || count > RECORDS_MAX) throw broken(`it has ${count} records`);
  if (bytes.length < HEAD_BYTES + count * RECORD_BYTES) throw broken('it ends within its records');
  return Array.from({ length: count }, (_, i) => record(bytes, HEAD_BYTES + i * RECORD_BYTES, count));
}

function record(bytes: Buffer, at: number, count: number): Netflow5Record {
  const head = {
    uptimeMs: bytes.readUInt32BE(4),
    unixSeconds: bytes.readUInt32BE(8),
    unixNanos: bytes.readUInt32BE(12),
  };
  const sampling = bytes.readUInt16BE(22);
  const address = (offset: number): string => bytes.subarray(at + offset, at + offset + 4).join('.');
  const byte = (offset: number): number => bytes.readUInt8(at + offset);
  const word = (offset: number): number => bytes.readUInt16BE(at + offset);
  const long = (offset: number): number => bytes.readUInt32BE(at + offset);
  const fields = new Map<string, EventValue>([
    ['version', 5],
    ['flow_seq_num', bytes.readUInt32BE(16)],
    ['engine_type', bytes.readUInt8(20)],
    ['engine_id', bytes.readUInt8(21)],
    ['sampling_algorithm', sampling >> 14],
    ['sampling_interval', sampling & 0x3fff],
    ['flow_records', count],
    ['ipv4_src_addr', address(0)],
    ['ipv4_dst_addr', address(4)],
    ['ipv4_next_hop', address(8)],
    ['input_snmp', word(12)],
    ['output_snmp', word(14)],
    ['in_pkts', long(16)],
    ['in_bytes', long(20)],
    ['first_switched', switchedTime5(long(24), head)],
    ['last_switched', switchedTime5(long(28), head)],
    ['l4_src_port', word(32)],
    ['l4_dst_port', word(34)],
    ['tcp_flags', byte(37)],
    ['protocol', byte(38)],
    ['src_tos', byte(39)],
    ['src_as', word(40)],
    ['dst_as', word(42)],
    ['src_mask', byte(44)],
    ['dst_mask', byte(45)],
  ]);
  return { timestamp: instant(head.unixSeconds, Math.floor(head.unixNanos / 1000)), fields };
}
