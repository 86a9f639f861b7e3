/**
 * YAML as Ruby reads it: words such as `yes` are booleans, the last of equal keys counts, and times stay texts.
 */

import { createRequire } from 'node:module';
import { type EventValue, toEventValue } from '@shoal/agent-event';
import { lazy } from '@shoal/core';
import type * as yaml from 'yaml';

/** Seventy files: scripts and dictionaries are common, those with YAML are few. */
const library = lazy(() => createRequire(import.meta.url)('yaml') as typeof yaml);

const YAML_BOOLEAN = 'tag:yaml.org,2002:bool';
const YAML_TIME = 'tag:yaml.org,2002:timestamp';

/** @returns null for a text without a value; throws the `YAMLParseError` of the library for what is no YAML */
export function readRubyYaml(text: string): EventValue {
  const read = parseRubyYaml(text, false);
  return read === undefined ? null : toEventValue(read);
}

/**
 * The value as maps, arrays and plain values; undefined for a text without one.
 *
 * @param keepsIntegers gives integers as bigints, so that they are not taken for floats, nor floats for them
 */
export function parseRubyYaml(text: string, keepsIntegers: boolean): unknown {
  return library().parse(text, {
    mapAsMap: true,
    uniqueKeys: false,
    version: '1.1',
    logLevel: 'error',
    intAsBigInt: keepsIntegers,
    customTags: (tags) =>
      tags
        .filter((tag) => typeof tag === 'string' || tag.tag !== YAML_TIME)
        .map((tag) => (typeof tag === 'string' || tag.tag !== YAML_BOOLEAN ? tag : wholeWord(tag))),
  });
}

/** Ruby does not take `y` and `n` for booleans. */
function wholeWord<T extends object>(tag: T): T {
  const test = 'test' in tag && tag.test instanceof RegExp ? tag.test : null;
  return test === null ? tag : { ...tag, test: test.test('true') ? /^(?:yes|true|on)$/i : /^(?:no|false|off)$/i };
}
