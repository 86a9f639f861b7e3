/**
 * Addresses as `geoip` reads and writes them: four decimal numbers, or IPv6 without abbreviations. Names are not looked up.
 */
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface GeoAddress {
  readonly bytes: readonly number[];
  /** Canonical form. */
  readonly text: string;
}

const FOUR_NUMBERS = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** null for what is no address. An IPv4 address within IPv6 is that IPv4 address. */
export function readGeoAddress(text: string): GeoAddress | null {
  if (FOUR_NUMBERS.test(text)) {
    const bytes = text.split('.').map(Number);
    return bytes.some((byte) => byte > 255) ? null : { bytes, text: bytes.join('.') };
  }
  if (!isIPv6(text) || text.includes('%')) return null;
  return ofBytes(ipaddr.process(text).toByteArray());
}

/** Network of the first `bits` bits, `81.2.69.0/24`. */
export function networkOf({ bytes }: GeoAddress, bits: number): string {
  const masked = bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff00 >> kept) & 0xff;
  });
  return `${ofBytes(masked).text}/${bits}`;
}

function ofBytes(bytes: readonly number[]): GeoAddress {
  return { bytes, text: ipaddr.fromByteArray([...bytes]).toNormalizedString() };
}
