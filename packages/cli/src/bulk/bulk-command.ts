/**
 * `shoal bulk FILE --index NAME`: a file of documents into an index, with a progress bar and a full account at the end.
 */
import type { Command } from 'commander';
import { flag } from '../options/environment-options.ts';
import type { BulkOptions } from './run-bulk.ts';

export function addBulkCommand(program: Command): void {
  program
    .command('bulk')
    .description('load a file of JSON documents, one a line, into an index')
    .argument('<file>', 'NDJSON file, plain or .gz')
    .requiredOption('--index <name>', 'index to load into; made if it does not exist')
    .addOption(
      flag('--id-field <field>', 'field whose value becomes the document id (default: ids are made by the server)'),
    )
    .addOption(flag('--url <url>', 'any node of the cluster', 'http://127.0.0.1:9200'))
    .addHelpText('after', '\nExample:\n  shoal bulk packages.ndjson.gz --index debian-packages --id-field name\n')
    .action(async (file: string, options: BulkOptions) => (await import('./run-bulk.ts')).runBulk(file, options));
}
