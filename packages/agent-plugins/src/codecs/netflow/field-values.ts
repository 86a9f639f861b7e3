/**
 * Bytes of one field of a flow record as a value. Pure; the caller has checked that the bytes are there.
 */
import type { EventValue } from '@shoal/agent-event';
import { asFloat, asInteger } from '@shoal/core';
import ipaddr from 'ipaddr.js';
import type { FieldKind } from './ipfix-fields.ts';

/** Longest unsigned integer; what is longer is shown as bytes. */
const UINT_BYTES_MAX = 16;
/** Classification engine whose ids name a private enterprise first (RFC 6759, 4.1). */
const PANA_L7_PEN = 20;

/** undefined for what is not shown. */
export function fieldValue(bytes: Buffer, kind: FieldKind): EventValue | undefined {
  const size = bytes.length;
  switch (kind) {
    case 'skip':
      return undefined;
    case 'ipv4':
      return size === 4 ? bytes.join('.') : octets(bytes);
    case 'ipv6':
      return size === 16 ? ipaddr.fromByteArray([...bytes]).toString() : octets(bytes);
    case 'mac':
      return bytes.toString('hex').replace(/(..)(?=.)/g, '$1:');
    case 'string':
      return bytes.toString('utf8').replace(/\0+$/, '');
    case 'double':
      return float(bytes);
    case 'octets':
      return octets(bytes);
    case 'applicationId':
      return applicationId(bytes);
    case 'aclId':
      return octets(bytes).replace(/(.{8})(?=.)/g, '$1-');
    case 'mplsLabel':
      return size === 4 ? mplsLabel(bytes.readUInt32BE(0)) : unsigned(bytes);
    case 'forwardingStatus':
      return size === 1 ? forwardingStatus(bytes.readUInt8(0)) : unsigned(bytes);
    default:
      return unsigned(bytes);
  }
}

function unsigned(bytes: Buffer): EventValue {
  if (bytes.length <= 6) return bytes.length === 0 ? 0 : bytes.readUIntBE(0, bytes.length);
  if (bytes.length > UINT_BYTES_MAX) return octets(bytes);
  const value = BigInt(`0x${octets(bytes)}`);
  return asInteger(value);
}

function octets(bytes: Buffer): string {
  return bytes.toString('hex');
}

function float(bytes: Buffer): EventValue {
  if (bytes.length !== 4 && bytes.length !== 8) return unsigned(bytes);
  const value = bytes.length === 4 ? bytes.readFloatBE(0) : bytes.readDoubleBE(0);
  return asFloat(value);
}

/** Classification engine and selector, with the enterprise between them where there is one. */
function applicationId(bytes: Buffer): EventValue {
  const [engine] = bytes;
  if (engine === undefined) return '';
  const hasEnterprise = engine === PANA_L7_PEN && bytes.length > 6;
  const parts = hasEnterprise ? [bytes.subarray(1, 5), bytes.subarray(5)] : [bytes.subarray(1)];
  return [engine, ...parts.map(unsigned)].join('..');
}

function mplsLabel(word: number): EventValue {
  return new Map<string, EventValue>([
    ['label', word >>> 12],
    ['experimental', (word >>> 9) & 7],
    ['bottom_of_stack', (word >>> 8) & 1],
    ['ttl', word & 0xff],
  ]);
}

function forwardingStatus(byte: number): EventValue {
  return new Map<string, EventValue>([
    ['status', byte >> 6],
    ['reason', byte & 0x3f],
  ]);
}
