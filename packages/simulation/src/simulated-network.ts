/**
 * Byte streams between simulated nodes, as TCP gives them: in order, without loss inside a stream, but late, cut in any
 * place, stalled by a partition that heals, and silent when a machine dies.
 */
import { type Address, type DialOptions, type Listener, type Network, NetworkError, type Socket } from '@shoal/runtime';
import type { SeededRandom } from './seeded-random.ts';
import type { SimulatedProcess, WorldTime } from './simulated-process.ts';
import { connectStreams, type StreamEnd } from './stream-pair.ts';

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

interface BlockRule {
  readonly from: string;
  readonly to: string;
  /** Only streams to this listening port; null: all. */
  readonly port: number | null;
}

interface Listening {
  readonly process: SimulatedProcess;
  accept(socket: Socket): void;
}

/** The cables of the world: who listens where, and what passes. */
export class Wires {
  readonly time: WorldTime;
  readonly random: SeededRandom;
  readonly listeners: Map<string, Listening> = new Map();
  readonly streams: Set<StreamEnd> = new Set();
  /** Machines that do not answer at all, as after a power cut; addresses on them have the node's name as host. */
  readonly silentMachines: Set<string> = new Set();
  faults: NetworkFaults = GOOD_NETWORK;
  #rules: BlockRule[] = [];
  #nextPort = FIRST_FREE_PORT;

  constructor(time: WorldTime, random: SeededRandom) {
    this.time = time;
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

  /** A process is gone. Its peers hear of it, or, when the machine went silent, do not. */
  processDied(process: SimulatedProcess): void {
    for (const [key, listening] of [...this.listeners]) if (listening.process === process) this.listeners.delete(key);
    for (const end of [...this.streams]) {
      if (end.process !== process) continue;
      this.streams.delete(end);
      if (!this.silentMachines.has(process.name)) end.peer.loseLater('connection reset by peer');
    }
  }
}

export class SimulatedNetwork implements Network {
  readonly #wires: Wires;
  readonly #process: SimulatedProcess;

  constructor(wires: Wires, process: SimulatedProcess) {
    this.#wires = wires;
    this.#process = process;
  }

  listen(at: Address, onSocket: (socket: Socket) => void): Promise<Listener> {
    const { listeners } = this.#wires;
    return this.#process.operation(0, `listen ${at.host}:${at.port}`, () => {
      const address = { host: at.host, port: at.port === 0 ? this.#wires.freePort() : at.port };
      const key = keyOf(address);
      if (listeners.has(key)) throw new NetworkError('addressInUse', `${key} is in use`);
      const listening = { process: this.#process, accept: onSocket };
      listeners.set(key, listening);
      return {
        address,
        close: () =>
          this.#process.operation(0, `unlisten ${key}`, () => {
            if (listeners.get(key) === listening) listeners.delete(key);
          }),
      };
    });
  }

  dial(to: Address, options: DialOptions): Promise<Socket> {
    const wires = this.#wires;
    const from = this.#process;
    const key = keyOf(to);
    return from.pending(`dial ${key}`, (resolve, reject) => {
      let isOver = false;
      const fail = (kind: 'timeout' | 'refused', text: string): void => {
        if (!isOver) reject(new NetworkError(kind, `${key}: ${text}`));
        isOver = true;
      };
      from.post(options.connectTimeoutMs, `dial timeout ${key}`, () => fail('timeout', 'connect timed out'));
      from.post(wires.latencyMs() + wires.latencyMs(), `dial ${key}`, () => {
        if (isOver) return;
        const listening = wires.listeners.get(key);
        const machine = listening?.process.name ?? to.host;
        const isReachable = wires.passes(from.name, machine, to.port) && wires.passes(machine, from.name, to.port);
        if (!isReachable || wires.silentMachines.has(machine)) return;
        if (listening === undefined) {
          fail('refused', 'connection refused');
          return;
        }
        isOver = true;
        const local = { host: from.name, port: wires.freePort() };
        const [near, far] = connectStreams(
          wires,
          { process: from, address: local },
          { process: listening.process, address: to },
        );
        listening.process.post(0, `accept ${keyOf(local)}`, () => listening.accept(far.socket));
        resolve(near.socket);
      });
    });
  }

  resolve(host: string): Promise<readonly string[]> {
    return this.#process.operation(this.#wires.latencyMs(), `resolve ${host}`, () => [host]);
  }
}

function keyOf(address: Address): string {
  return `${address.host}:${address.port}`;
}
