#!/usr/bin/env node
/**
 * Makes the parser of the configuration language from its grammar. Its output is committed; a test compares them.
 *
 *   node scripts/make-grammar.mjs [--check]
 *
 * With --check nothing is written: it exits with 1 when the committed parser is not that of the grammar.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import peggy from 'peggy';

const folder = new URL('../packages/agent-config/src/grammar/', import.meta.url);
const grammarUrl = new URL('grammar.peggy', folder);
const parserUrl = new URL('generated/config-parser.ts', folder);

const parser = peggy.generate(readFileSync(grammarUrl, 'utf8'), { output: 'source', format: 'bare' });
const text = `// @ts-nocheck
// Made by scripts/make-grammar.mjs from grammar.peggy; never edited by hand.

interface GeneratedParser {
  readonly parse: (text: string) => unknown;
  /** Thrown by \`parse\`; has \`location\`, \`expected\` and \`found\`. */
  readonly SyntaxError: new (...parameters: never[]) => Error;
}

export const configParser: GeneratedParser = ${parser.trim().replace(/;$/, '')};
`;

if (!process.argv.includes('--check')) writeFileSync(parserUrl, text);
else if (readFileSync(parserUrl, 'utf8') !== text) {
  process.stderr.write('the parser is not that of the grammar: run node scripts/make-grammar.mjs\n');
  process.exitCode = 1;
}
