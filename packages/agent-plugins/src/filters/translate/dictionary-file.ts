/**
 * Reads dictionaries of `translate` from files: YAML, JSON, or CSV by the ending of the name.
 */
import { readFileSync } from 'node:fs';
import { type EventMap, parseEventJson, toEventValue } from '@shoal/agent-event';
import { readCsvRecord } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { parse } from 'yaml';

/** @throws ShoalError for an unknown ending and for what is no map */
export function readDictionary(path: string): EventMap {
  const text = readFileSync(path, 'utf8');
  if (/\.csv$/i.test(path)) return csvDictionary(text);
  let value: unknown;
  if (/\.json$/i.test(path)) value = parseEventJson(text);
  else if (/\.ya?ml$/i.test(path)) value = toEventValue(parse(text, { mapAsMap: true }));
  else throw invalid(path, 'its name must end in .yml, .yaml, .json or .csv');
  if (!(value instanceof Map)) throw invalid(path, 'it does not hold a map');
  return value;
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
