/**
 * `shoal coordinator` and `shoal data-node`: one node of a cluster as this process.
 */
import { isAssertionFailure } from '@shoal/core';
import { NODE_SETTINGS, startCoordinatorNode, startDataNode } from '@shoal/data-node';
import { createNodeRuntime, createPinoLog, type Log, type LogLevel } from '@shoal/runtime';
import { type Command, Option } from 'commander';
import { collect } from '../collect.ts';
import type { ListeningMessage } from '../up/child-node.ts';
import { takenText } from '../up/free-ports.ts';
import { environmentName, type FlatSettings, gatherSettings } from './setting-sources.ts';

type NodeCommand = 'coordinator' | 'data-node';

/** Flags that are settings: the flag as commander names it, its argument, the setting, what it does. */
const SETTING_FLAGS: readonly (readonly [string, string, string])[] = [
  ['--cluster.name <name>', 'cluster.name', 'nodes of one name form one cluster'],
  ['--node.name <name>', 'node.name', 'name of this node (default: made from its id)'],
  ['--network-host <address>', 'network.host', 'address to listen on; beyond loopback it needs --insecure'],
  ['--http-port <port>', 'http.port', 'port of the HTTP API (default: the first free one from 9200)'],
  [
    '--transport-port <port>',
    'transport.port',
    'port of the binary channel between nodes (default: the first free one from 9300)',
  ],
  ['--seed-hosts <host:port,...>', 'discovery.seed_hosts', 'transport addresses of nodes to look for'],
  ['--data <dir>', 'path.data', 'folder of the node: its identity, the cluster state, its shards'],
];

const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** The exit status of a broken invariant (EX_SOFTWARE), apart from that of a wrong start. */
const EXIT_BROKEN = 70;

export function addNodeCommands(program: Command): void {
  addNodeCommand(program, 'coordinator', 'start a node that holds no data: it forwards requests and merges results');
  addNodeCommand(program, 'data-node', 'start a node that holds shards and votes for the cluster manager');
}

function addNodeCommand(program: Command, name: NodeCommand, description: string): void {
  const command = program.command(name).description(description);
  command.option('--config <file>', 'settings as YAML (default: shoal.yml in this folder, if there is one)');
  for (const [flag, setting, text] of SETTING_FLAGS) {
    command.addOption(new Option(flag, `${text} [${setting}, ${environmentName(setting)}]`));
  }
  command
    .option('--insecure', 'listen beyond loopback although there is neither TLS nor users')
    .option('--set <name=value>', 'any setting; may be repeated', collect, [])
    .option('--log-level <level>', 'debug, info, warn or error', 'info')
    .addHelpText('after', '\nCommand line beats environment beats file. `docs/settings.md` lists every setting.\n')
    .action((_options, self: Command) => runNode(name, self));
}

function flagSettings(command: Command): FlatSettings {
  const flat: Record<string, string> = {};
  for (const option of command.options) {
    const setting = SETTING_FLAGS.find(([flag]) => flag === option.flags)?.[1];
    const value: unknown = command.getOptionValue(option.attributeName());
    if (setting !== undefined && typeof value === 'string') flat[setting] = value;
  }
  if (command.getOptionValue('insecure') === true) flat.insecure = 'true';
  return flat;
}

async function runNode(kind: NodeCommand, command: Command): Promise<void> {
  const options = command.opts<{ config?: string; set: readonly string[]; logLevel: string }>();
  const settings = gatherSettings({
    configFile: options.config ?? null,
    environment: process.env,
    knownNames: NODE_SETTINGS.names(),
    flags: flagSettings(command),
    assignments: options.set,
  });
  const log = createPinoLog({
    level: levelOf(options.logLevel),
    fields: { node: settings['node.name'] ?? kind },
  });
  const runtime = createNodeRuntime({ log, diskRoot: settings['path.data'] ?? 'data' });
  const start = kind === 'data-node' ? startDataNode : startCoordinatorNode;
  const node = await start(runtime, settings).catch((error: unknown) => {
    throw withPortHolder(error);
  });
  announceListening({ http: node.httpAddress, transport: node.transportAddress });
  const ended = await untilEnded(log);
  log.info('node ends', { reason: ended });
  await node.close();
  process.disconnect?.();
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
    http: http === null ? '' : `${http.host}:${http.port}`,
    transport: `${transport.host}:${transport.port}`,
  };
  process.send?.(message);
}

/** Resolves with why: a signal, or the end of the parent that started this node. */
function untilEnded(log: Log): Promise<string> {
  process.on('uncaughtException', (error) => {
    // A broken invariant: nothing this process knows can be trusted, so it stops where it is.
    log.error('stopping on a broken invariant', {
      error: error.stack ?? error.message,
      assertion: isAssertionFailure(error),
    });
    process.exit(EXIT_BROKEN);
  });
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
    process.on('disconnect', () => resolve('the parent process ended'));
  });
}
