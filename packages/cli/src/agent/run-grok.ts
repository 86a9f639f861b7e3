/**
 * `shoal agent grok`: one pattern, one line or many, and what became of each.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGrokTrial, type GrokTrial, type GrokTrialResult } from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';
import pc from 'picocolors';

export interface GrokArguments {
  readonly patternsDir: readonly string[];
  readonly definition: readonly string[];
  readonly ecs: string;
  readonly json?: boolean;
}

const STDIN = '-';
const EXIT_NO_MATCH = 1;
const EXIT_WRONG = 2;
/** Longest line that is shown whole; longer ones are cut around the position where the pattern stops. */
const SHOWN_MAX = 120;
const SHOWN_BEFORE = 70;

export async function runGrok(pattern: string, line: string, args: GrokArguments): Promise<void> {
  const trial = trialOf(pattern, args);
  if (trial === null) return;
  for (const warning of trial.warnings) process.stderr.write(`warning: ${warning}\n`);
  const lines = line === STDIN ? createInterface({ input: process.stdin }) : [line];
  for await (const one of lines) {
    const result = trial.run(one);
    if (result.kind !== 'match') process.exitCode = EXIT_NO_MATCH;
    process.stdout.write(args.json === true ? `${jsonOf(one, result)}\n` : textOf(one, result));
  }
}

/** null when the pattern or an argument is wrong, which was said. */
function trialOf(pattern: string, args: GrokArguments): GrokTrial | null {
  try {
    return createGrokTrial(pattern, {
      ecs: ecsOf(args.ecs),
      patternFiles: args.patternsDir.flatMap(filesOf),
      definitions: new Map(args.definition.map(definitionOf)),
    });
  } catch (error) {
    const message = messageOf(error);
    process.stderr.write(`${pc.red('shoal:')} ${message}\n${placeIn(pattern, message)}`);
    process.exitCode = EXIT_WRONG;
    return null;
  }
}

function ecsOf(text: string): 'disabled' | 'v1' | 'v8' {
  if (text === 'disabled' || text === 'v1' || text === 'v8') return text;
  throw new Error(`--ecs is disabled, v1 or v8, found [${text}]`);
}

function filesOf(folder: string): readonly { readonly origin: string; readonly text: string }[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, entry.name))
    .sort()
    .map((path) => ({ origin: path, text: readFileSync(path, 'utf8') }));
}

function definitionOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at <= 0) throw new Error(`--definition is NAME=PATTERN, found [${text}]`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The pattern with a caret below what the message names of it; empty when it names nothing. */
function placeIn(pattern: string, message: string): string {
  const reference = /%\{[A-Za-z0-9_]+/.exec(message)?.[0];
  const at = reference === undefined ? -1 : pattern.indexOf(reference);
  return at < 0 ? '' : caretBelow(pattern, at);
}

function textOf(line: string, result: GrokTrialResult): string {
  if (result.kind === 'timeout') return `${pc.red('no answer in time')}: ${line}\n`;
  if (result.kind === 'match') {
    if (result.captures.length === 0) return `${pc.green('match')}, nothing is captured\n`;
    const width = Math.max(...result.captures.map(({ field }) => field.length));
    const rows = result.captures.map(({ field, type, json }) => `  ${field.padEnd(width)}  ${json}  ${pc.dim(type)}\n`);
    return `${pc.green('match')}\n${rows.join('')}`;
  }
  const { expected, definition, matchedPattern, matchedText, offset, found } = result;
  // Names lead to the position; behind the last one comes the text that did not match.
  const isNamed = expected.at(-1)?.startsWith('%{') !== false || expected.length === 1;
  const names = isNamed ? expected : expected.slice(0, -1);
  const part = isNamed ? definition : (expected.at(-1) ?? null);
  return [
    `${pc.red('no match')}\n`,
    caretBelow(line, offset),
    matchedPattern === ''
      ? '  nothing matched: not even the first part of the pattern\n'
      : `  matched   ${JSON.stringify(matchedText)}\n  by        ${matchedPattern}\n`,
    `  expected  ${names.join(' > ')}\n`,
    part === null ? '' : `  that is   ${part}\n`,
    `  found     ${found === '' ? 'the end of the line' : JSON.stringify(found)}\n`,
  ].join('');
}

function caretBelow(line: string, offset: number): string {
  const from = line.length > SHOWN_MAX ? Math.max(0, offset - SHOWN_BEFORE) : 0;
  const shown = line.slice(from, from + SHOWN_MAX);
  const indent = shown.slice(0, offset - from).replace(/[^\t]/g, ' ');
  return `  ${shown}\n  ${indent}${pc.red('^')}\n`;
}

function jsonOf(line: string, result: GrokTrialResult): string {
  const text = JSON.stringify(line);
  if (result.kind === 'timeout') return `{"line":${text},"match":false,"timed_out":true}`;
  if (result.kind === 'match') {
    const captures = result.captures.map(
      ({ field, type, json }) => `{"field":${JSON.stringify(field)},"type":"${type}","value":${json}}`,
    );
    return `{"line":${text},"match":true,"captures":[${captures.join(',')}]}`;
  }
  const { kind: _, ...why } = result;
  return `{"line":${text},"match":false,${JSON.stringify(why).slice(1)}`;
}
