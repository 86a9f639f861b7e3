/**
 * Data nodes on the hosts of `hosts.test-support.ts`, each a real process listening on 9200 and 9300 of its own host.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { shoalBinary } from '../support/shoal-process.test-support.ts';
import { type HostAnswer, Hosts, type Power } from './hosts.test-support.ts';

const POLL_MS = 100;
/** Letters of the log of one node that a failure shows. */
const LOG_LETTERS_MAX = 4_000;

export interface NodeOptions {
  /** `name=value` each. */
  readonly settings?: readonly string[];
  /** Size of a disk that the node's data has for itself, as a tmpfs takes it; null: the machine's. */
  readonly diskSize?: string | null;
}

export class ChaosCluster {
  readonly hosts: Hosts;
  readonly numbers: readonly number[];
  private readonly nodes = new Map<number, ChildProcess>();
  private readonly logs = new Map<number, string[]>();
  private readonly data: string;

  constructor(power: Exclude<Power, { kind: 'none' }>, count: number) {
    this.hosts = new Hosts(power, count);
    this.numbers = Array.from({ length: count }, (_, i) => i + 1);
    this.hosts.create();
    this.data = mkdtempSync(join(tmpdir(), 'shoal-chaos-'));
  }

  private folder(host: number): string {
    return join(this.data, `n${host}`);
  }

  start(host: number, { settings = [], diskSize = null }: NodeOptions = {}): void {
    const seeds = this.numbers.map((n) => `${this.hosts.address(n)}:9300`).join(',');
    const [command = '', ...before] = diskSize === null ? [process.execPath] : this.onDisk(host, diskSize);
    const node = this.hosts.spawn(host, command, [
      ...before,
      shoalBinary,
      'data-node',
      '--node.name',
      `n${host}`,
      '--insecure',
      '--network-host',
      this.hosts.address(host),
      '--http-port',
      '9200',
      '--transport-port',
      '9300',
      '--seed-hosts',
      seeds,
      '--data',
      this.folder(host),
      // However full the disk of the machine is.
      '--set',
      'cluster.routing.allocation.disk.threshold_enabled=false',
      '--set',
      `cluster.initial_cluster_manager_nodes=${this.numbers.map((n) => `n${n}`).join(',')}`,
      ...settings.flatMap((setting) => ['--set', setting]),
    ]);
    const lines: string[] = [];
    this.logs.set(host, lines);
    for (const stream of [node.stdout, node.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => lines.push(line));
    this.nodes.set(host, node);
  }

  /** Command line of Node.js with a data folder that is a disk of its own: the mounts of a host are seen by nobody else. */
  private onDisk(host: number, size: string): readonly string[] {
    mkdirSync(this.folder(host), { recursive: true });
    const script = `mount -t tmpfs -o size=${size} tmpfs "$1" && shift && exec "$@"`;
    return ['sh', '-c', script, 'sh', this.folder(host), process.execPath];
  }

  log(host: number): string {
    return (this.logs.get(host) ?? []).join('\n');
  }

  /** The node's process; the namespaced launcher replaces itself by it. */
  process(host: number): ChildProcess {
    const node = this.nodes.get(host);
    if (node === undefined) throw new Error(`no node on host ${host}`);
    return node;
  }

  call(host: number, method: string, path: string, body?: unknown): Promise<HostAnswer> {
    return this.hosts.call(host, method, path, body === undefined ? undefined : JSON.stringify(body));
  }

  /** Asks until `accept` holds; fails with the last answer and what the nodes logged after `withinMs`. Returns the milliseconds it took. */
  async waitFor(
    host: number,
    path: string,
    accept: (answer: HostAnswer) => boolean,
    withinMs: number,
  ): Promise<number> {
    const startedMs = performance.now();
    let last: unknown;
    while (performance.now() - startedMs < withinMs) {
      try {
        const answer = await this.call(host, 'GET', path);
        if (accept(answer)) return performance.now() - startedMs;
        last = answer;
      } catch (error) {
        last = error instanceof Error ? error.message : error;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(
      `host ${host}${path}: not within ${withinMs} ms; last: ${JSON.stringify(last)}\n${this.logEnds(host)}`,
    );
  }

  /** What all nodes said last, the one that was asked first. */
  private logEnds(asked: number): string {
    const hosts = [asked, ...this.numbers.filter((host) => host !== asked)];
    return hosts.map((host) => `host ${host}:\n${this.log(host).slice(-LOG_LETTERS_MAX)}`).join('\n');
  }

  async destroy(): Promise<void> {
    for (const node of this.nodes.values()) {
      if (node.exitCode !== null || node.signalCode !== null) continue;
      const closed = once(node, 'close');
      node.kill('SIGKILL');
      await closed;
    }
    await this.hosts.destroy();
    rmSync(this.data, { recursive: true, force: true });
  }
}
