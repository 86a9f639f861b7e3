/**
 * What `shoal up` does: starts the nodes, loads the sample, says what to try, ends everything at Ctrl-C.
 */
import pc from 'picocolors';
import { HttpApi } from '../http-api.ts';
import { type LocalCluster, startLocalCluster } from './local-cluster.ts';
import { logSeverity, viewLogLine } from './log-view.ts';
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
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly set: readonly string[];
}

export async function runUp(options: UpOptions): Promise<void> {
  const startedMs = performance.now();
  const end = onceEnded();
  const shownLevel = options.verbose ? INFO_LEVEL : WARN_LEVEL;
  const cluster = await startLocalCluster({
    dataNodes: countOf(options.nodes),
    httpPort: portOf(options.httpPort),
    transportPort: portOf(options.transportPort),
    dataPath: options.data,
    isEphemeral: options.ephemeral === true,
    nodeArgs: options.set.flatMap((assignment) => ['--set', assignment]),
    onLogLine: (node, line) => {
      if (logSeverity(line) >= shownLevel) process.stderr.write(`${viewLogLine(node, line)}\n`);
    },
    onNodeEnd: (reason) => process.stderr.write(`${pc.red(reason)}\n`),
    mustBeWhole: options.json === true,
    stopped: end,
  });
  if (cluster === null) return;
  try {
    const api = new HttpApi(cluster.http[0] ?? '');
    const formedMs = performance.now() - startedMs;
    const documents = options.sample ? await ensureSample(api) : 0;
    if (options.json) announceAsJson(cluster);
    else
      await announce(cluster, api, {
        formedMs,
        readyMs: performance.now() - startedMs,
        documents,
        hasSample: options.sample,
      });
    api.close();
    await end;
  } finally {
    if (!options.json) process.stdout.write('\nstopping...\n');
    await cluster.end();
  }
}

/** Resolves at the first Ctrl-C, SIGTERM, or the closing of the terminal. */
function onceEnded(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}

function announceAsJson(cluster: LocalCluster): void {
  const { http, transport, pids } = cluster;
  process.stdout.write(`${JSON.stringify({ event: 'ready', http, transport, pids })}\n`);
}

interface Announcement {
  readonly formedMs: number;
  readonly readyMs: number;
  readonly documents: number;
  readonly hasSample: boolean;
}

async function announce(cluster: LocalCluster, api: HttpApi, facts: Announcement): Promise<void> {
  const print = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
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
  print(`  data           ${cluster.dataPath}`);
  if (facts.hasSample) {
    print(`\n${facts.documents} documents in the index ${SAMPLE_INDEX}. Try:\n`);
    for (const line of await tryThese(api, cluster.http[0] ?? '')) print(line);
  }
  print('\nCtrl-C stops all nodes.');
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
