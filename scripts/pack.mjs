#!/usr/bin/env node
/**
 * `npm run pack [-- --out FOLDER]` writes `shoal-VERSION.tgz`: the command, `shoal/testing` and `shoal/client` with their types,
 * the sample, pipelines and pages, in one package without install scripts and without anything that only this repository needs.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded, root } from './built.mjs';
import { bundle, ENTRIES } from './bundle.mjs';
import { isInlined } from './pack/inlined.mjs';
import { librariesOf, manifestOf } from './pack/manifest.mjs';
import { TypeRoller } from './pack/roll-types.mjs';

const { out } = parseArgs({ options: { out: { type: 'string', default: root } } }).values;
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
/** A folder of its own, as two may pack at a time: tests do. */
const stage = mkdtempSync(join(cache, 'package-'));
process.on('exit', () => rmSync(stage, { recursive: true, force: true }));
const packages = join(root, 'packages');

/** Entries of `shoal/…` by name: their compiled module, from the manifests of the rooms that have them. */
function libraryEntries() {
  const { exports } = JSON.parse(readFileSync(join(packages, 'testing/package.json'), 'utf8'));
  const testing = Object.entries(exports).map(([key, { default: file }]) => [
    key === '.' ? 'testing' : `testing/${key.slice(2)}`,
    `testing/${file.slice(2)}`,
  ]);
  return Object.fromEntries([['client', 'client/dist/index.js'], ...testing]);
}

/** Names of the packages that files of `node_modules` belong to. */
function packagesOf(files) {
  const names = files.map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

/** Licences of what is joined with our code, whose own files do not come along. */
function noticesOf(names) {
  const notices = names.map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file to bring along`);
    return `## ${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return `# Libraries that are part of this package\n\n${notices.join('\n')}`;
}

function checkLibraries(outside) {
  const { needed, optional } = librariesOf(root);
  const named = (id) =>
    id
      .split('/')
      .slice(0, id.startsWith('@') ? 2 : 1)
      .join('/');
  const unknown = [...outside].map(named).filter((name) => !(name in needed) && !(name in optional));
  if (unknown.length > 0) throw new Error(`loaded by name and in no manifest: ${unknown.join(', ')}`);
}

buildIfNeeded();
const libraries = libraryEntries();
const bundled = 'dist/bundle';
const { outside, files } = await bundle(
  join(stage, bundled),
  { ...ENTRIES, ...libraries },
  isInlined,
  (name) => name in libraries,
);
checkLibraries(outside);
const roller = new TypeRoller(packages, join(stage, 'types'), (specifier) => specifier in librariesOf(root).optional);
const entries = Object.fromEntries(
  Object.entries(libraries).map(([name, path]) => [
    name,
    { types: `types/${roller.add(path.replace(/\.js$/, '.d.ts'))}`, file: `${bundled}/${name}` },
  ]),
);
roller.write();
writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifestOf({ root, entries, isInlined }), null, 2)}\n`);
writeFileSync(join(stage, 'THIRD-PARTY.md'), noticesOf(packagesOf(files)));
for (const name of ['bin', 'sample', 'pipelines'])
  cpSync(join(packages, 'cli', name), join(stage, name), { recursive: true });
cpSync(join(root, 'scripts/pack/README.md'), join(stage, 'README.md'));
cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
cpSync(join(root, 'docs'), join(stage, 'docs'), { recursive: true });
const target = resolve(out);
if (!existsSync(target)) mkdirSync(target, { recursive: true });
const packed = spawnSync('npm', ['pack', stage, '--pack-destination', target, '--ignore-scripts', '--silent'], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (packed.status !== 0) process.exit(packed.status ?? 1);
process.stdout.write(`${join(target, packed.stdout.trim())}\n`);
