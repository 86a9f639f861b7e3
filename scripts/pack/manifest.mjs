/**
 * `package.json` of the package that users install: the command, its entries, and exactly the libraries that it was built with.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Rooms that only tests of this repository use. */
const TESTS_ALONE = new Set(['simulation']);
const EXACT = /^\d+\.\d+\.\d+$/;

function manifestsOf(root) {
  return readdirSync(join(root, 'packages'))
    .filter((room) => !TESTS_ALONE.has(room))
    .map((room) => JSON.parse(readFileSync(join(root, 'packages', room, 'package.json'), 'utf8')));
}

function isForeign([name]) {
  return !name.startsWith('@shoal/');
}

/** Libraries of all rooms by name: those that are there, and those that only some configurations need. */
export function librariesOf(root) {
  const manifests = manifestsOf(root);
  const needed = manifests.flatMap(({ dependencies = {} }) => Object.entries(dependencies).filter(isForeign));
  const optional = manifests.flatMap(({ peerDependencies = {} }) => Object.entries(peerDependencies).filter(isForeign));
  const loose = needed.filter(([, version]) => !EXACT.test(version));
  if (loose.length > 0) throw new Error(`not pinned: ${loose.map(([name]) => name).join(', ')}`);
  return { needed: Object.fromEntries(needed.sort()), optional: Object.fromEntries(optional.sort()) };
}

/**
 * @param {{ root: string, entries: Record<string, { types: string, file: string }>, isInlined: (name: string) => boolean }} parts
 *   the file of an entry is named without its ending, which says who loads it
 */
export function manifestOf({ root, entries, isInlined }) {
  const { version, description, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { needed, optional } = librariesOf(root);
  return {
    name: 'shoal',
    version,
    description,
    license,
    keywords: ['elasticsearch', 'search', 'testing', 'logstash', 'opensearch'],
    type: 'module',
    engines,
    bin: { shoal: 'bin/shoal.js' },
    exports: {
      ...Object.fromEntries(
        Object.entries(entries).map(([name, { types, file }]) => [
          `./${name}`,
          { types: `./${types}`, require: `./${file}.cjs`, default: `./${file}.js` },
        ]),
      ),
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(Object.entries(needed).filter(([name]) => !isInlined(name))),
    peerDependencies: optional,
    peerDependenciesMeta: Object.fromEntries(Object.keys(optional).map((name) => [name, { optional: true }])),
  };
}
