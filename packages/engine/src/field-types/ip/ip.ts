/**
 * `ip`: addresses as terms of 16 bytes, IPv4 mapped into IPv6; networks (`10.0.0.0/8`) are ranges of terms.
 */
import { printAddress } from '@shoal/aggregations';
import { assert, illegalArgument } from '@shoal/core';
import ipaddr from 'ipaddr.js';
import type { TermBounds } from '../contract/field-match.ts';
import { checkIndexed, checkNoFormat, type FieldType } from '../contract/field-type.ts';
import { decodeTerm, encodeTerm } from '../contract/term-bytes.ts';
import { KEYWORD } from '../keyword/keyword.ts';

const ADDRESS_BITS = 128;
/** Bits in front of an IPv4 address that is mapped into IPv6. */
const MAPPED_BITS = 96;

export const IP: FieldType = {
  ...KEYWORD,
  read: (_field, value) => addressValue(String(value)),
  check: () => {},
  parts: (field) => {
    const { terms, ...rest } = KEYWORD.parts(field);
    return { ...rest, terms: terms && { ...terms, encoding: 'latin1' } };
  },
  textQueries: 'none',
  term: (_field, value) => {
    const text = String(value);
    return text.includes('/')
      ? { kind: 'termRange', bounds: networkBounds(text) }
      : { kind: 'exactTerm', term: addressBytes(text) };
  },
  range: (field, { from, includesFrom, to, includesTo }) => {
    checkIndexed(field);
    const term = (value: typeof from) => (value === null ? null : addressBytes(String(value)));
    return { kind: 'termRange', bounds: { from: term(from), includesFrom, to: term(to), includesTo } };
  },
  sort: { column: 'terms', term: (value) => addressBytes(String(value)), shown: 'address' },
  collapse: 'none',
  aggregation: {
    keyKind: 'text',
    encoding: 'latin1',
    takesPatterns: false,
    format: () => ({ kind: 'ip' }),
    key: (value) => addressValue(String(value)),
  },
  columnPrinter: (field, format) => {
    checkNoFormat(field, format);
    return { column: 'terms', print: (bytes) => printAddress(decodeTerm(bytes, 'latin1')) };
  },
  printer: () => (value) => printAddress(String(value)),
};

/** Address as 16 characters of one byte each, IPv4 mapped into IPv6. */
function addressValue(text: string): string {
  // Four decimal parts or colons only: the library also reads octal and short forms, Elasticsearch does not.
  if (!/^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)$/.test(text) || !ipaddr.isValid(text)) {
    throw illegalArgument(`'${text}' is not an IP string literal.`);
  }
  const parsed = ipaddr.parse(text);
  const bytes = parsed instanceof ipaddr.IPv4 ? parsed.toIPv4MappedAddress().toByteArray() : parsed.toByteArray();
  assert(bytes.length === ADDRESS_BITS / 8, `an address of ${bytes.length} bytes`);
  return String.fromCharCode(...bytes);
}

/** An address in 16 bytes, IPv4 mapped into IPv6. */
export function addressBytes(text: string): Uint8Array {
  return encodeTerm(addressValue(text), 'latin1');
}

/** First and last address of a network, both in it. */
interface NetworkBounds extends TermBounds {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

/** All addresses of a network. */
export function networkBounds(text: string): NetworkBounds {
  if (!ipaddr.isValidCIDR(text)) throw illegalArgument(`'${text}' is not an IP string literal.`);
  const [address, prefix] = ipaddr.parseCIDR(text);
  const bits = address.kind() === 'ipv4' ? prefix + MAPPED_BITS : prefix;
  const from = addressBytes(address.toString());
  assert(bits >= 0 && bits <= ADDRESS_BITS, `a network of ${bits} bits`);
  const to = from.slice();
  for (let bit = bits; bit < ADDRESS_BITS; bit++) {
    const mask = 0x80 >> (bit & 7);
    from[bit >> 3] = (from[bit >> 3] as number) & ~mask;
    to[bit >> 3] = (to[bit >> 3] as number) | mask;
  }
  return { from, includesFrom: true, to, includesTo: true };
}
