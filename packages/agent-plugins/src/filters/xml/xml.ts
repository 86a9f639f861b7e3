/**
 * xml: reads a field as XML, into a map below a target and into fields by XPath.
 */

import type { EventValue, FieldReference, LogEvent } from '@shoal/agent-event';
import {
  compileFieldName,
  type FieldName,
  type Filter,
  optionError,
  type PluginDefinition,
  type PluginOptions,
} from '@shoal/agent-plugin-kit';
import { messageOf, ShoalError } from '@shoal/core';
import { DOMParser } from '@xmldom/xmldom';
import xpath from 'xpath';
import { elementText } from './element-text.ts';
import { mendedXml } from './mended-xml.ts';
import { elementToValue, isElement, type XmlElement } from './xml-value.ts';

export const xmlFilter: PluginDefinition = {
  kind: 'filter',
  name: 'xml',
  version: '4.3.0',
  isStateless: true,
  options: {
    source: { type: 'fieldReference', isRequired: true },
    target: { type: 'fieldReference' },
    store_xml: { type: 'boolean', default: true },
    xpath: { type: 'hash', default: {} },
    force_array: { type: 'boolean', default: true },
    force_content: { type: 'boolean', default: false },
    namespaces: { type: 'hash', default: {} },
    remove_namespaces: { type: 'boolean', default: false },
    suppress_empty: { type: 'boolean', default: true },
    /** Flags of libxml2, with commas between them: without `recover` what could be mended is refused. */
    parse_options: { type: 'string' },
    tag_on_failure: { type: 'array', default: ['_xmlparsefailure'] },
  },
  create: (options) => new XmlFilter(options),
};

interface Path {
  readonly expression: string;
  readonly target: FieldName;
}

class XmlFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly source: FieldReference;
  private readonly paths: readonly Path[];
  /** null: prefixes are those that the root of each document declares. */
  private readonly select: xpath.XPathSelect | null;
  private readonly mends: Mends;

  constructor(options: PluginOptions) {
    if (options.boolean('store_xml') && !options.has('target')) {
      throw new ShoalError('illegal_argument_exception', 400, 'xml: target is required while store_xml is on');
    }
    this.options = options;
    this.source = options.reference('source');
    this.mends = mendsOf(options);
    const namespaces = [...options.hash('namespaces')].map(([prefix, uri]) => [prefix, String(uri)]);
    this.select = namespaces.length === 0 ? null : xpath.useNamespaces(Object.fromEntries(namespaces));
    this.paths = [...options.hash('xpath')].map(([expression, target]) => ({
      expression: checkPath(expression, this.select),
      target: compileFieldName(String(target)),
    }));
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    const value = event.get(this.source);
    if (value === undefined || value === null) return 'unmatched';
    const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
    if (typeof single !== 'string') return this.fail(event);
    if (single.trim() === '') return 'unmatched';
    return this.findPaths(event, single);
  }

  /** Paths are read from what can be mended; a map is made of well-formed documents alone, and of all their names. */
  private findPaths(event: LogEvent, text: string): 'matched' | 'unmatched' {
    const { options } = this;
    let isMatched = false;
    if (this.paths.length > 0 || this.mends === 'nothing') {
      const plain = options.boolean('remove_namespaces') ? withoutNamespaces(text) : text;
      const document = parseXml(plain, this.mends);
      const isFound = document === null ? null : this.store(event, document);
      if (isFound === null) return this.fail(event);
      isMatched = isFound;
    }
    if (!options.boolean('store_xml')) return isMatched ? 'matched' : 'unmatched';
    const document = parseXml(text, 'nothing');
    if (document === null) return this.fail(event);
    event.set(options.reference('target'), this.rootValue(document));
    return 'matched';
  }

  private fail(event: LogEvent): 'unmatched' {
    for (const tag of this.options.strings('tag_on_failure')) event.tag(tag);
    return 'unmatched';
  }

  /** null when a path has a prefix that nothing declares. */
  private store(event: LogEvent, document: ParsedXml): boolean | null {
    let isFound = false;
    const select = this.select ?? xpath.useNamespaces(declaredPrefixes(document.root));
    for (const { expression, target } of this.paths) {
      const texts = selectTexts(select, expression, document);
      if (texts === null) return null;
      if (texts.length === 0) continue;
      isFound = true;
      const reference = target(event);
      const existing = event.get(reference);
      const all = Array.isArray(existing) ? [...existing, ...texts] : texts;
      const [only] = all;
      event.set(reference, all.length === 1 && only !== undefined && !this.options.boolean('force_array') ? only : all);
    }
    return isFound;
  }

  private rootValue(document: ParsedXml): EventValue {
    return elementToValue(document.root, {
      forceArray: this.options.boolean('force_array'),
      forceContent: this.options.boolean('force_content'),
      suppressEmpty: this.options.boolean('suppress_empty'),
    });
  }
}

interface ParsedXml {
  /** For XPath. */
  readonly node: unknown;
  readonly root: XmlElement;
}

/** What is read on in spite of it. What cannot be read at all never is. */
type Mends = 'nothing' | 'errors';

/** Flags of libxml2 that say what is mended, and those that change nothing that a path can find. */
const KNOWN_FLAGS: readonly string[] = [
  'strict',
  'recover',
  'noerror',
  'nowarning',
  'nonet',
  'pedantic',
  'nodict',
  'compact',
  'huge',
  'biglines',
];

function mendsOf(options: PluginOptions): Mends {
  if (!options.has('parse_options')) return 'errors';
  const given = options.string('parse_options').split(',');
  for (const flag of given) {
    if (KNOWN_FLAGS.includes(plainFlag(flag))) continue;
    throw optionError(`unsupported parse option: "${flag.trim()}"`);
  }
  return given.some((flag) => plainFlag(flag) === 'recover') ? 'errors' : 'nothing';
}

/** Flags are known in either case, with and without the underscores between their words. */
function plainFlag(flag: string): string {
  return flag.trim().toLowerCase().replaceAll('_', '');
}

function parseXml(text: string, mends: Mends): ParsedXml | null {
  return parseText(text, mends) ?? (mends === 'errors' ? parseText(mendedXml(text), mends) : null);
}

function parseText(text: string, mends: Mends): ParsedXml | null {
  try {
    const parser = new DOMParser({ onError: (level, message) => refuse(level, message, mends) });
    const document = parser.parseFromString(text.trim(), 'text/xml');
    const root = document.documentElement;
    return root === null ? null : { node: document, root };
  } catch (error) {
    // Text that is no XML is what the failure tag is for.
    if (error instanceof Error) return null;
    throw error;
  }
}

function refuse(level: string, message: string, mends: Mends): void {
  const isMended = mends === 'errors' && (level === 'warning' || level === 'error');
  if (!isMended) throw new Error(message);
}

/** Tried on an empty document, so that a mistake is found at start. */
function checkPath(expression: string, select: xpath.XPathSelect | null): string {
  try {
    const empty = new DOMParser().parseFromString('<none/>', 'text/xml') as never;
    if (select !== null) select(expression, empty);
    // Only documents say which prefixes they declare: here any is one.
    else xpath.selectWithResolver(expression, empty, { lookupNamespaceURI: () => ANY_NAMESPACE });
    return expression;
  } catch (error) {
    const cause = messageOf(error);
    throw new ShoalError('illegal_argument_exception', 400, `xml: invalid XPath [${expression}]: ${cause}`);
  }
}

/** Prefixes that an element declares, with their namespaces. */
function declaredPrefixes(root: XmlElement): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, value } of Array.from(root.attributes))
    if (name.startsWith('xmlns:')) found[name.slice('xmlns:'.length)] = value;
    // A path can name the namespace without a prefix only so.
    else if (name === 'xmlns') found.xmlns = value;
  return found;
}

/** null when the expression cannot be evaluated in this document. */
function selectTexts(select: xpath.XPathSelect, expression: string, document: ParsedXml): EventValue[] | null {
  try {
    // xpath's types want the browser's DOM; the parser's nodes have the same shape.
    return textsOf(select(expression, document.node as never));
  } catch (error) {
    // The one thing that only a document shows: whether it declares the prefixes.
    if (error instanceof Error) return null;
    throw error;
  }
}

/** Elements as XML, everything else as its text. */
function textsOf(result: xpath.SelectReturnType): EventValue[] {
  if (result === null || result === undefined) return [];
  if (!Array.isArray(result)) return [String(result)];
  return result.map((node) => (isElement(node) ? elementText(node) : (node.nodeValue ?? '')));
}

const ANY_NAMESPACE = 'urn:any';

function withoutNamespaces(text: string): string {
  return text
    .replace(/\sxmlns(?::[\w.-]+)?\s*=\s*(?:"[^"]*"|'[^']*')/g, '')
    .replace(/(<\/?)[\w.-]+:(?=[\w.-]+)/g, '$1');
}
