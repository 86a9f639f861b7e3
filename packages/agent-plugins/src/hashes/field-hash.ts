/**
 * One value of an event as its hash, its network or its punctuation: what fingerprint and anonymize make of fields. The same
 * texts as Logstash makes, since ids and joins depend on them.
 */
import { createHash, createHmac } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { EventValue } from '@shoal/agent-event';
import { rubyText } from '@shoal/agent-plugin-kit';
import { murmur3Bytes, murmur3Wide, ShoalError } from '@shoal/core';

export interface FieldHashOptions {
  /** Plugin that hashes, for messages. */
  readonly plugin: string;
  /** `SHA1` and its kin, `MURMUR3`, `MURMUR3_128`, `IPV4_NETWORK` or `PUNCTUATION`. */
  readonly method: string;
  /** Key of an HMAC, or length of the prefix of a network; null: a plain digest. */
  readonly key: string | null;
  readonly encoding: 'hex' | 'base64';
}

export type FieldHash = (value: EventValue) => EventValue;

/** Seed of MURMUR3_128 in Logstash, which its ids depend on. */
const WIDE_SEED = 2;
const NO_PUNCTUATION = /[^\p{P}\p{S}]/gu;

/** @throws ShoalError for a key that its method cannot use; the function it answers throws one for a value that has no such hash */
export function fieldHash({ plugin, method, key, encoding }: FieldHashOptions): FieldHash {
  const cannot = (value: EventValue): ShoalError => {
    const shown = rubyText(value).slice(0, 100);
    return new ShoalError('illegal_argument_exception', 400, `${plugin}: no ${method} of [${shown}]`);
  };
  switch (method) {
    case 'IPV4_NETWORK': {
      const bits = Number(key ?? Number.NaN);
      if (!Number.isInteger(bits) || bits < 0 || bits > 32) {
        const why = `${plugin}: IPV4_NETWORK needs a key of 0 to 32, the length of the prefix`;
        throw new ShoalError('illegal_argument_exception', 400, why);
      }
      return (value) => {
        const text = rubyText(value);
        if (!isIPv4(text)) throw cannot(value);
        return network(text, bits);
      };
    }
    case 'MURMUR3':
      return (value) => murmur3Bytes(integerBytes(value, 8) ?? textBytes(value), 0) >>> 0;
    case 'MURMUR3_128':
      return (value) => murmur3Wide(integerBytes(value, 4) ?? textBytes(value), WIDE_SEED).toString(encoding);
    case 'PUNCTUATION':
      return (value) => {
        if (typeof value !== 'string') throw cannot(value);
        return value.replace(NO_PUNCTUATION, '');
      };
    default: {
      const algorithm = method.toLowerCase();
      return (value) =>
        (key === null ? createHash(algorithm) : createHmac(algorithm, key)).update(rubyText(value)).digest(encoding);
    }
  }
}

function textBytes(value: EventValue): Uint8Array {
  return Buffer.from(rubyText(value), 'utf8');
}

const INT32_MAX = 2 ** 31 - 1;
const INT64_BITS = 64;

/** An integer as it lies in memory, in as few bytes as it needs of `bytesMin` and 8; null for other kinds. */
function integerBytes(value: EventValue, bytesMin: 4 | 8): Uint8Array | null {
  if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isSafeInteger(value))) return null;
  const isNarrow = bytesMin === 4 && value >= -INT32_MAX - 1 && value <= INT32_MAX;
  const bytes = Buffer.alloc(isNarrow ? 4 : 8);
  if (isNarrow) bytes.writeInt32LE(Number(value));
  else bytes.writeBigUInt64LE(BigInt.asUintN(INT64_BITS, BigInt(value)));
  return bytes;
}

function network(text: string, bits: number): EventValue {
  const number = text.split('.').reduce((all, part) => all * 256 + Number(part), 0);
  const mask = bits === 0 ? 0 : (0xffff_ffff << (32 - bits)) >>> 0;
  const masked = (number & mask) >>> 0;
  return [24, 16, 8, 0].map((shift) => (masked >>> shift) & 255).join('.');
}
