/**
 * What a case expects against what came out, field by field. Pure.
 */

import { type Position, positionText } from '@shoal/agent-config';
import {
  type EventMap,
  type EventValue,
  jsonText,
  kindOf,
  type LogEvent,
  parseTimestamp,
  printValue,
  Timestamp,
} from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';
import type { ExpectedEvent, ExpectedValue } from './test-case.ts';

export interface Difference {
  /** From 1, among the events that came out; 0 where it is about their number. */
  readonly event: number;
  /** Reference of the field that differs; empty for a whole event. */
  readonly path: string;
  /** With its type; null: nothing was expected here. */
  readonly expected: string | null;
  /** null: there was nothing. */
  readonly got: string | null;
  /** `file:line:column` of the expectation. */
  readonly position: string;
}

const TEXT_SHOWN_MAX = 500;
/** A case that is wrong altogether says so in its first differences. */
const DIFFERENCES_MAX = 50;
/** Every event has them, and only a fixed clock gives the first the same value twice. */
const STAMPS: ReadonlySet<string> = new Set(['@timestamp', '@version']);

export function compareEvents(
  expected: readonly ExpectedEvent[],
  got: readonly LogEvent[],
  casePosition: Position,
): readonly Difference[] {
  const found: Difference[] = [];
  if (expected.length !== got.length) {
    found.push({
      event: 0,
      path: '',
      expected: countText(expected.length),
      got: countText(got.length),
      position: positionText(casePosition),
    });
  }
  for (const [index, event] of got.entries()) {
    const wanted = expected[index];
    const at = { event: index + 1, position: positionText(wanted?.position ?? casePosition) };
    if (wanted === undefined) found.push({ ...at, path: '', expected: null, got: shorten(jsonText(event.fields)) });
    else new EventComparison(wanted, event, index + 1, found).run();
  }
  for (const [index, wanted] of expected.entries()) {
    if (index < got.length) continue;
    const position = positionText(wanted.position);
    found.push({ event: index + 1, path: '', expected: `event ${index + 1}`, got: null, position });
  }
  return found.slice(0, DIFFERENCES_MAX);
}

function countText(count: number): string {
  if (count === 0) return 'no event';
  return count === 1 ? '1 event' : `${count} events`;
}

class EventComparison {
  readonly #wanted: ExpectedEvent;
  readonly #event: LogEvent;
  readonly #number: number;
  readonly #found: Difference[];

  constructor(wanted: ExpectedEvent, event: LogEvent, number: number, found: Difference[]) {
    this.#wanted = wanted;
    this.#event = event;
    this.#number = number;
    this.#found = found;
  }

  run(): void {
    const { fields, absent, tags, match } = this.#wanted;
    for (const field of fields) {
      const got = this.#event.get(field.reference);
      this.#compare(field.value, got, pathText(field.reference), positionText(field.position));
    }
    const position = positionText(this.#wanted.position);
    for (const reference of absent) {
      const got = this.#event.get(reference);
      if (got !== undefined) this.#report(pathText(reference), null, describe(got), position);
    }
    if (tags !== null) this.#compareTags(tags, position);
    if (match === 'exact') this.#findOthers(this.#event.fields, [], position);
  }

  #compare(wanted: ExpectedValue, got: EventValue | undefined, path: string, position: string): void {
    if (got === undefined) {
      this.#report(path, describeExpected(wanted), null, position);
      return;
    }
    switch (wanted.kind) {
      case 'scalar':
        if (!isSame(wanted.value, got)) this.#report(path, describeExpected(wanted), describe(got), position);
        return;
      case 'regex':
        if (!wanted.regex.test(printValue(got))) {
          this.#report(path, describeExpected(wanted), describe(got), position);
        }
        return;
      case 'list':
        this.#compareList(wanted.items, got, path, position);
        return;
      default:
        if (got instanceof Map) {
          for (const [name, value] of wanted.entries) this.#compare(value, got.get(name), `${path}[${name}]`, position);
        } else this.#report(path, describeExpected(wanted), describe(got), position);
    }
  }

  #compareList(items: readonly ExpectedValue[], got: EventValue, path: string, position: string): void {
    if (!Array.isArray(got) || got.length !== items.length) {
      this.#report(path, describeExpected({ kind: 'list', items }), describe(got), position);
      return;
    }
    for (const [index, item] of items.entries()) this.#compare(item, got[index], `${path}[${index}]`, position);
  }

  #compareTags(tags: readonly string[], position: string): void {
    const value = this.#event.fields.get('tags') ?? [];
    const present = (Array.isArray(value) ? value : [value]).map(printValue);
    for (const tag of tags) if (!present.includes(tag)) this.#report('[tags]', JSON.stringify(tag), null, position);
    for (const tag of present) if (!tags.includes(tag)) this.#report('[tags]', null, JSON.stringify(tag), position);
  }

  /** Fields that nothing was said about, at any depth of the maps that something was said about. */
  #findOthers(map: EventMap, path: readonly string[], position: string): void {
    for (const [name, value] of map) {
      const here = [...path, name];
      if (path.length === 0 && (STAMPS.has(name) || (name === 'tags' && this.#wanted.tags !== null))) continue;
      const said = this.#saidOf(here);
      if (said === 'nothing') this.#report(here.map((part) => `[${part}]`).join(''), null, describe(value), position);
      else if (said === 'parts' && value instanceof Map) this.#findOthers(value, here, position);
    }
  }

  #saidOf(path: readonly string[]): 'all' | 'parts' | 'nothing' {
    let hasParts = false;
    for (const { reference, value } of this.#wanted.fields) {
      if (reference.isMetadata) continue;
      const own = reference.path;
      const isPrefix = own.every((part, i) => i >= path.length || part === path[i]);
      if (!isPrefix) continue;
      if (own.length > path.length) {
        hasParts = true;
        continue;
      }
      const inner = innerOf(value, path.slice(own.length));
      if (inner === undefined) continue;
      if (inner.kind !== 'map') return 'all';
      hasParts = true;
    }
    return hasParts ? 'parts' : 'nothing';
  }

  #report(path: string, expected: string | null, got: string | null, position: string): void {
    this.#found.push({ event: this.#number, path, expected, got, position });
  }
}

function innerOf(value: ExpectedValue, path: readonly string[]): ExpectedValue | undefined {
  let inner: ExpectedValue | undefined = value;
  for (const part of path) {
    if (inner?.kind !== 'map') return inner;
    inner = inner.entries.get(part);
  }
  return inner;
}

/** Numbers of any kind by their value; a time and the text of the same instant are the same. */
function isSame(wanted: string | number | bigint | boolean | null, got: EventValue): boolean {
  if (got instanceof Timestamp) {
    const time = typeof wanted === 'string' ? parseTimestamp(wanted) : null;
    return time?.equals(got) === true;
  }
  const plain = got instanceof DoubleNumber ? got.value : got;
  // `==` between a number and a bigint is exact; between anything else kinds must agree.
  if (typeof wanted === 'bigint' || typeof plain === 'bigint') {
    const areNumbers = [wanted, plain].every((one) => typeof one === 'bigint' || typeof one === 'number');
    // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint of the same value are equal
    return areNumbers && wanted == plain;
  }
  return wanted === plain;
}

function describe(value: EventValue): string {
  if (value === null) return 'null';
  const kind = kindOf(value);
  return `${shorten(jsonText(value))} (${kind === 'string' ? 'text' : kind})`;
}

function describeExpected(wanted: ExpectedValue): string {
  if (wanted.kind === 'regex') return `text that matches /${wanted.source}/`;
  if (wanted.kind === 'scalar') return describe(wanted.value);
  return `${shorten(expectedJson(wanted))} (${wanted.kind === 'list' ? 'array' : 'map'})`;
}

function expectedJson(wanted: ExpectedValue): string {
  switch (wanted.kind) {
    case 'scalar':
      return jsonText(wanted.value);
    case 'regex':
      return `/${wanted.source}/`;
    case 'list':
      return `[${wanted.items.map(expectedJson).join(',')}]`;
    default:
      return `{${[...wanted.entries].map(([name, value]) => `${JSON.stringify(name)}:${expectedJson(value)}`).join(',')}}`;
  }
}

function pathText(reference: { readonly path: readonly string[]; readonly isMetadata: boolean }): string {
  const parts = reference.isMetadata ? ['@metadata', ...reference.path] : reference.path;
  return parts.map((part) => `[${part}]`).join('');
}

function shorten(text: string): string {
  return text.length > TEXT_SHOWN_MAX ? `${text.slice(0, TEXT_SHOWN_MAX)}…` : text;
}
