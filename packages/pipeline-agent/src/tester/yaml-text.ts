/**
 * A YAML file as a tree in which every value knows where it stands, and the problems found in it: reported as those of a
 * configuration are, with file, line, column and a caret.
 */

import { type ConfigProblem, type Position, problemAt, SourceText } from '@shoal/agent-config';
import { nearestNames } from '@shoal/core';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
} from 'yaml';

export type YamlValue =
  | { readonly kind: 'scalar'; readonly offset: number; readonly value: string | number | bigint | boolean | null }
  /** A text behind the tag `!regex`. */
  | { readonly kind: 'regex'; readonly offset: number; readonly source: string }
  | { readonly kind: 'list'; readonly offset: number; readonly items: readonly YamlValue[] }
  | { readonly kind: 'map'; readonly offset: number; readonly entries: readonly YamlEntry[] };

export interface YamlEntry {
  readonly name: string;
  readonly offset: number;
  readonly value: YamlValue;
}

/** Beyond these a file is a mistake, or aliases of aliases that unfold without end. */
const DEPTH_MAX = 100;
const VALUES_MAX = 2_000_000;
const REGEX_TAG = '!regex';

export class YamlText {
  readonly source: SourceText;
  readonly root: YamlValue;
  readonly problems: ConfigProblem[] = [];
  #count = 0;

  constructor(file: string, text: string) {
    this.source = new SourceText([{ name: file, text }]);
    const tag = { tag: REGEX_TAG, resolve: (source: string) => source };
    const document = parseDocument(text, {
      intAsBigInt: true,
      customTags: [tag],
      lineCounter: new LineCounter(),
      prettyErrors: false,
    });
    for (const { pos, message } of document.errors) this.problem(pos[0], firstLine(message));
    this.root = document.errors.length > 0 ? nothingAt(0) : this.#value(document.contents, document, 0);
  }

  problem(offset: number, message: string, hint: string | null = null): void {
    this.problems.push(problemAt(this.source, offset, message, hint));
  }

  position(offset: number): Position {
    return this.source.position(offset);
  }

  /** The entries of a map by name; reports what is no map and names that are not known. */
  map(value: YamlValue, what: string, known: readonly string[]): ReadonlyMap<string, YamlEntry> {
    const entries = new Map<string, YamlEntry>();
    for (const entry of this.entries(value, what)) {
      if (known.includes(entry.name)) entries.set(entry.name, entry);
      else {
        const [nearest] = nearestNames(entry.name, known);
        const guess = nearest === undefined ? `known are ${known.join(', ')}` : `did you mean '${nearest}'?`;
        this.problem(entry.offset, `Unknown name '${entry.name}' in ${what}, ${guess}`);
      }
    }
    return entries;
  }

  entries(value: YamlValue, what: string): readonly YamlEntry[] {
    if (value.kind === 'map') return value.entries;
    this.wrong(value, what, 'a map');
    return [];
  }

  list(value: YamlValue, what: string): readonly YamlValue[] {
    if (value.kind === 'list') return value.items;
    this.wrong(value, what, 'a list');
    return [];
  }

  /** A text, or what stands for one without quotes; null when it is none, which was reported. */
  text(value: YamlValue, what: string): string | null {
    if (value.kind === 'scalar' && value.value !== null) return String(value.value);
    this.wrong(value, what, 'a text');
    return null;
  }

  wrong(value: YamlValue, what: string, wanted: string): void {
    this.problem(value.offset, `${what} must be ${wanted}, but is ${kindName(value)}`);
  }

  #value(node: Node | null, document: Document.Parsed, depth: number): YamlValue {
    const offset = node?.range?.[0] ?? 0;
    if (depth > DEPTH_MAX || ++this.#count > VALUES_MAX) {
      if (depth > DEPTH_MAX || this.#count === VALUES_MAX + 1)
        this.problem(offset, 'This is nested too deeply or too large');
      return nothingAt(offset);
    }
    if (isAlias(node)) return this.#value(node.resolve(document) ?? null, document, depth + 1);
    if (isScalar(node)) return this.#scalar(node, offset);
    if (isSeq(node)) {
      const items = node.items.map((item) => this.#value(item as Node, document, depth + 1));
      return { kind: 'list', offset, items };
    }
    if (!isMap(node)) return nothingAt(offset);
    const entries = node.items.map(({ key, value }): YamlEntry => {
      const name = isScalar(key) ? key : null;
      if (name === null) this.problem(offset, 'A name must be a text');
      const at = name?.range?.[0] ?? offset;
      // `name:` with nothing behind it has no node of its own.
      const found = value === null ? nothingAt(at) : this.#value(value as Node, document, depth + 1);
      return { name: String(name?.value ?? ''), offset: at, value: found };
    });
    return { kind: 'map', offset, entries };
  }

  #scalar(node: Scalar, offset: number): YamlValue {
    const { value } = node;
    if (node.tag === REGEX_TAG) return { kind: 'regex', offset, source: String(value) };
    switch (typeof value) {
      case 'bigint':
        return { kind: 'scalar', offset, value: isSafe(value) ? Number(value) : value };
      case 'string':
      case 'number':
      case 'boolean':
        return { kind: 'scalar', offset, value };
      default:
        return nothingAt(offset);
    }
  }
}

function nothingAt(offset: number): YamlValue {
  return { kind: 'scalar', offset, value: null };
}

function isSafe(value: bigint): boolean {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function kindName(value: YamlValue): string {
  if (value.kind === 'regex') return 'a regular expression';
  if (value.kind !== 'scalar') return `a ${value.kind}`;
  if (value.value === null) return 'empty';
  return typeof value.value === 'string' ? `the text ${JSON.stringify(value.value)}` : `the value ${value.value}`;
}
