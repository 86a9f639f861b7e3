/**
 * The agent beside a local cluster: one more child process, whose pipeline indexes what the nodes are asked.
 *
 * It is company, not part of the cluster: when it does not start, the cluster stands all the same and says so.
 */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@shoal/core';
import { type ChildNode, startChildNode } from '../processes/child-node.ts';

const PIPELINE_FILE = fileURLToPath(new URL('../../pipelines/access-logs.conf', import.meta.url));
const TEMPLATE_FILE = fileURLToPath(new URL('../../pipelines/access-logs-template.json', import.meta.url));
/** Small rather than fast, for a few lines a second: a fifth less memory, 94 MB after a while of work. */
const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=1', '--optimize-for-size', '--v8-pool-size=1'];
/** A port that is not there by then is reported as one that will not be. */
const START_TIMEOUT_MS = 45_000;

export interface LocalAgentOptions {
  readonly binary: string;
  /** Folder of the whole cluster: the nodes' folders are in it, and so is the agent's. */
  readonly dataPath: string;
  /** HTTP address of the node that gets the documents. */
  readonly clusterUrl: string;
  /** null: the first free one from 9600. */
  readonly port: number | null;
  readonly onLogLine: (line: string) => void;
  readonly onUnexpectedEnd: (reason: string) => void;
}

/** What there is to say about it when the cluster is ready. */
export type AgentStart = { readonly http: string; readonly pipeline: string } | { readonly error: string };

export interface LocalAgent {
  readonly pid: number;
  /** Never rejects. */
  readonly start: Promise<AgentStart>;
  end(): Promise<void>;
}

export function startLocalAgent(options: LocalAgentOptions): LocalAgent {
  const { dataPath, port } = options;
  const child = startChildNode(options.binary, {
    name: 'agent',
    command: 'agent',
    nodeFlags: NODE_FLAGS,
    args: [
      ...['-f', PIPELINE_FILE, '--path.data', join(dataPath, 'agent')],
      // Neither an agent.yml nor a pipelines.yml of the folder where the cluster was started is meant for it.
      ...['--path.settings', join(dataPath, 'agent')],
      // One worker has time for far more lines than these nodes write.
      ...['--node.name', 'agent', '--pipeline.id', 'access-logs', '--pipeline.workers', '1'],
      ...(port === null ? [] : ['--api.http.port', String(port)]),
    ],
    environment: {
      ...withoutSettings(process.env),
      SHOAL_ACCESS_LOGS: join(asPattern(dataPath), '*', 'logs', 'http-access.log*'),
      SHOAL_ACCESS_LOGS_TEMPLATE: TEMPLATE_FILE,
      SHOAL_CLUSTER_URL: options.clusterUrl,
      // One heap of the C library for all threads.
      MALLOC_ARENA_MAX: '1',
    },
    onLogLine: options.onLogLine,
    onUnexpectedEnd: options.onUnexpectedEnd,
  });
  return { pid: child.pid, start: started(child), end: () => child.end() };
}

/** A folder whose name has characters that mean something in patterns. */
function asPattern(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
}

/** Variables that are settings of nodes (`SHOAL_HTTP_PORT`) would be read as settings of the agent. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('SHOAL_')));
}

async function started(child: ChildNode): Promise<AgentStart> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<AgentStart>((resolve) => {
    timer = setTimeout(() => resolve({ error: `no port within ${START_TIMEOUT_MS / 1000} s` }), START_TIMEOUT_MS);
  });
  const listening = child.listening.then(
    ({ http }) => ({ http: `http://${http}`, pipeline: PIPELINE_FILE }),
    (error: unknown) => ({ error: messageOf(error) }),
  );
  const start = await Promise.race([listening, late]);
  clearTimeout(timer);
  return start;
}
