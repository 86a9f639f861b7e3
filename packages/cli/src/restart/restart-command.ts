/**
 * `shoal restart --rolling`: every node of a cluster that `shoal up` started, one after the other, while it serves.
 */
import type { Command } from 'commander';
import { flag } from '../options/environment-options.ts';
import type { RestartOptions } from './run-restart.ts';

export function addRestartCommand(program: Command): void {
  program
    .command('restart')
    .description('restart the nodes of a cluster that shoal up started')
    .addOption(flag('--rolling', 'one node at a time, the cluster manager last, waiting for the cluster after each'))
    .addOption(flag('--data <dir>', 'folder that shoal up was given for the data of all nodes', 'data'))
    .addOption(flag('--force', 'go on where indices, or the cluster manager, are away with a node'))
    .addOption(flag('--wait <seconds>', 'longest wait for the cluster after each node', '300'))
    .addHelpText(
      'after',
      '\nCtrl-C stops after the node that is being restarted. The exit status is 0 when all were, 130 when it was stopped.\n\nExample:\n  shoal restart --rolling --data data\n',
    )
    .action(async (options: RestartOptions) => (await import('./run-restart.ts')).runRestart(options));
}
