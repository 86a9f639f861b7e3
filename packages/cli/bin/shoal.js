#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

// The stub is committed and the build is not: npm links a bin only when its file is there at install time.
const entry = new URL('../dist/main.js', import.meta.url);
if (!existsSync(entry)) {
  process.stderr.write('shoal is not built yet: run `npm run build` in the repository first\n');
  process.exit(1);
}

// Hundreds of small files load in a third less time when they are read one after another and not each by the thread pool.
// What a node runs is loaded so too, before its command asks for it by import().
const load = createRequire(import.meta.url);
if (process.argv[2] === 'data-node' || process.argv[2] === 'coordinator') load('../dist/node/run-node.js');
if (process.argv[2] === 'up') load('../dist/up/run-up.js');
if (process.argv[2] === 'agent') load('../dist/agent/run-agent.js');
load('../dist/main.js');
