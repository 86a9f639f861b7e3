/**
 * Addresses as numbers of 128 bits, for ranges that are given as networks.
 */
import { illegalArgument } from '@shoal/core';
import { printAddress } from '../../values/value-format.ts';

export const BEHIND_ALL: bigint = 1n << 128n;
const MAPPED = 0xffffn << 32n;

/** @throws ShoalError for what is no address */
export function addressNumber(text: string): bigint {
  const found = /^(?:\d{1,3}\.){3}\d{1,3}$/.test(text) ? fourParts(text) : eightGroups(text);
  if (found === null) throw illegalArgument(`'${text}' is not an IP string literal.`);
  return found;
}

/** Number of an IPv4 address, within the range that IPv6 has for them; null: none. */
function fourParts(text: string): bigint | null {
  let number = 0n;
  for (const part of text.split('.')) {
    if (Number(part) > 255) return null;
    number = number * 256n + BigInt(part);
  }
  return MAPPED + number;
}

function eightGroups(text: string): bigint | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const gap = 8 - head.length - tail.length;
  if (halves.length === 2 ? gap < 1 : gap !== 0) return null;
  let number = 0n;
  for (const group of [...head, ...Array<string>(halves.length === 2 ? gap : 0).fill('0'), ...tail]) {
    if (!/^[0-9a-f]{1,4}$/i.test(group)) return null;
    number = number * 0x1_0000n + BigInt(`0x${group}`);
  }
  return number;
}

/** `10.0.0.0/8` as its first address and the first behind it; null where the network is at an end of all addresses. */
export function addressesOf(mask: string): { readonly from: string | null; readonly to: string | null } {
  const [address = '', length = ''] = mask.split('/');
  const number = addressNumber(address);
  const all = address.includes(':') ? 128 : 32;
  const bits = Number(length);
  if (!/^\d{1,3}$/.test(length) || bits > all) throw illegalArgument(`Expected [ip/prefix] but was [${mask}]`);
  const size = 1n << BigInt(all - bits);
  const from = number - (number % size);
  const to = from + size;
  return { from: from === 0n ? null : shown(from), to: to === BEHIND_ALL ? null : shown(to) };
}

function shown(number: bigint): string {
  const bytes = Array.from({ length: 16 }, (_, i) => Number((number >> BigInt(8 * (15 - i))) & 0xffn));
  return printAddress(String.fromCharCode(...bytes));
}
