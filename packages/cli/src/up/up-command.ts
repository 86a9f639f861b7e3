/**
 * `shoal up`: a whole cluster on this machine by one command, with real data in it, until Ctrl-C.
 */
import type { Command } from 'commander';
import { collect } from '../options/collect-option.ts';
import { flag } from '../options/environment-options.ts';
import type { UpOptions } from './run-up.ts';

export function addUpCommand(program: Command): void {
  program
    .command('up')
    .description('start a cluster on this machine: N data nodes and, for N > 1, a coordinator in front of them')
    .addOption(flag('--nodes <n>', 'data nodes', '3'))
    .addOption(flag('--http-port <port>', 'HTTP port of the first node (default: 9200, or the next free one)'))
    .addOption(
      flag('--transport-port <port>', 'transport port of the first node (default: 9300, or the next free one)'),
    )
    .addOption(flag('--data <dir>', 'folder for the data of all nodes', 'data'))
    .addOption(flag('--ephemeral', 'keep the data in a temporary folder and remove it at the end'))
    .addOption(flag('--no-sample', 'start empty: do not load the sample of Debian packages'))
    .addOption(
      flag('--agent', 'start an agent too, which indexes what the nodes are asked: shoal-logs-DATE, port 9600'),
    )
    .addOption(flag('--no-agent', 'start none, where a script asked for one'))
    .addOption(flag('--agent-port <port>', 'port of its monitoring API (default: 9600, or the next free one)'))
    .addOption(flag('--json', 'print only events for scripts, one JSON object a line'))
    .addOption(
      flag('--outlive-parent', 'keep running when the process that started it ends; without --json it always does'),
    )
    .addOption(flag('--verbose', 'show every log line of the nodes and the agent, not only warnings'))
    .addOption(
      flag('--elasticsearch-environment', "take the variables of Elasticsearch's container image too, in a container"),
    )
    .option('--set <name=value>', 'a setting for every node; may be repeated', collect, [])
    .addHelpText(
      'after',
      '\nExamples:\n  shoal up --agent\n  shoal up --nodes 1 --ephemeral --no-sample\n  shoal up --json --set cluster.name=test\n',
    )
    .action(async (options: UpOptions) => (await import('./run-up.ts')).runUp(options));
}
