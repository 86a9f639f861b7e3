/**
 * `shoal coordinator` and `shoal data-node`: one node of a cluster as this process.
 */
import { type Command, Option } from 'commander';
import { collect } from '../options/collect-option.ts';
import { flag } from '../options/environment-options.ts';
import { environmentName, type FlatSettings } from '../options/setting-sources.ts';
import type { NodeArguments, NodeCommand } from './run-node.ts';

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

export function addNodeCommands(program: Command): void {
  addNodeCommand(program, 'coordinator', 'start a node that holds no data: it forwards requests and merges results');
  addNodeCommand(program, 'data-node', 'start a node that holds shards and votes for the cluster manager');
}

function addNodeCommand(program: Command, name: NodeCommand, description: string): void {
  const command = program.command(name).description(description);
  command.option('--config <file>', 'settings as YAML (default: shoal.yml in this folder, if there is one)');
  for (const [flags, setting, text] of SETTING_FLAGS) {
    command.addOption(new Option(flags, `${text} [${setting}, ${environmentName(setting)}]`));
  }
  command
    .option('--insecure', 'listen beyond loopback although there is neither TLS nor users')
    .addOption(
      flag('--elasticsearch-environment', "take the variables of Elasticsearch's container image too, in a container"),
    )
    .option('--set <name=value>', 'any setting; may be repeated', collect, [])
    .option('--log-level <level>', 'debug, info, warn or error', 'info')
    .addHelpText('after', '\nCommand line beats environment beats file. `docs/settings.md` lists every setting.\n')
    .action(async (_options, self: Command) => (await import('./run-node.ts')).runNode(name, argumentsOf(self)));
}

function flagSettings(command: Command): FlatSettings {
  const flat: Record<string, string> = {};
  for (const option of command.options) {
    const setting = SETTING_FLAGS.find(([flags]) => flags === option.flags)?.[1];
    const value: unknown = command.getOptionValue(option.attributeName());
    if (setting !== undefined && typeof value === 'string') flat[setting] = value;
  }
  if (command.getOptionValue('insecure') === true) flat.insecure = 'true';
  return flat;
}

function argumentsOf(command: Command): NodeArguments {
  const { config, set, logLevel, elasticsearchEnvironment } = command.opts<{
    config?: string;
    set: readonly string[];
    logLevel: string;
    elasticsearchEnvironment?: boolean;
  }>();
  return {
    config: config ?? null,
    flags: flagSettings(command),
    set,
    logLevel,
    elasticsearchEnvironment: elasticsearchEnvironment === true,
  };
}
