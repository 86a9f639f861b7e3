/**
 * `shoal search 'words or JSON'`: one search, its hits as a table.
 */
import type { Command } from 'commander';
import { flag } from '../options/environment-options.ts';
import type { SearchOptions } from './run-search.ts';

export function addSearchCommand(program: Command): void {
  program
    .command('search')
    .description('search from the command line')
    .argument(
      '<query>',
      'a query string ("title:fox AND quick"), a query ({"match": …}) or a whole request ({"query": …})',
    )
    .addOption(flag('--index <names>', 'indices, aliases, wildcards, separated by commas (default: all)'))
    .addOption(flag('--size <n>', 'hits to show', '10'))
    .addOption(flag('--from <n>', 'hits to leave out first', '0'))
    .addOption(flag('--url <url>', 'any node of the cluster', 'http://127.0.0.1:9200'))
    .addOption(flag('--json', 'print the answer as it came'))
    .addHelpText(
      'after',
      '\nExamples:\n  shoal search "description:editor" --index debian-packages\n  shoal search \'{"match":{"description":"text editor"}}\' --size 3\n',
    )
    .action(async (query: string, options: SearchOptions) =>
      (await import('./run-search.ts')).runSearch(query, options),
    );
}
