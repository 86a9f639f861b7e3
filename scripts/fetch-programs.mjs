#!/usr/bin/env node
/**
 * `node scripts/fetch-programs.mjs [--quick]` fetches the programs that `test/programs` runs, from npm, PyPI, Maven Central and the module
 * proxy of Go, once: about 1.2 GB, 370 MB without the large ones. What cannot be fetched is said and left out: its test is skipped.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchJaeger } from './programs/jaeger.mjs';
import { fetchJars } from './programs/maven.mjs';
import { programs } from './programs/programs.mjs';

const folder = fileURLToPath(new URL('../node_modules/.cache/programs', import.meta.url));
const isQuick = process.argv.includes('--quick');

/** @param {import('./programs/programs.mjs').Program} program @param {string} home */
function fetchProgram({ from, packages }, home) {
  const options = { cwd: home, stdio: ['ignore', 'ignore', 'pipe'] };
  if (from === 'npm') {
    writeFileSync(join(home, 'package.json'), '{"private":true}');
    execFileSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...packages],
      options,
    );
    return;
  }
  if (from === 'maven') {
    fetchJars(packages, join(home, 'jars'));
    return;
  }
  if (from === 'go') {
    for (const module of packages) fetchJaeger(module, home);
    return;
  }
  execFileSync('python3', ['-m', 'venv', 'venv'], options);
  execFileSync(join(home, 'venv/bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages], options);
}

for (const program of programs) {
  const { name, packages, isLarge } = program;
  if (isQuick && isLarge) continue;
  const home = join(folder, name);
  // Written last: what an interrupted run left is fetched anew.
  const stamp = join(home, 'fetched');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === packages.join(' ')) continue;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  try {
    fetchProgram(program, home);
    writeFileSync(stamp, packages.join(' '));
    console.log(`${name}: fetched`);
  } catch (error) {
    console.log(
      `${name}: not fetched, its test is skipped: ${String(error.stderr ?? error)
        .trim()
        .split('\n')
        .at(-1)}`,
    );
  }
}
