#!/usr/bin/env node
/**
 * Makes the parsers of the configuration language, of Ruby scripts and of painless from their grammars. Their output is committed.
 *
 *   node scripts/make-grammar.mjs [--check]
 *
 * With --check nothing is written: it exits with 1 when a committed parser is not that of its grammar.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import peggy from 'peggy';

const GRAMMARS = [
  {
    folder: '../packages/agent-config/src/grammar/',
    grammar: 'grammar.peggy',
    parser: 'generated/config-parser.ts',
    name: 'configParser',
    starts: undefined,
  },
  {
    folder: '../packages/agent-plugins/src/scripting/ruby/syntax/',
    grammar: 'ruby.peggy',
    parser: 'generated/ruby-parser.ts',
    name: 'rubyParser',
    starts: ['Program', 'HeredocText'],
  },
  {
    folder: '../packages/script/src/syntax/',
    grammar: 'painless.peggy',
    parser: 'generated/painless-parser.ts',
    name: 'painlessParser',
    starts: ['Script'],
  },
];

for (const { folder, grammar, parser, name, starts } of GRAMMARS) {
  const base = new URL(folder, import.meta.url);
  const parserUrl = new URL(parser, base);
  const options = { output: 'source', format: 'bare', ...(starts === undefined ? {} : { allowedStartRules: starts }) };
  const made = peggy.generate(readFileSync(new URL(grammar, base), 'utf8'), options);
  const text = `// @ts-nocheck
// Made by scripts/make-grammar.mjs from ${grammar}; never edited by hand.

interface GeneratedParser {
  readonly parse: (text: string${starts === undefined ? '' : ', options?: object'}) => unknown;
  /** Thrown by \`parse\`; has \`location\`, \`expected\` and \`found\`. */
  readonly SyntaxError: new (...parameters: never[]) => Error;
}

export const ${name}: GeneratedParser = ${made.trim().replace(/;$/, '')};
`;
  if (!process.argv.includes('--check')) writeFileSync(parserUrl, text);
  else if (readFileSync(parserUrl, 'utf8') !== text) {
    process.stderr.write(`the parser is not that of ${grammar}: run node scripts/make-grammar.mjs\n`);
    process.exitCode = 1;
  }
}
