/**
 * Reads dictionaries of `translate` from files: YAML, JSON, or CSV by the ending of the name.
 */
import { readFileSync } from 'node:fs';
import { type EventMap, parseEventJson, toEventValue } from '@shoal/agent-event';
import { readCsvRecord } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { parse } from 'yaml';

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

const YAML_BOOLEAN = 'tag:yaml.org,2002:bool';
const YAML_TIME = 'tag:yaml.org,2002:timestamp';

/** YAML as Ruby reads it: words such as `yes` are booleans, the last of equal keys counts, an empty file is empty. */
function yamlDictionary(path: string, text: string, codePointsMax: number): unknown {
  // No code point takes more than two units.
  if (text.length > codePointsMax && [...text].length > codePointsMax) {
    throw invalid(path, `the YAML document has more than ${codePointsMax} code points`);
  }
  const read: unknown = parse(text, {
    mapAsMap: true,
    uniqueKeys: false,
    version: '1.1',
    customTags: (tags) =>
      tags
        .filter((tag) => typeof tag === 'string' || tag.tag !== YAML_TIME)
        .map((tag) => (typeof tag === 'string' || tag.tag !== YAML_BOOLEAN ? tag : wholeWord(tag))),
  });
  return read === null || read === undefined ? new Map() : toEventValue(read);
}

/** Ruby does not take `y` and `n` for booleans. */
function wholeWord<T extends object>(tag: T): T {
  const test = 'test' in tag && tag.test instanceof RegExp ? tag.test : null;
  return test === null ? tag : { ...tag, test: test.test('true') ? /^(?:yes|true|on)$/i : /^(?:no|false|off)$/i };
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
