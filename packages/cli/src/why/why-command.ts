/**
 * `shoal why [index]`: why the cluster is not green, and what mends it.
 */
import type { Command } from 'commander';
import { flag } from '../options/environment-options.ts';
import type { WhyOptions } from './run-why.ts';

export function addWhyCommand(program: Command): void {
  program
    .command('why')
    .description('say why the cluster is not green or a node is not in it, and which command mends it')
    .argument('[index]', 'indices, wildcards, separated by commas (default: all)')
    .addOption(flag('--url <url>', 'any node of the cluster', 'http://127.0.0.1:9200'))
    .addOption(flag('--dry-run', 'say what the cluster would be after each command; nothing is changed'))
    .addOption(flag('--json', 'print the answer as it came'))
    .addHelpText(
      'after',
      '\nThe exit status is 0 when the cluster is green, else 1.\n\nExamples:\n  shoal why\n  shoal why logs-* --dry-run\n',
    )
    .action(async (index: string | undefined, options: WhyOptions) =>
      (await import('./run-why.ts')).runWhy(index ?? null, options),
    );
}
