#!/usr/bin/env node
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';

// The stub is committed and the build is not: npm links a bin only when its file is there at install time.
const dist = new URL('../dist/', import.meta.url);
if (!existsSync(new URL('main.js', dist))) {
  process.stderr.write('shoal is not built yet: run `npm run build` in the repository first\n');
  process.exit(1);
}

// All files in a few, which load in a third of the time; where a package was compiled since, its own files are newer.
const isBundled = changedMs(new URL('bundle/main.js', dist)) >= newestBuildMs();
const files = isBundled
  ? { main: 'bundle/main.js', node: 'bundle/run-node.js', up: 'bundle/run-up.js', agent: 'bundle/run-agent.js' }
  : { main: 'main.js', node: 'node/run-node.js', up: 'up/run-up.js', agent: 'agent/run-agent.js' };

// What a command runs is loaded before it asks for it by import(): files that are read one after another, and not each by
// the thread pool, load in a third less time.
const load = createRequire(dist);
if (process.argv[2] === 'data-node' || process.argv[2] === 'coordinator') load(`./${files.node}`);
if (process.argv[2] === 'up') load(`./${files.up}`);
if (process.argv[2] === 'agent') load(`./${files.agent}`);
load(`./${files.main}`);

/** When the packages beside this one were last compiled; 0 where they are installed. */
function newestBuildMs() {
  const packages = new URL('../../', import.meta.url);
  return Math.max(...readdirSync(packages).map((name) => changedMs(new URL(`${name}/dist/.tsbuildinfo`, packages))));
}

/** 0 when it is not there. */
function changedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
