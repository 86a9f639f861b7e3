/**
 * `shoal agent test` and `shoal agent grok`: try a pipeline and a pattern before they run.
 */
import type { Command } from 'commander';
import { collect } from '../options/collect-option.ts';
import { flag } from '../options/environment-options.ts';
import type { GrokArguments } from './run-grok.ts';
import type { TestArguments } from './run-test.ts';

export function addTestCommands(agent: Command): void {
  agent
    .command('test')
    .description('run unit tests of pipelines: events in, events expected')
    .argument('<files...>', 'test files, or folders with files named *.test.yml')
    .option('--filter <name>', 'only cases with this text in their name')
    .option('--coverage', 'show which conditions, filters and grok patterns no case reached')
    .option('--coverage.min <percent>', 'fail when less than this share of them is reached')
    .addOption(flag('--reporter <kind>', 'spec, json or junit', 'spec'))
    .option('--output <file>', 'write what the reporter says there')
    .option('--path.plugins <dirs>', 'folders with plugins, separated by commas')
    .addHelpText(
      'after',
      '\nStatus 1: a case failed, or too little is covered. Status 2: a test file or configuration is wrong.\n' +
        '\nExample:\n  shoal agent test pipelines/ --coverage --reporter junit --output report.xml\n',
    )
    .action(async (files: readonly string[], options: TestArguments) =>
      (await import('./run-test.ts')).runTest(files, options),
    );
  agent
    .command('grok')
    .description('try a grok pattern on a line: what it captures, or where it stops')
    .argument('<pattern>', 'such as "%{COMBINEDAPACHELOG}"')
    .argument('<line>', 'the text; - reads lines from stdin')
    .option('--patterns-dir <dir>', 'folder with files of patterns; may be repeated', collect, [])
    .option('--definition <name=pattern>', 'a pattern of your own; may be repeated', collect, [])
    .option('--ecs <mode>', 'disabled, v1 or v8: which names the fields of the patterns have', 'v8')
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      "\nStatus 1: a line did not match.\n\nExample:\n  shoal agent grok '%{IP:client} %{WORD:verb}' '192.0.2.1 GET'\n",
    )
    .action(async (pattern: string, line: string, options: GrokArguments) =>
      (await import('./run-grok.ts')).runGrok(pattern, line, options),
    );
}
