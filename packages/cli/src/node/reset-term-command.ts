/**
 * `shoal node reset-term`: mends the term on the disk of a stopped node.
 */
import { type Command, InvalidArgumentError } from 'commander';
import type { ResetTermArguments } from './run-reset-term.ts';

const TERM = /^\d{1,15}$/;

export function addNodeToolCommands(program: Command): void {
  const node = program.command('node').description('tools for the data folder of a node that does not run');
  node
    .command('reset-term')
    .description('set the election term of a stopped node, where it is too high for another election')
    .requiredOption('--data <dir>', 'data folder of the node')
    .option('--term <number>', 'term that the node gets (default: that of its last cluster state)', termOf)
    .option('--accepted-term <number>', 'term that the last cluster state gets, where its own is too high', termOf)
    .addHelpText(
      'after',
      '\nStop all nodes of the cluster and run it for each of them before one starts. See `docs/mending.md`.\n',
    )
    .action(async (options: ResetTermArguments) => (await import('./run-reset-term.ts')).runResetTerm(options));
}

function termOf(text: string): number {
  if (!TERM.test(text)) throw new InvalidArgumentError('a term is a whole number');
  return Number(text);
}
