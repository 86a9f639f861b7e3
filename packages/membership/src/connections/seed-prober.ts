/**
 * Looks for other nodes on 9300: resolves seed hosts, opens probe connections, and says who answered or what went wrong.
 */

import { isPeerFailure } from '@shoal/cluster';
import { type DiscoveryNode, discoveryNodeOf } from '@shoal/cluster-state';
import { isShoalError, messageOf, parseHostPort, showHostPort } from '@shoal/core';
import type { PeerFailure } from '@shoal/protocol';
import type { Address, Runtime } from '@shoal/runtime';
import { dialFailure, handshakeFailure, type Transport } from '@shoal/transport';

const DEFAULT_PORT = 9_300;
const PROBE_CONNECT_TIMEOUT_MS = 3_000;
const PROBE_HANDSHAKE_TIMEOUT_MS = 3_000;
/**
 * Nodes that are started together come up within seconds of each other: in the first `EARLY_MS` an address that refuses is
 * tried again soon, instead of at the next second, so that the last one up completes the cluster at once.
 */
const EARLY_MS = 5_000;
const EARLY_RETRY_MS = 100;
/** Addresses that are remembered for diagnosis, and addresses tried of one host name. */
const ATTEMPTS_MAX = 200;
const ADDRESSES_PER_HOST_MAX = 16;

export interface DialAttempt {
  readonly address: Address;
  readonly outcome: string;
  /** null: a node was found there. */
  readonly failure: PeerFailure | null;
}

export interface ProbeEvents {
  found(node: DiscoveryNode): void;
  failed(address: string, reason: string): void;
}

export class SeedProber {
  readonly #runtime: Runtime;
  readonly #transport: Transport;
  readonly #seedHosts: readonly string[];
  readonly #events: ProbeEvents;
  readonly #running = new Set<string>();
  readonly #earlyUntilMs: number;
  readonly #attempts = new Map<string, DialAttempt>();
  #isClosed = false;

  constructor(runtime: Runtime, transport: Transport, seedHosts: readonly string[], events: ProbeEvents) {
    this.#runtime = runtime;
    this.#transport = transport;
    this.#seedHosts = seedHosts;
    this.#events = events;
    this.#earlyUntilMs = runtime.clock.monotonicMs() + EARLY_MS;
  }

  get attempts(): readonly DialAttempt[] {
    return [...this.#attempts.values()];
  }

  /** Seed hosts are resolved each time: their addresses may change while this node runs. */
  probeSeeds(): void {
    for (const seed of this.#seedHosts) void this.#probeSeed(seed);
  }

  /** Probes an address; ignored while a probe of it runs, and for this node's own address. */
  probe(address: Address): void {
    const shown = showHostPort(address);
    const { boundAddress, identity } = this.#transport;
    if (this.#isClosed || this.#running.has(shown)) return;
    if (shown === showHostPort(boundAddress) || shown === showHostPort(identity.address)) return;
    this.#running.add(shown);
    void this.#probe(address, shown).finally(() => this.#running.delete(shown));
  }

  close(): void {
    this.#isClosed = true;
  }

  async #probeSeed(seed: string): Promise<void> {
    const parsed = parseSeedHost(seed);
    if (parsed === null) {
      this.#failed({ host: seed, port: 0 }, seed, { reason: 'not of the form host[:port]', failure: 'unresolved' });
      return;
    }
    try {
      const hosts = await this.#runtime.net.resolve(parsed.host);
      for (const host of hosts.slice(0, ADDRESSES_PER_HOST_MAX)) this.probe({ host, port: parsed.port });
    } catch (error) {
      this.#failed(parsed, showHostPort(parsed), { reason: textOf(error), failure: 'unresolved' });
    }
  }

  async #probe(address: Address, shown: string): Promise<void> {
    try {
      const connection = await this.#transport.connect(address, {
        kind: 'probe',
        connectTimeoutMs: PROBE_CONNECT_TIMEOUT_MS,
        handshakeTimeoutMs: PROBE_HANDSHAKE_TIMEOUT_MS,
      });
      const node = discoveryNodeOf(connection.node);
      connection.close('probe done');
      if (this.#isClosed || connection.node.ephemeralId === this.#transport.identity.ephemeralId) return;
      const outcome = `found node [${node.name}] at [${showHostPort(node.address)}]`;
      this.#remember(shown, { address, outcome, failure: null });
      this.#events.found(node);
    } catch (error) {
      this.#failed(address, shown, { reason: textOf(error), failure: failureOf(error) });
      if (handshakeFailure(error) === 'sameNodeId' && !this.#isClosed) {
        // All that the handshake tells: this node's id, in another process, at that address.
        const self = discoveryNodeOf(this.#transport.identity);
        this.#events.found({ ...self, ephemeralId: `another process of ${self.ephemeralId}`, address });
      }
      const { clock, sched } = this.#runtime;
      const isEarly = clock.monotonicMs() < this.#earlyUntilMs;
      if (isEarly && dialFailure(error) === 'refused') sched.after(EARLY_RETRY_MS, () => this.probe(address));
    }
  }

  #failed(
    address: Address,
    shown: string,
    { reason, failure }: { readonly reason: string; readonly failure: PeerFailure },
  ): void {
    if (this.#isClosed) return;
    this.#remember(shown, { address, outcome: reason, failure });
    this.#events.failed(shown, reason);
  }

  #remember(shown: string, attempt: DialAttempt): void {
    this.#attempts.delete(shown);
    this.#attempts.set(shown, attempt);
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size > ATTEMPTS_MAX && oldest !== undefined) this.#attempts.delete(oldest);
  }
}

/** `host`, `host:port`, `[v6]:port` or a bare v6 address; the port is 9300 when it is not named. Null: not an address. */
export function parseSeedHost(text: string): Address | null {
  const address = parseHostPort(text);
  if (address !== null) return { host: address.host, port: address.port ?? DEFAULT_PORT };
  return /^[0-9a-fA-F:.]+$/.test(text) && text.includes('::') ? { host: text, port: DEFAULT_PORT } : null;
}

function failureOf(error: unknown): PeerFailure {
  const failure = handshakeFailure(error) ?? dialFailure(error) ?? 'other';
  return isPeerFailure(failure) ? failure : 'other';
}

function textOf(error: unknown): string {
  if (isShoalError(error)) return error.reason ?? error.type;
  return messageOf(error);
}
