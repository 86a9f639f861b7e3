/** Addresses of the internet protocol as bytes. */
import ipaddr from 'ipaddr.js';

/** 4 or 16 bytes, in network order; null for what is no address. Version 4 within version 6 gives 4. */
export function ipAddressBytes(text: string): Uint8Array | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return Uint8Array.from(ipaddr.IPv4.parse(text).toByteArray());
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return null;
  return Uint8Array.from(ipaddr.process(text).toByteArray());
}
