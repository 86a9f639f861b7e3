#!/usr/bin/env node
/** `npm test [-- VITEST OPTIONS]`: builds what is not built (end-to-end tests start the real command), then runs all tests. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildIfNeeded, root } from './built.mjs';

buildIfNeeded();
const vitest = join(root, 'node_modules/.bin/vitest');
const result = spawnSync(vitest, ['run', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exit(result.status ?? 1);
