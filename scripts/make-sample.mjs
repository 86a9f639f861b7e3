#!/usr/bin/env node
/**
 * Makes the sample that `shoal up` loads: real Debian package descriptions as gzipped NDJSON, one document a line.
 *
 *   node scripts/make-sample.mjs [--every 12] [--out packages/cli/sample/debian-packages.ndjson.gz]
 *
 * Runs on a Debian machine after `apt-get -o Acquire::Languages=en update`. It reads `apt-cache dumpavail`, and the long
 * descriptions from the translation lists, which apt keeps apart. Every n-th package is taken in apt's order, so that the
 * same lists give the same sample.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const OUTPUT_BYTES_MAX = 1.5 * 1024 * 1024;
const LISTS = '/var/lib/apt/lists';

const { values: options } = parseArgs({
  options: {
    every: { type: 'string', default: '12' },
    out: {
      type: 'string',
      default: new URL('../packages/cli/sample/debian-packages.ndjson.gz', import.meta.url).pathname,
    },
  },
});

const run = (command, args) => execFileSync(command, args, { maxBuffer: 2 ** 30, encoding: 'utf8' });

/** Control-file paragraphs as maps; continuation lines keep their newline. */
function* paragraphs(text) {
  for (const block of text.split(/\n\n+/)) {
    const fields = new Map();
    let last = null;
    for (const line of block.split('\n')) {
      const match = /^([A-Za-z0-9-]+): ?(.*)$/.exec(line);
      if (match) fields.set((last = match[1]), match[2]);
      else if (last && line.startsWith(' ')) fields.set(last, `${fields.get(last)}\n${line.slice(1)}`);
    }
    if (fields.size > 0) yield fields;
  }
}

const longDescriptions = new Map();
for (const name of readdirSync(LISTS).filter((file) => /Translation-en(\.|$)/.test(file))) {
  for (const p of paragraphs(run('/usr/lib/apt/apt-helper', ['cat-file', join(LISTS, name)]))) {
    longDescriptions.set(p.get('Description-md5'), p.get('Description-en'));
  }
}

/** The long description as people read it: a line of one dot is an empty line. */
const readable = (description) => description.replaceAll(/^\.$/gm, '').trim();
const names = (list) => [
  ...new Set(
    (list ?? '')
      .split(/[,|]/)
      .map((d) => d.trim().split(/[\s(:]/)[0])
      .filter(Boolean),
  ),
];

const lines = [];
let position = 0;
for (const p of paragraphs(run('apt-cache', ['dumpavail']))) {
  if (position++ % Number(options.every) !== 0) continue;
  const description = longDescriptions.get(p.get('Description-md5')) ?? p.get('Description') ?? '';
  lines.push(
    JSON.stringify({
      name: p.get('Package'),
      version: p.get('Version'),
      section: p.get('Section'),
      priority: p.get('Priority'),
      architecture: p.get('Architecture'),
      maintainer: p.get('Maintainer'),
      size: Number(p.get('Size')),
      installed_size: Number(p.get('Installed-Size')),
      description: readable(description),
      depends: names(p.get('Depends')),
    }),
  );
}
const packed = gzipSync(`${lines.join('\n')}\n`, { level: 9 });
if (packed.length > OUTPUT_BYTES_MAX)
  throw new Error(`${packed.length} bytes packed, ${OUTPUT_BYTES_MAX} allowed: raise --every`);
writeFileSync(options.out, packed);
process.stdout.write(`${lines.length} packages, ${packed.length} bytes: ${options.out}\n`);
