/**
 * One node of a local cluster, or the agent beside it, as a child process: started, listened to, ended.
 *
 * The child ends by itself when its channel to this process closes, so that no node outlives a killed parent.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Longest end before a child is killed; a data node closes its shards, for as long as they go on closing. */
const END_MS_MAX = { coordinator: 10_000, 'data-node': 70_000, agent: 10_000 };

export interface ChildNodeOptions {
  readonly name: string;
  readonly command: 'coordinator' | 'data-node' | 'agent';
  /** Command-line arguments after the command. */
  readonly args: readonly string[];
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[];
  /** Default: that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly onLogLine: (line: string) => void;
  /** Called when it ends without having been asked to. */
  readonly onUnexpectedEnd: (reason: string) => void;
}

/** What a node tells its parent once its ports listen. */
export interface ListeningMessage {
  readonly event: 'listening';
  readonly http: string;
  /** Empty for an agent, which has none. */
  readonly transport: string;
}

export interface ChildNode {
  readonly name: string;
  readonly pid: number;
  /** Resolves when its ports listen; rejects when the process ends before. */
  readonly listening: Promise<ListeningMessage>;
  end(): Promise<void>;
}

export function startChildNode(binary: string, options: ChildNodeOptions): ChildNode {
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), binary, options.command, ...options.args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(options.environment === undefined ? {} : { env: options.environment }),
    // Ctrl-C in a terminal goes to the whole group; the parent decides in which order its children end.
    detached: true,
  });
  let isEnding = false;
  const errors: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      if (stream === child.stderr) errors.push(line);
      options.onLogLine(line);
    });
  }
  const listening = new Promise<ListeningMessage>((resolve, reject) => {
    child.once('message', (message) => resolve(message as ListeningMessage));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const reason = `${options.name} ended ${signal === null ? `with status ${code}` : `by ${signal}`}: ${errors.slice(-3).join(' ')}`;
      reject(new Error(reason));
      if (!isEnding) options.onUnexpectedEnd(reason);
    });
  });
  // A start that fails is reported by whoever waits for it; a late rejection after that is the same news again.
  listening.catch(() => {});
  return {
    name: options.name,
    pid: child.pid ?? -1,
    listening,
    end() {
      isEnding = true;
      return endChild(child, END_MS_MAX[options.command]);
    },
  };
}

function endChild(child: ChildProcess, msMax: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), msMax);
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
