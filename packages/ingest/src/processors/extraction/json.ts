/** `json`: a text of JSON as what it says. */

import { parseEventJson } from '@shoal/agent-event';
import { illegalArgument, isShoalError, parseJson } from '@shoal/core';
import { javaText } from '@shoal/script';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import type { DocumentMap, DocumentValue } from '../../values/document-value.ts';

/** Names that errors of the parser have in a message of another error. */
const PARSER_ERRORS: ReadonlyMap<string, string> = new Map([
  ['json_parse_exception', 'com.fasterxml.jackson.core.JsonParseException'],
  ['json_e_o_f_exception', 'com.fasterxml.jackson.core.io.JsonEOFException'],
]);

const CONFLICT_STRATEGIES = ['replace', 'merge'] as const;

export const jsonProcessor: ProcessorType = {
  type: 'json',
  create(config) {
    const field = parseFieldPath(config.text('field'));
    const targetName = config.optionalText('target_field');
    const addsToRoot = config.flag('add_to_root', false);
    const problem = 'conflict strategy [{}] not supported, cannot convert field.';
    const strategy = config.optionalChoice('add_to_root_conflict_strategy', CONFLICT_STRATEGIES, problem);
    if (addsToRoot && targetName !== null) {
      throw config.error('target_field', 'Cannot set a target field while also setting `add_to_root` to true');
    }
    if (!addsToRoot && strategy !== null) {
      const why = 'Cannot set `add_to_root_conflict_strategy` if `add_to_root` is false';
      throw config.error('add_to_root_conflict_strategy', why);
    }
    const target = parseFieldPath(targetName ?? field.text);
    const reading = {
      isStrict: config.flag('strict_json_parsing', true),
      takesDuplicateKeys: config.flag('allow_duplicate_keys', false),
    };
    return simple((document) => {
      // A field that is missing is none that could be added to the root; elsewhere it is told as missing.
      const given = addsToRoot ? document.find(field) : document.get(field);
      const value = given === null && addsToRoot ? null : parsed(javaText(given), reading);
      if (!addsToRoot) document.set(target, value);
      else if (!(value instanceof Map)) throw illegalArgument('cannot add non-map fields to root of document');
      else if (strategy === 'merge') merge(document.fields, value);
      else for (const [name, item] of value) document.fields.set(name, item);
    });
  },
};

interface Reading {
  /** Nothing may stand behind the first value. */
  readonly isStrict: boolean;
  /** The last value counts of a name that stands twice in an object; else it is an error. */
  readonly takesDuplicateKeys: boolean;
}

/** null for a text without any value. */
function parsed(text: string, { isStrict, takesDuplicateKeys }: Reading): DocumentValue {
  if (text.trim() === '') return null;
  try {
    const first = firstValue(text);
    // Its errors say where they are, and it refuses names that stand twice.
    if (!takesDuplicateKeys) parseJson(first);
    const value = parseEventJson(first);
    if (isStrict && text.slice(first.length).trim() !== '') {
      throw illegalArgument(`The input ${text} is not valid JSON and the strict_json_parsing parameter is true`);
    }
    return value;
  } catch (error) {
    if (!isShoalError(error)) throw error;
    const name = PARSER_ERRORS.get(error.type);
    throw illegalArgument(name === undefined ? error.message : `${name}: ${error.message}`, { causedBy: error });
  }
}

/** The text up to the end of its first value: nobody reads on. The whole text where that end is not clear. */
function firstValue(text: string): string {
  const scalar = /^\s*(?:-?\d[\d.eE+-]*|true|false|null)(?=\s)|^\s*"(?:[^"\\]|\\.)*"/s.exec(text)?.[0];
  if (scalar !== undefined) return scalar;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/[[\]{}]|"(?:[^"\\]|\\.)*"/gs)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') {
      if (--depth <= 0) return text.slice(0, index + 1);
    }
  }
  return text;
}

function merge(into: DocumentMap, from: DocumentMap): void {
  for (const [name, value] of from) {
    const known = into.get(name);
    if (known instanceof Map && value instanceof Map) merge(known, value);
    else into.set(name, value);
  }
}
