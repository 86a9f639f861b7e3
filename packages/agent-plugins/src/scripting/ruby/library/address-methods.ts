/**
 * `IPAddr`: addresses and networks.
 */
import ipaddr from 'ipaddr.js';
import { indexArgument, textArgument } from '../arguments/arguments.ts';
import { bytesOf, ofBytes } from '../text/string-bytes.ts';
import { exception } from '../values/ruby-exception.ts';
import {
  COMPARABLE,
  integer,
  isInteger,
  type Methods,
  OBJECT,
  RubyClass,
  RubyObject,
  RubyString,
  str,
  type Value,
} from '../values/ruby-value.ts';

export const ADDRESS: RubyClass = new RubyClass('IPAddr', OBJECT, [COMPARABLE]);

type Address = ReturnType<typeof ipaddr.parse>;

class RubyAddress extends RubyObject {
  readonly address: Address;
  readonly bits: number;

  constructor(address: Address, bits: number) {
    super();
    this.address = address;
    this.bits = bits;
  }

  get rubyClass(): RubyClass {
    return ADDRESS;
  }

  get size(): number {
    return this.address.kind() === 'ipv4' ? 32 : 128;
  }

  get value(): bigint {
    return this.address.toByteArray().reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  }

  /** First and last address of the network. */
  get bounds(): readonly [bigint, bigint] {
    const host = BigInt(this.size - this.bits);
    const first = (this.value >> host) << host;
    return [first, first + (1n << host) - 1n];
  }

  override print(): string {
    const isMapped = this.address.kind() === 'ipv6' && (this.address as ipaddr.IPv6).isIPv4MappedAddress();
    return isMapped ? `::ffff:${(this.address as ipaddr.IPv6).toIPv4Address()}` : this.address.toString();
  }

  override show(): string {
    return `#<IPAddr: ${this.address.kind() === 'ipv4' ? 'IPv4' : 'IPv6'}:${this.print()}/${this.bits}>`;
  }

  override equals(other: RubyObject): boolean {
    return other instanceof RubyAddress && other.size === this.size && other.value === this.value;
  }

  override compareTo(other: RubyObject): number | null {
    if (!(other instanceof RubyAddress) || other.size !== this.size) return null;
    return this.value < other.value ? -1 : this.value > other.value ? 1 : 0;
  }

  override hashKey(): unknown {
    return `\0i${this.print()}/${this.bits}`;
  }
}

function parsed(text: string): RubyAddress {
  const [host = '', mask] = text.replace(/^\[|\]$/g, '').split('/');
  if (!ipaddr.IPv4.isValidFourPartDecimal(host) && !ipaddr.IPv6.isValid(host)) {
    throw exception('IPAddr::InvalidAddressError', `invalid address: ${text}`);
  }
  const address = ipaddr.parse(host);
  const size = address.kind() === 'ipv4' ? 32 : 128;
  const bits = mask === undefined ? size : /^\d+$/.test(mask) ? Number(mask) : (maskBits(mask) ?? -1);
  if (bits < 0 || bits > size) throw exception('IPAddr::InvalidAddressError', `invalid length: ${text}`);
  if (bits === size) return new RubyAddress(address, bits);
  const [first] = new RubyAddress(address, bits).bounds;
  return new RubyAddress(ofValue(first, size), bits);
}

function maskBits(mask: string): number | null {
  return ipaddr.isValid(mask) ? ipaddr.parse(mask).prefixLengthFromSubnetMask() : null;
}

function ofValue(value: bigint, size: number): Address {
  const bytes = Array.from({ length: size / 8 }, (_, index) => Number((value >> BigInt(size - 8 - index * 8)) & 0xffn));
  return ipaddr.fromByteArray(bytes);
}

/** Four or sixteen bytes. */
function ofPacked(packed: Value | undefined): RubyAddress {
  const bytes = packed instanceof RubyString ? bytesOf(packed) : new Uint8Array(0);
  if (bytes.length !== 4 && bytes.length !== 16)
    throw exception('IPAddr::AddressFamilyError', 'unsupported address family');
  return new RubyAddress(ipaddr.fromByteArray([...bytes]), bytes.length * 8);
}

const asAddress = (value: Value | undefined): RubyAddress =>
  value instanceof RubyAddress ? value : parsed(textArgument(value));

function includes(self: RubyAddress, wanted: Value | undefined): boolean {
  const other = asAddress(wanted);
  const [first, last] = self.bounds;
  return other.size === self.size && other.bounds[0] >= first && other.bounds[1] <= last;
}

const inRanges = (self: RubyAddress, names: readonly string[]): boolean => names.includes(self.address.range());

/** Address of the same family; a value beyond the last one has none. */
function changed(self: RubyAddress, value: bigint): RubyAddress {
  if (value < 0n || value >= 1n << BigInt(self.size))
    throw exception('IPAddr::InvalidAddressError', `invalid address: ${value}`);
  return new RubyAddress(ofValue(value, self.size), self.size);
}

function bitsOf(value: Value = null): bigint {
  return isInteger(value) ? BigInt(value) : asAddress(value).value;
}

/** Name under which the address is looked up in reverse. */
function reverseName(self: RubyAddress): string {
  if (self.size === 32) return `${self.print().split('.').reverse().join('.')}.in-addr.arpa`;
  const digits = self.value.toString(16).padStart(32, '0');
  return `${[...digits].reverse().join('.')}.ip6.arpa`;
}

const MAPPED_PREFIX = 0xffff_0000_0000n;

function native(self: RubyAddress): RubyAddress {
  const isMapped = self.size === 128 && self.value >> 32n === MAPPED_PREFIX >> 32n;
  return isMapped ? new RubyAddress(ofValue(self.value & 0xffff_ffffn, 32), 32) : self;
}

const COMPUTED: Methods<RubyAddress> = {
  '&': (_machine, self, [other]) => changed(self, self.value & bitsOf(other)),
  '|': (_machine, self, [other]) => changed(self, self.value | bitsOf(other)),
  '~': (_machine, self) => changed(self, self.value ^ ((1n << BigInt(self.size)) - 1n)),
  '<<': (_machine, self, [by]) => changed(self, BigInt.asUintN(self.size, self.value << BigInt(indexArgument(by)))),
  '>>': (_machine, self, [by]) => changed(self, self.value >> BigInt(indexArgument(by))),
  succ: (_machine, self) => changed(self, self.value + 1n),
  hton: (_machine, self) => ofBytes(Uint8Array.from(self.address.toByteArray())),
  reverse: (_machine, self) => str(reverseName(self)),
  native: (_machine, self) => native(self),
  ipv4_mapped: (_machine, self) => {
    if (self.size !== 32) throw exception('IPAddr::InvalidAddressError', `not an IPv4 address: ${self.print()}`);
    return new RubyAddress(ofValue(MAPPED_PREFIX | self.value, 128), 128);
  },
  'ipv4_mapped?': (_machine, self) => native(self) !== self,
  netmask: (_machine, self) => {
    const host = BigInt(self.size - self.bits);
    return str(ofValue((((1n << BigInt(self.size)) - 1n) >> host) << host, self.size).toString());
  },
  /** Number of the family on Linux. */
  family: (_machine, self) => (self.size === 32 ? 2 : 10),
  '<=>': (_machine, self, [other]) => {
    const isAddress = other instanceof RubyAddress || other instanceof RubyString;
    return isAddress ? self.compareTo(asAddress(other)) : null;
  },
};

const ADDRESSES: Methods<RubyAddress> = {
  'include?': (_machine, self, [other]) => includes(self, other),
  '===': (_machine, self, [other]) => includes(self, other),
  'ipv4?': (_machine, self) => self.size === 32,
  'ipv6?': (_machine, self) => self.size === 128,
  'private?': (_machine, self) => inRanges(self, ['private', 'uniqueLocal']),
  'loopback?': (_machine, self) => inRanges(self, ['loopback']),
  'link_local?': (_machine, self) => inRanges(self, ['linkLocal']),
  mask: (_machine, self, [mask]) => parsed(`${self.print()}/${typeof mask === 'number' ? mask : textArgument(mask)}`),
  prefix: (_machine, self) => self.bits,
  to_i: (_machine, self) => integer(self.value),
  to_range: (_machine, self) => {
    const [first, last] = self.bounds;
    return [
      new RubyAddress(ofValue(first, self.size), self.size),
      new RubyAddress(ofValue(last, self.size), self.size),
    ];
  },
  to_string: (_machine, self) =>
    str(self.size === 32 ? self.print() : (self.address as ipaddr.IPv6).toNormalizedString()),
};

export function defineAddresses(): void {
  ADDRESS.define({ ...ADDRESSES, ...COMPUTED });
  ADDRESS.defineOnClass({
    new: (_machine, _self, [text]) => parsed(textArgument(text)),
    new_ntoh: (_machine, _self, [packed]) => ofPacked(packed),
    ntop: (_machine, _self, [packed]) => str(ofPacked(packed).print()),
  });
}
