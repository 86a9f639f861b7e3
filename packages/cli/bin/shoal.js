#!/usr/bin/env node
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';

// Said before anything is loaded that an older Node cannot read.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`shoal needs Node.js 20.19 or newer, and this is ${process.versions.node}\n`);
  process.exit(1);
}

// The stub is committed and the build is not: npm links a bin only when its file is there at install time.
const dist = new URL('../dist/', import.meta.url);
const isInstalled = !existsSync(new URL('main.js', dist)) && existsSync(new URL('bundle/main.js', dist));
if (!isInstalled && !existsSync(new URL('main.js', dist))) {
  process.stderr.write('shoal is not built yet: run `npm run build` in the repository first\n');
  process.exit(1);
}

// All files in a few, which load in a third of the time; where a package was compiled since, its own files are newer.
const isBundled = isInstalled || changedMs(new URL('bundle/main.js', dist)) >= newestBuildMs();
const files = isBundled
  ? {
      main: 'bundle/main.js',
      node: 'bundle/run-node.js',
      up: 'bundle/run-up.js',
      agent: 'bundle/run-agent.js',
      agentThread: 'bundle/start-first-thread.js',
      testNode: 'bundle/run-test-node.js',
    }
  : {
      main: 'main.js',
      node: 'node/run-node.js',
      up: 'up/run-up.js',
      agent: 'agent/run-agent.js',
      agentThread: null,
      testNode: 'test-node/run-test-node.js',
    };

// What a request leaves behind is collected often, and little of it lives on: helpers that are woken for each collection of the young
// generation cost a tenth of a light search, and with several threads to a processor nothing ends sooner by them.
const isNode = process.argv[2] === 'data-node' || process.argv[2] === 'coordinator';
if (isNode) setFlagsFromString('--no-parallel-scavenge');

// What a command runs is loaded before it asks for it by import(): files that are read one after another, and not each by
// the thread pool, load in a third less time.
const load = createRequire(dist);
if (isNode) load(`./${files.node}`);
if (process.argv[2] === 'up') load(`./${files.up}`);
if (process.argv[2] === 'agent') {
  // Two threads take in their code at the same time. Where it lies in a thousand files, nothing of them can be had before the rest.
  if (files.agentThread !== null) load(`./${files.agentThread}`).startFirstThread(process.argv.slice(3));
  load(`./${files.agent}`);
}
if (process.argv[2] === 'test-node') load(`./${files.testNode}`);
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
