/**
 * Builds what is not built: compares the newest source with the last finished build, so that a start of a built checkout
 * costs a walk over file times and no compiler.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'packages/cli/dist/.built');

function newestSourceMs(directory) {
  let newest = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) newest = Math.max(newest, newestSourceMs(path));
    else if (!entry.name.endsWith('.test.ts')) newest = Math.max(newest, statSync(path).mtimeMs);
  }
  return newest;
}

export function isBuilt() {
  if (!existsSync(stamp)) return false;
  const builtMs = statSync(stamp).mtimeMs;
  const sources = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'src'));
  // A package that another branch has leaves its built files behind when that branch is left.
  return sources.filter((source) => existsSync(source)).every((source) => newestSourceMs(source) <= builtMs);
}

export function build() {
  const tsc = join(root, 'node_modules/.bin/tsc');
  const result = spawnSync(tsc, ['-b'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) process.exit(result.status ?? 1);
  const joined = spawnSync(process.execPath, [join(root, 'scripts/bundle.mjs')], { stdio: ['ignore', 2, 2] });
  if (joined.status !== 0) process.exit(joined.status ?? 1);
  writeFileSync(stamp, '');
}

export function buildIfNeeded() {
  if (isBuilt()) return;
  process.stderr.write('building (once)...\n');
  build();
}
