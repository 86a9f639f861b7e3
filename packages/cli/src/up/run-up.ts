/**
 * What `shoal up` does: starts the nodes, loads the sample, says what to try, ends everything at Ctrl-C.
 */
import pc from 'picocolors';
import { HttpApi } from '../http/http-api.ts';
import { untilEnded } from '../processes/ended-from-outside.ts';
import type { AgentStart } from './local-agent.ts';
import { type LocalCluster, startLocalCluster } from './local-cluster.ts';
import { logSeverity, viewLogLine } from './log-view.ts';
import { passwordOfNodes, withPassword } from './node-password.ts';
import { ensureSample, SAMPLE_INDEX } from './sample.ts';
import { tryThese } from './try-these.ts';

const DATA_NODES_MAX = 64;
const INFO_LEVEL = 30;
const WARN_LEVEL = 40;

export interface UpOptions {
  readonly nodes: string;
  readonly httpPort?: string;
  readonly transportPort?: string;
  readonly data: string;
  readonly ephemeral?: boolean;
  readonly sample: boolean;
  readonly agent?: boolean;
  readonly agentPort?: string;
  readonly json?: boolean;
  readonly outliveParent?: boolean;
  readonly verbose?: boolean;
  readonly set: readonly string[];
  readonly elasticsearchEnvironment?: boolean;
}

export async function runUp(options: UpOptions): Promise<void> {
  const startedMs = performance.now();
  const end = untilEnded({ withStarter: options.json === true && options.outliveParent !== true });
  const shownLevel = options.verbose ? INFO_LEVEL : WARN_LEVEL;
  const elasticsearchEnvironment = options.elasticsearchEnvironment === true;
  const password = await passwordOfNodes({ assignments: options.set, elasticsearchEnvironment });
  const cluster = await startLocalCluster({
    dataNodes: countOf(options.nodes),
    httpPort: portOf(options.httpPort),
    transportPort: portOf(options.transportPort),
    dataPath: options.data,
    isEphemeral: options.ephemeral === true,
    agent: options.agent === true ? { port: portOf(options.agentPort) } : null,
    nodeArgs: [
      ...(elasticsearchEnvironment ? ['--elasticsearch-environment'] : []),
      ...options.set.flatMap((assignment) => ['--set', assignment]),
    ],
    password,
    onLogLine: (node, line) => {
      if (logSeverity(line) >= shownLevel) process.stderr.write(`${viewLogLine(node, line)}\n`);
    },
    onNodeEnd: (reason) => process.stderr.write(`${pc.red(reason)}\n`),
    mustBeWhole: options.json === true,
    stopped: end,
  });
  if (cluster === null) return;
  try {
    const api = new HttpApi(withPassword(cluster.http[0] ?? '', password));
    const formedMs = performance.now() - startedMs;
    const documents = options.sample ? await ensureSample(api) : 0;
    const agent = (await cluster.agent?.start) ?? null;
    if (options.json) announceAsJson(cluster, agent);
    else
      await announce(cluster, api, {
        agent,
        formedMs,
        readyMs: performance.now() - startedMs,
        documents,
        hasSample: options.sample,
        hasPassword: password !== null,
      });
    api.close();
    await end;
  } finally {
    if (!options.json) process.stdout.write('\nstopping...\n');
    await cluster.end();
  }
}

function announceAsJson(cluster: LocalCluster, agent: AgentStart | null): void {
  const { http, transport, pids } = cluster;
  const event = { event: 'ready', http, transport, pid: process.pid, pids };
  const agentPid = cluster.agent?.pid;
  const whole = agent === null ? event : { ...event, agent: { ...agent, pid: agentPid } };
  process.stdout.write(`${JSON.stringify(whole)}\n`);
}

interface Announcement {
  readonly agent: AgentStart | null;
  readonly formedMs: number;
  readonly readyMs: number;
  readonly documents: number;
  readonly hasSample: boolean;
  readonly hasPassword: boolean;
}

async function announce(cluster: LocalCluster, api: HttpApi, facts: Announcement): Promise<void> {
  const print = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  const curl = facts.hasPassword ? 'curl -u elastic' : 'curl';
  for (const notice of cluster.notices) print(pc.yellow(notice));
  const nodes = Object.keys(cluster.pids);
  print(
    `${pc.green('ready')} in ${(facts.readyMs / 1000).toFixed(1)} s (cluster formed in ${(facts.formedMs / 1000).toFixed(1)} s)`,
  );
  nodes.forEach((name, position) => {
    print(
      `  ${name.padEnd(14)} ${cluster.http[position]}  transport ${cluster.transport[position]}  pid ${cluster.pids[name]}`,
    );
  });
  if (facts.agent !== null) print(agentLine(facts.agent, cluster.agent?.pid ?? 0));
  print(`  data           ${cluster.dataPath}`);
  if (facts.hasSample) {
    print(`\n${facts.documents} documents in the index ${SAMPLE_INDEX}. Try:\n`);
    for (const line of await tryThese(api, { url: cluster.http[0] ?? '', curl })) print(line);
  }
  if (facts.agent !== null && 'http' in facts.agent) {
    print('\nThe agent indexes what the nodes are asked, these requests too. Try:\n');
    print(`  ${curl} '${cluster.http[0]}/shoal-logs-*/_search?q=verb:GET&sort=@timestamp:desc&size=1&pretty'`);
    print(`  curl '${facts.agent.http}/_node/stats/pipelines?pretty'`);
    print(`  its pipeline: ${facts.agent.pipeline}`);
  }
  print('\nCtrl-C stops everything.');
}

function agentLine(agent: AgentStart, pid: number): string {
  if ('error' in agent) return pc.red(`  agent          not started: ${agent.error}`);
  return `  ${'agent'.padEnd(14)} ${agent.http}  pid ${pid}`;
}

function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > DATA_NODES_MAX)
    throw new Error(`--nodes wants a whole number from 1 to ${DATA_NODES_MAX}, found [${text}]`);
  return count;
}

function portOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`a port is a whole number from 0 (any free one) to 65535, found [${text}]`);
  return port;
}
