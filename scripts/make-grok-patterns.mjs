/**
 * Writes the grok pattern library as a data module, so that it is part of the build and nothing is read at start.
 *
 * Usage: node scripts/make-grok-patterns.mjs DIRECTORY, where DIRECTORY is `patterns` of the crate grok 2.4.1 (Apache-2.0), which
 * ships the pattern files of Logstash (Apache-2.0) as `NAME.pattern`. Comments and empty lines are left out; texts are not changed.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const directory = process.argv[2];
if (directory === undefined) throw new Error('usage: make-grok-patterns.mjs DIRECTORY');
const target = new URL('../packages/agent-plugin-kit/src/grok/generated/legacy-patterns.ts', import.meta.url);

const files = readdirSync(directory)
  .filter((name) => name.endsWith('.pattern'))
  .sort();
let text = `// Made by scripts/make-grok-patterns.mjs from the pattern files of the crate grok 2.4.1, which come from Logstash (both Apache-2.0):
// see NOTICE of this package. Do not edit.

export const LEGACY_PATTERN_FILES: Readonly<Record<string, readonly string[]>> = {
`;
let count = 0;
for (const file of files) {
  const lines = readFileSync(join(directory, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  count += lines.length;
  const name = file === 'grok.pattern' ? 'grok-patterns' : file.slice(0, -'.pattern'.length);
  text += `  '${name}': [\n${lines.map((line) => `    ${JSON.stringify(line)},\n`).join('')}  ],\n`;
}
text += '};\n';
writeFileSync(target, text);
process.stdout.write(`${count} patterns of ${files.length} files\n`);
