#!/usr/bin/env node
/**
 * `npm run sim [-- OPTIONS]`: whole clusters under virtual time, with faults of networks, disks and machines drawn from seeds.
 * `--help` says the options; `test/simulation/sim-options.test-support.ts` reads them.
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
