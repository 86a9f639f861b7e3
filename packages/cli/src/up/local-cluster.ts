/**
 * A cluster on this machine: its nodes as child processes, from the first port chosen to the last process ended.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HttpApi } from '../http/http-api.ts';
import { type ChildNode, startChildNode } from '../processes/child-node.ts';
import { type ControlServer, type SupervisedNode, startControl } from '../processes/control-server.ts';
import { choosePorts } from '../processes/free-ports.ts';
import { type LocalAgent, startLocalAgent } from './local-agent.ts';
import { withPassword } from './node-password.ts';

const HOST = '127.0.0.1';
const HTTP_PORT = 9200;
const TRANSPORT_PORT = 9300;
/** Folder for repositories of snapshots, which the nodes share. */
const REPOSITORIES = 'repositories';
const FORMATION_TIMEOUT_MS = 60_000;
/** How long a person waits for shards that do not start before being shown the cluster as it is. */
const LOOK_TIMEOUT_MS = 15_000;

export interface LocalClusterOptions {
  /** Data nodes; with more than one a coordinator stands in front of them. */
  readonly dataNodes: number;
  /** null: 9200, or the next free one. */
  readonly httpPort: number | null;
  readonly transportPort: number | null;
  readonly dataPath: string;
  /** Data in a temporary folder that is removed at the end. */
  readonly isEphemeral: boolean;
  /** null: no agent. Its port is null for the first free one from 9600. */
  readonly agent: { readonly port: number | null } | null;
  /** Arguments handed to every node, such as `--set name=value`. */
  readonly nodeArgs: readonly string[];
  /** Password that the nodes ask for; null: none. */
  readonly password: string | null;
  readonly onLogLine: (node: string, line: string) => void;
  readonly onNodeEnd: (reason: string) => void;
  /** Scripts want all shards or an error; people want to look at a cluster whose shards are not all there. */
  readonly mustBeWhole: boolean;
  /** Settles when the user wants to stop: a start that is not done yet is given up. */
  readonly stopped: Promise<void>;
}

export interface LocalCluster {
  /** The first is the address to use: the coordinator's, or the only node's. */
  readonly http: readonly string[];
  readonly transport: readonly string[];
  readonly pids: Readonly<Record<string, number>>;
  /** null when none was asked for. It may still be starting. */
  readonly agent: LocalAgent | null;
  readonly dataPath: string;
  /** What a user should know: ports that were taken and passed over, shards that are not there. */
  readonly notices: readonly string[];
  end(): Promise<void>;
}

interface PlannedNode {
  readonly name: string;
  readonly command: 'coordinator' | 'data-node';
  readonly httpPort: number;
  readonly transportPort: number;
}

/**
 * For the allocator of the C library, which reads this when a process starts: large pieces go back to the machine as soon as they
 * are freed. Left to itself it keeps what merges and requests once took, up to half as much again as a node needs.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '262144',
};

/**
 * Starts the nodes and resolves when all of them answer and every shard that can be is started.
 *
 * @returns null when the user stopped it before; nothing is left of it then
 */
export async function startLocalCluster(options: LocalClusterOptions): Promise<LocalCluster | null> {
  const plan = await planNodes(options);
  const dataPath = options.isEphemeral ? await mkdtemp(join(tmpdir(), 'shoal-')) : resolve(options.dataPath);
  const seedHosts = plan.map((node) => `${HOST}:${node.transportPort}`).join(',');
  const voters = plan.filter((node) => node.command === 'data-node').map((node) => node.name);
  const binary = fileURLToPath(new URL('../../bin/shoal.js', import.meta.url));
  const start = (node: PlannedNode): ChildNode =>
    startChildNode(binary, {
      name: node.name,
      command: node.command,
      args: nodeArguments(node, { seedHosts, voters, dataPath, nodeArgs: options.nodeArgs }),
      environment: { ...ALLOCATOR, ...process.env },
      onLogLine: (line) => options.onLogLine(node.name, line),
      onUnexpectedEnd: options.onNodeEnd,
    });
  const children = plan.map(start);
  let control: ControlServer | null = null;
  let agent: LocalAgent | null = null;
  let isEnding = false;
  const startAgent = (clusterUrl: string): void => {
    if (options.agent === null || isEnding) return;
    agent = startLocalAgent({
      binary,
      dataPath,
      clusterUrl: withPassword(clusterUrl, options.password),
      port: options.agent.port,
      onLogLine: (line) => options.onLogLine('agent', line),
      onUnexpectedEnd: options.onNodeEnd,
    });
  };
  const end = async (): Promise<void> => {
    isEnding = true;
    await control?.close();
    // While the nodes still take what it has read.
    await agent?.end();
    await endAll(children);
    if (options.isEphemeral) await rm(dataPath, { recursive: true, force: true });
  };
  try {
    const forming = form(children, options, startAgent);
    // When the user stops the start, its failure is no news.
    forming.catch(() => {});
    const formed = await Promise.race([forming, options.stopped.then(() => null)]);
    if (formed === null) {
      await end();
      return null;
    }
    const restart = restarter(plan, children, { start, isEnding: () => isEnding });
    const nodes = (): readonly SupervisedNode[] => supervisedNodes(plan, children, options.password);
    control = await startControl(dataPath, { nodes, restart });
    return {
      http: formed.http,
      transport: formed.transport,
      pids: Object.fromEntries(children.map((child) => [child.name, child.pid])),
      agent,
      dataPath,
      notices: [...portNotices(plan, options), ...formed.notices],
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Restarts one node after the other: two that are away together may have both copies of a shard. */
function restarter(
  plan: readonly PlannedNode[],
  children: ChildNode[],
  { start, isEnding }: { readonly start: (node: PlannedNode) => ChildNode; readonly isEnding: () => boolean },
): (name: string) => Promise<void> {
  let running: string | null = null;
  return async (name) => {
    const position = plan.findIndex((node) => node.name === name);
    const [node, child] = [plan[position], children[position]];
    if (node === undefined || child === undefined) throw new Error(`the cluster has no node [${name}]`);
    if (running !== null) throw new Error(`[${running}] is being restarted already`);
    running = name;
    try {
      await child.end();
      if (isEnding()) throw new Error('the cluster is ending');
      const next = start(node);
      children[position] = next;
      await next.listening;
    } finally {
      running = null;
    }
  };
}

function supervisedNodes(
  plan: readonly PlannedNode[],
  children: readonly ChildNode[],
  password: string | null,
): readonly SupervisedNode[] {
  return plan.map(({ name, command, httpPort }, position) => ({
    name,
    command,
    http: withPassword(`http://${HOST}:${httpPort}`, password),
    pid: children[position]?.pid ?? -1,
  }));
}

async function planNodes(options: LocalClusterOptions): Promise<readonly PlannedNode[]> {
  const names = Array.from({ length: options.dataNodes }, (_, position) => `data-${position + 1}`);
  const hasCoordinator = options.dataNodes > 1;
  const all = hasCoordinator ? ['coordinator-1', ...names] : names;
  const range = (asked: number | null, standard: number) => ({
    host: HOST,
    first: asked ?? standard,
    isFirstFixed: asked !== null,
    count: all.length,
  });
  const httpPorts = await choosePorts(range(options.httpPort, HTTP_PORT));
  const transportPorts = await choosePorts(range(options.transportPort, TRANSPORT_PORT));
  return all.map((name, position) => ({
    name,
    command: hasCoordinator && position === 0 ? 'coordinator' : 'data-node',
    httpPort: httpPorts[position] ?? 0,
    transportPort: transportPorts[position] ?? 0,
  }));
}

interface SharedArguments {
  readonly seedHosts: string;
  readonly voters: readonly string[];
  readonly dataPath: string;
  readonly nodeArgs: readonly string[];
}

function nodeArguments(node: PlannedNode, shared: SharedArguments): readonly string[] {
  const data = join(shared.dataPath, node.name);
  return [
    '--node.name',
    node.name,
    '--http-port',
    String(node.httpPort),
    '--transport-port',
    String(node.transportPort),
    '--seed-hosts',
    shared.seedHosts,
    '--data',
    data,
    '--set',
    `cluster.initial_cluster_manager_nodes=${shared.voters.join(',')}`,
    '--set',
    `path.repo=${join(shared.dataPath, REPOSITORIES)}`,
    '--set',
    'http.access_log=true',
    // All nodes have one disk: what one of them gives away, another one writes to it again.
    '--set',
    'cluster.routing.allocation.disk.threshold_enabled=false',
    ...shared.nodeArgs,
  ];
}

interface Formed {
  readonly http: readonly string[];
  readonly transport: readonly string[];
  readonly notices: readonly string[];
}

async function form(
  children: readonly ChildNode[],
  options: LocalClusterOptions,
  startAgent: (clusterUrl: string) => void,
): Promise<Formed> {
  const listening = await Promise.all(children.map((child) => child.listening));
  const http = listening.map((message) => `http://${message.http}`);
  // The nodes have loaded and now wait for each other: the agent's start falls into that time.
  startAgent(http[0] ?? '');
  const statuses = await Promise.all(http.map((url) => waitUntilStarted(url, children.length, options)));
  const notices = statuses.filter((status) => status !== null);
  return { http, transport: listening.map((message) => message.transport), notices: notices.slice(0, 1) };
}

/** Green, or yellow: then every primary is started, and only copies are missing. Returns what is missing, in words. */
async function waitUntilStarted(url: string, nodes: number, options: LocalClusterOptions): Promise<string | null> {
  const timeoutMs = options.mustBeWhole ? FORMATION_TIMEOUT_MS : LOOK_TIMEOUT_MS;
  const wanted = `wait_for_nodes=${nodes}&wait_for_status=yellow&wait_for_no_initializing_shards=true`;
  const path = `/_cluster/health?${wanted}&timeout=${timeoutMs}ms&master_timeout=${FORMATION_TIMEOUT_MS}ms`;
  const api = new HttpApi(withPassword(url, options.password));
  const { body } = await api.call({ method: 'GET', path, timeoutMs: FORMATION_TIMEOUT_MS + 5_000 });
  api.close();
  const health = (body ?? {}) as Record<string, unknown>;
  if (health.status === 'green') return null;
  const unassigned = `the cluster is ${health.status}: ${health.unassigned_shards} shards are not assigned`;
  const advice = `shoal why --url ${url} says why`;
  if (health.status === 'yellow') return `${unassigned}, replicas that wait for a node; ${advice}`;
  if (health.status === 'red' && health.number_of_nodes === nodes && !options.mustBeWhole)
    return `${unassigned}; ${advice}`;
  throw new Error(`the cluster did not form within ${timeoutMs / 1000} s: ${JSON.stringify(body)}`);
}

function portNotices(plan: readonly PlannedNode[], options: LocalClusterOptions): readonly string[] {
  const first = plan[0];
  if (first === undefined) return [];
  return [
    options.httpPort !== null || first.httpPort === HTTP_PORT
      ? null
      : `HTTP port ${HTTP_PORT} is taken, using ${first.httpPort}`,
    options.transportPort !== null || first.transportPort === TRANSPORT_PORT
      ? null
      : `transport port ${TRANSPORT_PORT} is taken, using ${first.transportPort}`,
  ].filter((text) => text !== null);
}

/** The coordinator first, so that no request reaches a node that is going. */
async function endAll(children: readonly ChildNode[]): Promise<void> {
  await Promise.all(children.filter((child) => child.name.startsWith('coordinator')).map((child) => child.end()));
  await Promise.all(children.map((child) => child.end()));
}
