#!/usr/bin/env node
/** `npm run check`: lint, types, house rules, tests. The first that fails ends it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './built.mjs';

const bin = (name) => join(root, 'node_modules/.bin', name);
const steps = [
  ['lint', bin('biome'), ['check', '.']],
  ['types', bin('tsc'), ['-b']],
  ['types of tests', bin('tsc'), ['-p', 'tsconfig.tests.json']],
  ['tests', process.execPath, [join(root, 'scripts/test.mjs')]],
];
for (const [name, command, args] of steps) {
  process.stdout.write(`== ${name}\n`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
