/**
 * A cluster whose nodes are processes of their own: each can be killed, and started again over its folder under its addresses.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.mjs';
import { shoal, sleep } from './servers.mjs';

const READY_MS_MAX = 120_000;
const LOOK_EVERY_MS = 100;

/** Data nodes `data-1` to `data-N`, and unless `coordinator` is false a coordinator in front of them. Ends with this process. */
export class NodeProcesses {
  #folder = mkdtempSync(join(tmpdir(), 'shoal-bench-'));
  /** By name: its arguments, HTTP port, and running process. */
  #nodes = new Map();
  #atExit = () => this.#killAll();

  /** @param settings of every node, each `KEY=VALUE` */
  static async start(dataNodes, { coordinator = true, settings = [] } = {}) {
    const processes = new NodeProcesses();
    process.once('exit', processes.#atExit);
    const names = Array.from({ length: dataNodes }, (_, i) => `data-${i + 1}`);
    const voters = names.join(',');
    const places = [];
    for (const name of coordinator ? [...names, 'coordinator'] : names) {
      places.push({ name, http: await freePort(), transport: await freePort() });
    }
    const seeds = places.map(({ transport }) => `127.0.0.1:${transport}`).join(',');
    for (const { name, http, transport } of places) {
      const args = ['--http-port', http, '--transport-port', transport, '--seed-hosts', seeds, '--node.name', name];
      args.push('--cluster.name', 'bench', '--data', join(processes.#folder, name));
      for (const setting of settings) args.push('--set', setting);
      if (name !== 'coordinator') args.push('--set', `cluster.initial_cluster_manager_nodes=${voters}`);
      processes.#nodes.set(name, { http, args: [name === 'coordinator' ? name : 'data-node', ...args], child: null });
    }
    for (const { name } of places) processes.launch(name);
    await processes.untilNodes(places.length);
    return processes;
  }

  get names() {
    return [...this.#nodes.keys()];
  }

  /** Process ids by node. */
  get pids() {
    const running = [...this.#nodes].filter(([, { child }]) => child !== null);
    return Object.fromEntries(running.map(([name, { child }]) => [name, child.pid]));
  }

  /** Address that requests go to: the coordinator, which is never killed, or else the last data node. */
  get http() {
    return [`http://127.0.0.1:${[...this.#nodes.values()].at(-1).http}`];
  }

  launch(name) {
    const node = this.#nodes.get(name);
    const log = openSync(join(this.#folder, `${name}.log`), 'a');
    const child = spawn(process.execPath, [shoal, ...node.args], { stdio: ['ignore', log, log] });
    node.child = child;
    child.once('exit', () => {
      if (node.child === child) node.child = null;
    });
  }

  /** Resolves when the process is gone. */
  kill(name, signal = 'SIGKILL') {
    const { child } = this.#nodes.get(name);
    return new Promise((resolve) => child.once('exit', resolve) && child.kill(signal));
  }

  untilNodes(count) {
    return this.until(`/_cluster/health?wait_for_nodes=${count}&timeout=1s`);
  }

  untilGreen() {
    return this.until('/_cluster/health?wait_for_status=green&wait_for_no_relocating_shards=true&timeout=1s');
  }

  /** Asks until the answer is good and has not timed out. */
  async until(path) {
    const endMs = performance.now() + READY_MS_MAX;
    while (performance.now() < endMs) {
      const answer = await fetch(`${this.http[0]}${path}`).catch(() => null);
      if (answer?.ok && (await answer.json()).timed_out === false) return;
      await sleep(LOOK_EVERY_MS);
    }
    throw new Error(`${path} was not answered within ${READY_MS_MAX / 1000} s; logs are in ${this.#folder}`);
  }

  async end() {
    await Promise.all(Object.keys(this.pids).map((name) => this.kill(name, 'SIGTERM')));
    process.off('exit', this.#atExit);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #killAll() {
    for (const { child } of this.#nodes.values()) child?.kill('SIGKILL');
  }
}
