/**
 * The network of a simulated world: who listens where, which streams are open, and what passes between machines.
 */
import type { Socket } from '@shoal/runtime';
import type { SeededRandom } from './seeded-random.ts';
import type { SimulatedProcess } from './simulated-process.ts';

export interface NetworkFaults {
  /** One-way latency: uniform between these, with rare spikes. */
  readonly latencyMinMs: number;
  readonly latencyMaxMs: number;
  /** Probability that a chunk meets a spike (a lost and resent packet), and how long that lasts. */
  readonly spikes: number;
  readonly spikeMs: number;
}

const GOOD_NETWORK: NetworkFaults = { latencyMinMs: 0.1, latencyMaxMs: 1, spikes: 0, spikeMs: 200 };

const FIRST_FREE_PORT = 49_152;

export interface BlockRule {
  readonly from: string;
  readonly to: string;
  /** Only streams to this listening port; null: all. */
  readonly port: number | null;
}

export interface Listening {
  readonly process: SimulatedProcess;
  accept(socket: Socket): void;
}

/** One end of a TCP connection, at one process. */
export interface StreamEnd {
  readonly process: SimulatedProcess;
  readonly peer: StreamEnd;
  readonly socket: Socket;
  /** Tries again to deliver what waits at this end. */
  kick(): void;
  /** Ends both sides now. */
  lose(reason: string): void;
  /** The other side is gone: this one learns of it after some time. */
  loseLater(reason: string): void;
}

export class NetworkState {
  readonly random: SeededRandom;
  readonly listeners: Map<string, Listening> = new Map();
  readonly streams: Set<StreamEnd> = new Set();
  /** Machines that do not answer at all, as after a power cut; addresses on them have the node's name as host. */
  readonly silentMachines: Set<string> = new Set();
  faults: NetworkFaults = GOOD_NETWORK;
  #rules: BlockRule[] = [];
  #nextPort = FIRST_FREE_PORT;

  constructor(random: SeededRandom) {
    this.random = random;
  }

  block(rule: BlockRule): void {
    this.#rules.push(rule);
  }

  /** Everything passes again; what was held back arrives. */
  heal(): void {
    this.#rules = [];
    for (const end of this.streams) end.kick();
  }

  passes(from: string, to: string, port: number): boolean {
    return !this.#rules.some((rule) => rule.from === from && rule.to === to && (rule.port ?? port) === port);
  }

  latencyMs(): number {
    const { latencyMinMs, latencyMaxMs, spikes, spikeMs } = this.faults;
    const base = latencyMinMs + this.random.unit() * (latencyMaxMs - latencyMinMs);
    return base + (this.random.chance(spikes) ? spikeMs : 0);
  }

  freePort(): number {
    return this.#nextPort++;
  }

  /** Resets every stream between the two machines, in both directions. */
  reset(a: string, b: string): void {
    for (const end of [...this.streams]) {
      const pair = [end.process.name, end.peer.process.name];
      if (pair.includes(a) && pair.includes(b)) end.lose('connection reset');
    }
  }

  /** A process is gone. Its peers learn of it, unless its machine went silent. */
  processDied(process: SimulatedProcess): void {
    for (const [key, listening] of [...this.listeners]) if (listening.process === process) this.listeners.delete(key);
    for (const end of [...this.streams]) {
      if (end.process !== process) continue;
      this.streams.delete(end);
      if (!this.silentMachines.has(process.name)) end.peer.loseLater('connection reset by peer');
    }
  }
}
