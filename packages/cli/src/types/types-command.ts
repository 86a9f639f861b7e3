/**
 * `shoal types --mapping FILE|URL`: a mapping as types of TypeScript, so that a misspelled field does not compile.
 */
import type { Command } from 'commander';
import { flag } from '../options/environment-options.ts';
import type { TypesOptions } from './run-types.ts';

export function addTypesCommand(program: Command): void {
  program
    .command('types')
    .description('write TypeScript types of an index: its documents, and a client that knows its fields')
    .requiredOption(
      '--mapping <file|url>',
      'a mapping as JSON, an answer of GET /INDEX/_mapping, or http://HOST:PORT/INDEX',
    )
    .addOption(flag('--out <file>', 'file to write (default: standard output)'))
    .addOption(flag('--name <Name>', 'name of the types (default: that of the index or the file)'))
    .addOption(
      flag('--lists <fields>', 'fields that always hold lists, with commas between; all others hold one value then'),
    )
    .addOption(flag('--import <module>', 'where the written file finds the client', 'shoal/client'))
    .addHelpText(
      'after',
      '\nExamples:\n  shoal types --mapping products.json --out src/products.ts\n  shoal types --mapping http://127.0.0.1:9200/products --name Product --lists tags\n',
    )
    .action(async (options: TypesOptions) => (await import('./run-types.ts')).runTypes(options));
}
