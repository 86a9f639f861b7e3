/**
 * `shoal test-node`: a node in memory as this one process, for tests in any language; it ends with whoever started it.
 */
import type { Command } from 'commander';
import { collect } from '../options/collect-option.ts';
import { flag } from '../options/environment-options.ts';
import type { TestNodeOptions } from './run-test-node.ts';

export function addTestNodeCommand(program: Command): void {
  program
    .command('test-node')
    .description('start a node in memory for a test: no files, a free port, ends with the process that started it')
    .addOption(flag('--json', 'print one JSON line when it is ready: {"event":"ready","url":…,"pid":…}'))
    .addOption(flag('--outlive-parent', 'keep running when the process that started it ends'))
    .addOption(
      flag('--visibility <when>', 'when searches show a write: at once, or once it is refreshed', 'immediate').choices([
        'immediate',
        'elasticsearch',
      ]),
    )
    .option('--set <name=value>', 'a setting of the node; may be repeated', collect, [])
    .addHelpText(
      'after',
      '\nExamples:\n  shoal test-node --json\n  shoal test-node --set action.auto_create_index=false\n',
    )
    .action(async (options: TestNodeOptions) => (await import('./run-test-node.ts')).runTestNode(options));
}
