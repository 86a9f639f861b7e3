/**
 * Reads a file of pipeline tests. All that is wrong in it is found before any of it runs.
 */

import { ConfigError } from '@shoal/agent-config';
import {
  type EventMap,
  type EventValue,
  type FieldReference,
  parseFieldReference,
  parseTimestamp,
  toEventValue,
} from '@shoal/agent-event';
import { isShoalError } from '@shoal/core';
import { compileRubyRegex } from '@shoal/ruby-regex';
import type {
  ExpectedEvent,
  ExpectedField,
  ExpectedValue,
  InputItem,
  TestCase,
  TestedPipeline,
  TestFile,
} from './test-case.ts';
import { type YamlEntry, YamlText, type YamlValue } from './yaml-text.ts';

const CASES_MAX = 100_000;
const FILE_NAMES = ['pipeline', 'config', 'environment', 'settings', 'now', 'cases'];
const CASE_NAMES = ['name', 'input', 'input_id', 'environment', 'now', 'expect'];
const EVENT_NAMES = ['match', 'fields', 'absent', 'tags'];
/** What changes how filters work; all else concerns inputs, queues and outputs, which do not run. */
const SETTING_NAMES = [
  'pipeline.ecs_compatibility',
  'pipeline.id',
  'config.support_escapes',
  'config.field_reference.escape_style',
  'path.plugins',
];
const DROPPED = 'dropped';

/** @throws ConfigError with every problem of the file */
export function readTestFile(file: string, text: string): TestFile {
  const yaml = new YamlText(file, text);
  if (yaml.problems.length > 0) throw new ConfigError(yaml.problems);
  const test = new TestFileReader(yaml).read(file);
  if (yaml.problems.length > 0) throw new ConfigError(yaml.problems);
  return test;
}

class TestFileReader {
  readonly #yaml: YamlText;

  constructor(yaml: YamlText) {
    this.#yaml = yaml;
  }

  read(file: string): TestFile {
    const yaml = this.#yaml;
    const names = yaml.map(yaml.root, 'a file of pipeline tests', FILE_NAMES);
    const nowMs = this.#now(names.get('now')) ?? null;
    const cases = names.get('cases');
    if (cases === undefined)
      yaml.problem(yaml.root.offset, "Missing 'cases': a list of what goes in and what comes out");
    const items = cases === undefined ? [] : yaml.list(cases.value, 'cases');
    if (cases?.value.kind === 'list' && items.length === 0) yaml.problem(cases.offset, 'There are no cases');
    if (items.length > CASES_MAX) yaml.problem(yaml.root.offset, `There are more than ${CASES_MAX} cases`);
    return {
      file,
      pipeline: this.#pipeline(names),
      environment: this.#texts(names.get('environment'), 'environment', null),
      settings: this.#texts(names.get('settings'), 'settings', SETTING_NAMES),
      cases: items.slice(0, CASES_MAX).map((item, index) => this.#case(item, index + 1, nowMs)),
    };
  }

  #pipeline(names: ReadonlyMap<string, YamlEntry>): TestedPipeline {
    const yaml = this.#yaml;
    const path = names.get('pipeline');
    const config = names.get('config');
    if ((path === undefined) === (config === undefined)) {
      const message = "Give either 'pipeline', the path of a configuration, or 'config', its text";
      yaml.problem((config ?? path)?.offset ?? yaml.root.offset, message);
    }
    if (path !== undefined) {
      const text = yaml.text(path.value, 'pipeline') ?? '';
      return { kind: 'path', path: text, position: yaml.position(path.value.offset) };
    }
    const value = config?.value ?? yaml.root;
    const text = config === undefined ? '' : (yaml.text(value, 'config') ?? '');
    const position = yaml.position(value.offset);
    const isBlock = /^[|>]/.test(yaml.source.text.slice(value.offset, value.offset + 1));
    return { kind: 'text', text, firstLine: position.line + (isBlock ? 1 : 0), position };
  }

  #case(value: YamlValue, number: number, fileNowMs: number | null): TestCase {
    const yaml = this.#yaml;
    const names = yaml.map(value, `case ${number}`, CASE_NAMES);
    const name = names.get('name');
    const input = names.get('input');
    const expect = names.get('expect');
    if (value.kind === 'map') {
      if (input === undefined) yaml.problem(value.offset, `Case ${number} has no 'input'`);
      if (expect === undefined) {
        yaml.problem(value.offset, `Case ${number} has no 'expect'`, 'what is dropped is written: expect: dropped');
      }
    }
    const inputId = names.get('input_id');
    return {
      name: name === undefined ? `case ${number}` : (yaml.text(name.value, 'name') ?? ''),
      position: yaml.position(value.offset),
      environment: this.#texts(names.get('environment'), 'environment', null),
      nowMs: this.#now(names.get('now')) ?? fileNowMs,
      inputId: inputId === undefined ? null : yaml.text(inputId.value, 'input_id'),
      input: input === undefined ? [] : this.#input(input.value),
      expected: expect === undefined ? [] : this.#expected(expect.value),
    };
  }

  /** A number is an argument that means nothing here: times are written out. */
  #now(entry: YamlEntry | undefined): number | undefined {
    if (entry === undefined) return undefined;
    const text = this.#yaml.text(entry.value, 'now');
    const time = text === null ? null : parseTimestamp(text);
    if (text !== null && time === null) {
      this.#yaml.problem(entry.value.offset, `now must be a time such as 2026-01-02T03:04:05Z, but is ${text}`);
    }
    return time?.epochMs;
  }

  #texts(
    entry: YamlEntry | undefined,
    what: string,
    known: readonly string[] | null,
  ): Readonly<Record<string, string>> {
    if (entry === undefined) return {};
    const yaml = this.#yaml;
    const entries = known === null ? yaml.entries(entry.value, what) : [...yaml.map(entry.value, what, known).values()];
    const texts: [string, string][] = [];
    for (const { name, value } of entries) {
      const text = yaml.text(value, `${what}.${name}`);
      if (text !== null) texts.push([name, text]);
    }
    return Object.fromEntries(texts);
  }

  #input(value: YamlValue): readonly InputItem[] {
    const items = value.kind === 'list' ? value.items : [value];
    return items.flatMap((item): readonly InputItem[] => {
      if (item.kind === 'map') return [{ kind: 'event', fields: this.#eventMap(item) }];
      const text = this.#yaml.text(item, 'a line of the input');
      return text === null ? [] : [{ kind: 'text', text }];
    });
  }

  #eventMap(value: YamlValue): EventMap {
    const plain = this.#plain(value);
    return plain instanceof Map ? plain : new Map();
  }

  #plain(value: YamlValue): EventValue {
    switch (value.kind) {
      case 'scalar':
        return toEventValue(value.value);
      case 'list':
        return value.items.map((item) => this.#plain(item));
      case 'map':
        return new Map(value.entries.map((entry) => [entry.name, this.#plain(entry.value)]));
      default:
        this.#yaml.wrong(value, 'A value of the input', 'a value');
        return null;
    }
  }

  #expected(value: YamlValue): readonly ExpectedEvent[] {
    if (value.kind === 'scalar' && value.value === DROPPED) return [];
    const items = value.kind === 'map' ? [value] : this.#yaml.list(value, 'expect');
    return items.map((item) => this.#expectedEvent(item));
  }

  #expectedEvent(value: YamlValue): ExpectedEvent {
    const yaml = this.#yaml;
    const names = yaml.map(value, 'an expected event', EVENT_NAMES);
    const match = names.get('match');
    const matchText = match === undefined ? 'partial' : yaml.text(match.value, 'match');
    if (match !== undefined && matchText !== null && matchText !== 'partial' && matchText !== 'exact') {
      yaml.problem(match.value.offset, `match must be partial or exact, but is ${matchText}`);
    }
    const fields = names.get('fields');
    const entries = fields === undefined ? [] : yaml.entries(fields.value, 'fields');
    const absent = names.get('absent');
    const tags = names.get('tags');
    return {
      position: yaml.position(value.offset),
      match: matchText === 'exact' ? 'exact' : 'partial',
      fields: entries.flatMap((entry) => this.#expectedField(entry)),
      absent: absent === undefined ? [] : this.#absent(absent.value),
      tags: tags === undefined ? null : this.#textList(tags.value, 'tags').map(({ text }) => text),
    };
  }

  #expectedField(entry: YamlEntry): readonly ExpectedField[] {
    const reference = this.#reference(entry.name, entry.offset);
    if (reference === null) return [];
    return [{ reference, value: this.#expectedValue(entry.value), position: this.#yaml.position(entry.offset) }];
  }

  #expectedValue(value: YamlValue): ExpectedValue {
    switch (value.kind) {
      case 'scalar':
        return { kind: 'scalar', value: value.value };
      case 'list':
        return { kind: 'list', items: value.items.map((item) => this.#expectedValue(item)) };
      case 'map':
        return {
          kind: 'map',
          entries: new Map(value.entries.map((entry) => [entry.name, this.#expectedValue(entry.value)])),
        };
      default:
        return { kind: 'regex', regex: this.#regex(value.source, value.offset), source: value.source };
    }
  }

  #regex(source: string, offset: number): RegExp {
    try {
      return compileRubyRegex(source);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      this.#yaml.problem(offset, error.message);
      return /^/;
    }
  }

  #absent(value: YamlValue): readonly FieldReference[] {
    return this.#textList(value, 'absent').flatMap(({ text, offset }) => this.#reference(text, offset) ?? []);
  }

  #textList(value: YamlValue, what: string): readonly { readonly text: string; readonly offset: number }[] {
    const items = value.kind === 'scalar' && value.value !== null ? [value] : this.#yaml.list(value, what);
    return items.flatMap((item) => {
      const text = this.#yaml.text(item, `an item of ${what}`);
      return text === null ? [] : [{ text, offset: item.offset }];
    });
  }

  #reference(text: string, offset: number): FieldReference | null {
    try {
      return parseFieldReference(text);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      this.#yaml.problem(offset, error.message);
      return null;
    }
  }
}
