/**
 * The `shoal` command: what the arguments mean, and what a failure looks like on a terminal.
 *
 * What a command does is loaded when it runs. Nothing loaded from here may await at its top level (see bin/shoal.js).
 */
import { messageOf, SHOAL_VERSION } from '@shoal/core';
import { Command } from 'commander';
import pc from 'picocolors';
import { addAgentCommand } from './agent/agent-command.ts';
import { addBulkCommand } from './bulk/bulk-command.ts';
import { addDoctorCommand } from './doctor/doctor-command.ts';
import { addNodeCommands } from './node/node-command.ts';
import { addNodeToolCommands } from './node/reset-term-command.ts';
import { addRestartCommand } from './restart/restart-command.ts';
import { addSearchCommand } from './search/search-command.ts';
import { addTestNodeCommand } from './test-node/test-node-command.ts';
import { addTypesCommand } from './types/types-command.ts';
import { addUpCommand } from './up/up-command.ts';
import { addWhyCommand } from './why/why-command.ts';

const program = new Command('shoal')
  .description('a search cluster compatible with the Elasticsearch HTTP API')
  .version(SHOAL_VERSION)
  .showSuggestionAfterError()
  .showHelpAfterError('(shoal --help teaches)');

addUpCommand(program);
addNodeCommands(program);
addNodeToolCommands(program);
addTestNodeCommand(program);
addAgentCommand(program);
addBulkCommand(program);
addSearchCommand(program);
addTypesCommand(program);
addDoctorCommand(program);
addWhyCommand(program);
addRestartCommand(program);

program.parseAsync().catch((error: unknown) => {
  const text = messageOf(error);
  process.stderr.write(`${pc.red('shoal:')} ${text}\n`);
  if (process.env.SHOAL_STACK === 'true' && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
