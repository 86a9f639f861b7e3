/**
 * `IPAddr`: addresses and networks.
 */
import ipaddr from 'ipaddr.js';
import { textArgument } from '../arguments/arguments.ts';
import { exception } from '../values/ruby-exception.ts';
import { integer, type Methods, OBJECT, RubyClass, RubyObject, str, type Value } from '../values/ruby-value.ts';

export const ADDRESS: RubyClass = new RubyClass('IPAddr', OBJECT);

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
    return this.address.toString();
  }

  override show(): string {
    return `#<IPAddr: ${this.address.kind() === 'ipv4' ? 'IPv4' : 'IPv6'}:${this.print()}/${this.bits}>`;
  }

  override equals(other: RubyObject): boolean {
    return other instanceof RubyAddress && other.size === this.size && other.value === this.value;
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

const asAddress = (value: Value | undefined): RubyAddress =>
  value instanceof RubyAddress ? value : parsed(textArgument(value));

function includes(self: RubyAddress, wanted: Value | undefined): boolean {
  const other = asAddress(wanted);
  const [first, last] = self.bounds;
  return other.size === self.size && other.bounds[0] >= first && other.bounds[1] <= last;
}

const inRanges = (self: RubyAddress, names: readonly string[]): boolean => names.includes(self.address.range());

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
  ADDRESS.define(ADDRESSES);
  ADDRESS.defineOnClass({ new: (_machine, _self, [text]) => parsed(textArgument(text)) });
}
