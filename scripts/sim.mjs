#!/usr/bin/env node
/**
 * `npm run sim [-- OPTIONS]`: whole clusters under virtual time, with faults of networks, disks and machines drawn from seeds.
 *
 * Lives one seed after the other, from `--from N` (1) on, until `--hours H` (1) are simulated, or `--lives N` of them; one life in a
 * hundred is lived twice and must go the same way. `--seed N` lives that one alone, `--plan FILE` a plan that was printed, `--trace`
 * prints all that its nodes, clients and faults log, `--shrink` looks for the smallest plan that fails in the same way.
 *
 * `--mutants TEXT` takes out, one after the other, the rules of the replication whose name has the text, and looks for the life that
 * shows it; `--quick`: those that few lives show. Exits with 1 when something did not hold, or the loss of a rule did not show.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { root } from './built.mjs';

// Joined from the sources: a start that reads a dozen files, and nothing to build. Libraries are found from there as ever.
const folder = mkdtempSync(join(root, 'node_modules/.sim-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
const bundle = await rolldown({
  input: join(root, 'test/simulation/run-sim.test-support.ts'),
  platform: 'node',
  resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
  logLevel: 'silent',
});
await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'run-sim.mjs' });
await import(pathToFileURL(join(folder, 'run-sim.mjs')).href);
