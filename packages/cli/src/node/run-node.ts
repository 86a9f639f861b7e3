/**
 * What `shoal coordinator` and `shoal data-node` do: run one node as this process until it is told to end.
 */
import { isAssertionFailure, SHOAL_VERSION, showHostPort } from '@shoal/core';
import { NODE_SETTINGS, startCoordinatorNode, startDataNode } from '@shoal/node';
import { createNodeRuntime, createPinoLog, type Log, type LogLevel } from '@shoal/runtime';
import { containerAddresses, elasticsearchEnvironment } from '../options/elasticsearch-environment.ts';
import { type FlatSettings, gatherSettings } from '../options/setting-sources.ts';
import type { ListeningMessage } from '../processes/child-node.ts';
import { takenText } from '../processes/free-ports.ts';

export type NodeCommand = 'coordinator' | 'data-node';

/** What was written after the command, apart from help. */
export interface NodeArguments {
  /** Path of the file with settings; null: `shoal.yml`, if there is one. */
  readonly config: string | null;
  readonly flags: FlatSettings;
  readonly set: readonly string[];
  /** The node runs in a container and takes the variables of Elasticsearch's image. */
  readonly elasticsearchEnvironment: boolean;
  readonly logLevel: string;
}

const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** The exit status of a broken invariant (EX_SOFTWARE), apart from that of a wrong start. */
const EXIT_BROKEN = 70;
/** The exit status of a node that was told to end and could not (EX_TEMPFAIL). */
const EXIT_STUCK = 75;
/** Supervisors kill what has not ended half a minute after they asked. Everything acknowledged is on disk by then. */
const CLOSE_MS_MAX = 25_000;
/** A node that has found no cluster by then is asked for its health, not its log. */
const READY_MS_MAX = 600_000;

export async function runNode(kind: NodeCommand, args: NodeArguments): Promise<void> {
  const { settings, withoutEffect } = await settingsOf(args);
  const log = createPinoLog({
    level: levelOf(args.logLevel),
    fields: { node: settings['node.name'] ?? kind },
  });
  for (const { name, because } of withoutEffect) log.warn('variable has no effect', { variable: name, because });
  // Both from before the start: what breaks while the node comes up ends it, and so does a parent that is gone by then.
  stopOnBrokenInvariant(log);
  const ended = untilEnded();
  const diskRoot = settings['path.data'] ?? 'data';
  const runtime = createNodeRuntime({ log, diskRoot, configRoot: settings['path.conf'] ?? 'config' });
  const start = kind === 'data-node' ? startDataNode : startCoordinatorNode;
  const node = await start(runtime, settings).catch((error: unknown) => {
    throw withPortHolder(error);
  });
  announceListening({ http: node.httpAddress, transport: node.transportAddress });
  // The word by which those who start a container know that it answers.
  const isReady = node.cluster.waitForState(({ clusterManagerId }) => clusterManagerId !== null, READY_MS_MAX);
  void isReady.then((state) => {
    if (state !== null) log.info('started', { version: SHOAL_VERSION });
  });
  log.info('node ends', { reason: await ended });
  const cancelStop = runtime.sched.after(CLOSE_MS_MAX, () => {
    log.error('node does not close, stopping it where it is', { afterMs: CLOSE_MS_MAX });
    process.exit(EXIT_STUCK);
  });
  await node.close();
  cancelStop();
  process.disconnect?.();
}

async function settingsOf({ config, flags, set, ...args }: NodeArguments): Promise<{
  readonly settings: FlatSettings;
  readonly withoutEffect: ReturnType<typeof elasticsearchEnvironment>['withoutEffect'];
}> {
  const variables = args.elasticsearchEnvironment ? process.env : {};
  const { settings: ofEnvironment, withoutEffect } = elasticsearchEnvironment(variables);
  const settings = await gatherSettings({
    configFile: config,
    environment: process.env,
    knownNames: NODE_SETTINGS.names(),
    ofEnvironment,
    flags,
    assignments: set,
  });
  const addresses = args.elasticsearchEnvironment ? containerAddresses(settings) : {};
  return { settings: { ...settings, ...addresses }, withoutEffect };
}

function levelOf(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined) throw new Error(`--log-level is one of ${LOG_LEVELS.join(', ')}, found [${text}]`);
  return level;
}

/** Says which process holds a port that the node could not get. */
function withPortHolder(error: unknown): unknown {
  const match =
    error instanceof Error
      ? /EADDRINUSE|address already in use/.exec(error.message) && /([\d.]+):(\d+)/.exec(error.message)
      : null;
  return match ? new Error(takenText(match[1] ?? '', Number(match[2]))) : error;
}

interface Listening {
  readonly http: { readonly host: string; readonly port: number } | null;
  readonly transport: { readonly host: string; readonly port: number };
}

/** Tells a parent process, if there is one that wants to know. */
function announceListening({ http, transport }: Listening): void {
  const message: ListeningMessage = {
    event: 'listening',
    http: http === null ? '' : showHostPort(http),
    transport: showHostPort(transport),
  };
  if (process.connected) process.send?.(message);
}

function stopOnBrokenInvariant(log: Log): void {
  // Promises that failed and that nobody waited for come here as well; their reason may be anything.
  process.on('uncaughtException', (error: unknown, origin) => {
    // Nothing this process knows can be trusted, so it stops where it is.
    log.error('stopping on a broken invariant', {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      assertion: isAssertionFailure(error),
      origin,
    });
    process.exit(EXIT_BROKEN);
  });
}

/** Resolves with why: a signal, or the end of the parent that started this node. A second signal ends the process at once. */
function untilEnded(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
    process.on('disconnect', () => resolve('the parent process ended'));
  });
}
