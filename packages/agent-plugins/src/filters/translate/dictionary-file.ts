/**
 * Reads dictionaries of `translate` from files: YAML, JSON, or CSV by the ending of the name.
 */
import { readFileSync } from 'node:fs';
import { type EventMap, parseEventJson } from '@shoal/agent-event';
import { readCsvRecord } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { readRubyYaml } from '../../yaml/ruby-yaml.ts';

/**
 * @param codePointsMax of a YAML file
 * @throws ShoalError for an unknown ending, for what is no map, and for YAML that is too long
 */
export function readDictionary(path: string, codePointsMax: number): EventMap {
  const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  if (/\.csv$/i.test(path)) return csvDictionary(text);
  let value: unknown;
  if (/\.json$/i.test(path)) value = parseEventJson(text);
  else if (/\.ya?ml$/i.test(path)) value = yamlDictionary(path, text, codePointsMax);
  else throw invalid(path, 'its name must end in .yml, .yaml, .json or .csv');
  if (!(value instanceof Map)) throw invalid(path, 'it does not hold a map');
  return value;
}

/** An empty file is empty. */
function yamlDictionary(path: string, text: string, codePointsMax: number): unknown {
  // No code point takes more than two units.
  if (text.length > codePointsMax && [...text].length > codePointsMax) {
    throw invalid(path, `the YAML document has more than ${codePointsMax} code points`);
  }
  return readRubyYaml(text) ?? new Map();
}

function csvDictionary(text: string): EventMap {
  const map: EventMap = new Map();
  for (const line of text.split(/\r?\n/)) {
    const [key, value] = readCsvRecord(line, ',', '"') ?? [];
    if (key !== undefined && key !== null) map.set(key, value ?? '');
  }
  return map;
}

function invalid(path: string, why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `translate: dictionary [${path}] cannot be used: ${why}`);
}
