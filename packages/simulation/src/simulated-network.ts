/**
 * Byte streams between simulated nodes, as TCP gives them: in order, without loss inside a stream, but late, cut anywhere,
 * stalled by a partition that heals, and silent when a machine dies.
 */
import { showHostPort } from '@shoal/core';
import { type Address, type DialOptions, type Listener, type Network, NetworkError, type Socket } from '@shoal/runtime';
import type { NetworkState } from './network-state.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { connectStreams } from './stream-pair.ts';

export class SimulatedNetwork implements Network {
  readonly #network: NetworkState;
  readonly #process: SimulatedProcess;

  constructor(network: NetworkState, process: SimulatedProcess) {
    this.#network = network;
    this.#process = process;
  }

  listen(at: Address, onSocket: (socket: Socket) => void): Promise<Listener> {
    const { listeners } = this.#network;
    return this.#process.operation(0, `listen ${showHostPort(at)}`, () => {
      const address = { host: at.host, port: at.port === 0 ? this.#network.freePort() : at.port };
      const key = showHostPort(address);
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
    const network = this.#network;
    const from = this.#process;
    const key = showHostPort(to);
    return from.pending(`dial ${key}`, (resolve, reject) => {
      let isOver = false;
      const fail = (kind: 'timeout' | 'refused', text: string): void => {
        if (!isOver) reject(new NetworkError(kind, `${key}: ${text}`));
        isOver = true;
      };
      from.post(options.connectTimeoutMs, `dial timeout ${key}`, () => fail('timeout', 'connect timed out'));
      from.post(network.latencyMs() + network.latencyMs(), `dial ${key}`, () => {
        if (isOver) return;
        const listening = network.listeners.get(key);
        const machine = listening?.process.name ?? to.host;
        const isReachable = network.passes(from.name, machine, to.port) && network.passes(machine, from.name, to.port);
        if (!isReachable || network.silentMachines.has(machine)) return;
        if (listening === undefined) {
          fail('refused', 'connection refused');
          return;
        }
        isOver = true;
        const local = { host: from.name, port: network.freePort() };
        const [near, far] = connectStreams(
          network,
          { process: from, address: local },
          { process: listening.process, address: to },
        );
        listening.process.post(0, `accept ${showHostPort(local)}`, () => listening.accept(far.socket));
        resolve(near.socket);
      });
    });
  }

  resolve(host: string): Promise<readonly string[]> {
    return this.#process.operation(this.#network.latencyMs(), `resolve ${host}`, () => [host]);
  }
}
