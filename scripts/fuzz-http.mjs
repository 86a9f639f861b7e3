#!/usr/bin/env node
/** `npm run fuzz:http [-- --requests 100000 --seed 1]`: mutated requests to all APIs of a running node; see `test/e2e/http-fuzz.test.ts`. */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { buildIfNeeded, root } from './built.mjs';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
buildIfNeeded();
const { status } = spawnSync('npx', ['vitest', 'run', 'test/e2e/http-fuzz.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed },
});
process.exitCode = status ?? 1;
