/**
 * `shoal doctor HOST[:PORT] …`: dials nodes from here and says in words what is in the way of a cluster.
 */
import type { Command } from 'commander';
import { flag } from '../options/environment-options.ts';
import type { DoctorOptions } from './run-doctor.ts';

const HTTP_PORT = 9200;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('dial nodes from here and say in words what keeps them from forming a cluster')
    .argument('<hosts...>', 'HOST asks about 9200 and 9300; HOST:PORT about that transport port')
    .addOption(flag('--cluster-name <name>', 'the name that every node should have'))
    .addOption(flag('--http-port <port>', 'HTTP port of hosts that are given without a port', String(HTTP_PORT)))
    .addHelpText(
      'after',
      '\nExamples:\n  shoal doctor 10.0.0.1 10.0.0.2 10.0.0.3\n  shoal doctor 127.0.0.1:9301 --cluster-name shoal\n',
    )
    .action(async (hosts: readonly string[], options: DoctorOptions) =>
      (await import('./run-doctor.ts')).runDoctor(hosts, options),
    );
}
