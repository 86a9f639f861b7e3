/**
 * Data nodes as single processes that a test may kill and start again on their data.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithTests } from './end-with-tests.test-support.ts';
import { freePort } from './free-port.test-support.ts';
import { type Answer, call, shoalBinary } from './shoal-process.test-support.ts';

const POLL_MS = 50;
const LOG_LINES_KEPT = 300;
const LOG_CHARACTERS_TOLD = 4_000;

interface Node {
  readonly name: string;
  readonly httpPort: number;
  readonly transportPort: number;
  process: ChildProcess | null;
  readonly log: string[];
}

export class NodeProcesses {
  private readonly nodes = new Map<string, Node>();
  readonly folder: string = mkdtempSync(join(tmpdir(), 'shoal-nodes-'));

  /** Plans data nodes of these names, without starting them. */
  static async plan(names: readonly string[]): Promise<NodeProcesses> {
    const cluster = new NodeProcesses();
    for (const name of names) {
      cluster.nodes.set(name, {
        name,
        httpPort: await freePort(),
        transportPort: await freePort(),
        process: null,
        log: [],
      });
    }
    return cluster;
  }

  private node(name: string): Node {
    const node = this.nodes.get(name);
    if (node === undefined) throw new Error(`no node ${name}`);
    return node;
  }

  url(name: string): string {
    return `http://127.0.0.1:${this.node(name).httpPort}`;
  }

  transportAddress(name: string): { readonly host: string; readonly port: number } {
    return { host: '127.0.0.1', port: this.node(name).transportPort };
  }

  dataPath(name: string): string {
    return join(this.folder, name);
  }

  /** A file as the node's process sees it, which may have mounts of its own. */
  pathSeenBy(name: string, path: string): string {
    return `/proc/${this.node(name).process?.pid}/root${path}`;
  }

  log(name: string): string {
    return this.node(name).log.join('\n');
  }

  /** @param launcher a command that replaces itself by the one it gets as its last arguments */
  start(name: string, extra: readonly string[] = [], launcher: readonly string[] = []): void {
    const node = this.node(name);
    const all = [...this.nodes.values()];
    const [command = '', ...launched] = [...launcher, process.execPath];
    const child = spawn(
      command,
      [
        ...launched,
        shoalBinary,
        'data-node',
        '--node.name',
        name,
        '--http-port',
        String(node.httpPort),
        '--transport-port',
        String(node.transportPort),
        '--seed-hosts',
        all.map((other) => `127.0.0.1:${other.transportPort}`).join(','),
        '--data',
        this.dataPath(name),
        // However full the disk of the machine is.
        '--set',
        'cluster.routing.allocation.disk.threshold_enabled=false',
        '--set',
        `cluster.initial_cluster_manager_nodes=${all.map((other) => other.name).join(',')}`,
        ...extra,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    endWithTests(child);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        node.log.push(line);
        if (node.log.length > LOG_LINES_KEPT) node.log.shift();
      });
    }
    node.process = child;
  }

  startAll(): void {
    for (const name of this.nodes.keys()) this.start(name);
  }

  /** SIGKILL, as a crash of the machine would end it but for its page cache. */
  async kill(name: string): Promise<void> {
    await this.end(name, 'SIGKILL');
  }

  /** The process does nothing until it goes on; its connections stay. */
  pause(name: string): void {
    this.node(name).process?.kill('SIGSTOP');
  }

  goOn(name: string): void {
    this.node(name).process?.kill('SIGCONT');
  }

  async end(name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.node(name).process;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }

  /** The status with which a node ends by itself. */
  async exitOf(name: string): Promise<number | null> {
    const child = this.node(name).process;
    if (child === null) throw new Error(`node ${name} was not started`);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    return child.exitCode;
  }

  /** How each node stands, and the end of its log: what another node did is often why one waits in vain. */
  private get account(): string {
    const told = [...this.nodes.values()].map(({ name, process: child, log }) => {
      const end = child === null ? 'not started' : (child.exitCode ?? child.signalCode ?? 'runs');
      return `--- ${name}: ${end}\n${log.join('\n').slice(-LOG_CHARACTERS_TOLD)}`;
    });
    return told.join('\n');
  }

  /** Asks until `accept` holds; fails with the last answer and what the nodes did. */
  async waitFor(name: string, path: string, accept: (answer: Answer) => boolean, withinMs = 120_000): Promise<Answer> {
    const startedMs = performance.now();
    let last = 'nothing yet';
    while (performance.now() - startedMs < withinMs) {
      try {
        const answer = await call(this.url(name), 'GET', path);
        if (accept(answer)) return answer;
        last = `${answer.status} ${answer.text}`;
      } catch (error) {
        last = String(error);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`${name}${path}: not within ${withinMs} ms, last: ${last}\n${this.account}`);
  }

  waitForGreen(name: string, withinMs = 120_000): Promise<Answer> {
    const path = `/_cluster/health?wait_for_nodes=${this.nodes.size}&wait_for_status=green&timeout=2s&master_timeout=2s`;
    return this.waitFor(name, path, (answer) => answer.status === 200 && answer.body.status === 'green', withinMs);
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.nodes.keys()].map((name) => this.kill(name)));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
