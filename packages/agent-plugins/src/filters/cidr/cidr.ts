/**
 * cidr: matches when one of the addresses is in one of the networks.
 */
import { readFileSync } from 'node:fs';
import { compileTemplate, type FieldReference, type LogEvent, printValue, type Template } from '@shoal/agent-event';
import type { Filter, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { messageOf, ShoalError } from '@shoal/core';
import ipaddr from 'ipaddr.js';

export const cidrFilter: PluginDefinition = {
  kind: 'filter',
  name: 'cidr',
  version: '3.1.3',
  options: {
    address: { type: 'array', default: [] },
    /** Field with an address, or an array of them. */
    address_field: { type: 'fieldReference' },
    network: { type: 'array', default: [] },
    network_path: { type: 'path' },
    separator: { type: 'string', default: '\n' },
    refresh_interval: { type: 'number', default: 600 },
  },
  create: (options, context) => new CidrFilter(options, context),
};

type Address = ReturnType<typeof ipaddr.process>;
type Network = readonly [Address, number];

class CidrFilter implements Filter {
  private readonly addresses: readonly Template[];
  private readonly field: FieldReference | null;
  private readonly networks: readonly Template[];
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly known = new Map<string, Network | null>();
  private fromFile: readonly string[] = [];
  private readAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.addresses = options.strings('address').map((text) => compileTemplate(text, context));
    this.field = options.has('address_field') ? options.reference('address_field') : null;
    this.networks = options.strings('network').map((text) => compileTemplate(text, context));
    if (options.has('network_path') && this.networks.length > 0) {
      throw new ShoalError('illegal_argument_exception', 400, 'cidr: give network or network_path, not both');
    }
    this.load();
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    this.refresh();
    const networks = [...this.networks.flatMap((template) => template.render(event).split(',')), ...this.fromFile];
    const isFound = this.addressesOf(event).some((text) => this.isInside(text, networks));
    return isFound ? 'matched' : 'unmatched';
  }

  private addressesOf(event: LogEvent): readonly string[] {
    const computed = this.addresses.flatMap((template) => template.render(event).split(','));
    const value = this.field === null ? undefined : event.get(this.field);
    const given = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
    return [...computed, ...given.map(printValue)].map((text) => text.trim());
  }

  private isInside(text: string, networks: readonly string[]): boolean {
    const address = ipaddr.isValid(text) ? ipaddr.process(text) : null;
    if (address === null) {
      this.context.runtime.log.warn('cidr: not an address', { plugin: this.context.pluginId, address: text });
      return false;
    }
    return networks.some((one) => {
      const network = this.network(one.trim());
      return network !== null && network[0].kind() === address.kind() && contains(network, address);
    });
  }

  private network(text: string): Network | null {
    let network = this.known.get(text);
    if (network === undefined) {
      network = parseNetwork(text);
      if (network === null) {
        this.context.runtime.log.warn('cidr: not a network', { plugin: this.context.pluginId, network: text });
      }
      if (this.known.size >= KNOWN_MAX) this.known.clear();
      this.known.set(text, network);
    }
    return network;
  }

  private load(): void {
    if (!this.options.has('network_path')) return;
    this.readAtMs = this.context.runtime.clock.monotonicMs();
    const separator = this.options.string('separator').replaceAll('\\n', '\n');
    const text = readFileSync(this.options.string('network_path'), 'utf8');
    const networks = text.split(separator).filter((line) => line.trim() !== '');
    // A file found empty is one being written.
    if (networks.length > 0) this.fromFile = networks;
  }

  /** A file that cannot be read any more leaves the old networks in force. */
  private refresh(): void {
    const intervalMs = this.options.number('refresh_interval') * 1000;
    if (this.context.runtime.clock.monotonicMs() - this.readAtMs < intervalMs) return;
    try {
      this.load();
    } catch (error) {
      const reason = messageOf(error);
      const fields = { plugin: this.context.pluginId, reason };
      this.context.runtime.log.error('cidr cannot read its networks again', fields);
    }
  }
}

const KNOWN_MAX = 10_000;

function parseNetwork(text: string): Network | null {
  if (ipaddr.isValid(text)) {
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null;
}

function contains(network: Network, address: Address): boolean {
  const wanted = network[0].toByteArray();
  const bytes = address.toByteArray();
  let bits = network[1];
  for (let i = 0; bits > 0; i++, bits -= 8) {
    const mask = bits >= 8 ? 255 : (255 << (8 - bits)) & 255;
    if (((wanted[i] ?? 0) & mask) !== ((bytes[i] ?? 0) & mask)) return false;
  }
  return true;
}
