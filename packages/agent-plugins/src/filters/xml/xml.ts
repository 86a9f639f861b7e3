/**
 * xml: reads a field as XML, into a map below a target and into fields by XPath.
 */

import type { EventMap, EventValue, FieldReference, LogEvent } from '@shoal/agent-event';
import {
  compileFieldName,
  type FieldName,
  type Filter,
  type PluginDefinition,
  type PluginOptions,
} from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { DOMParser } from '@xmldom/xmldom';
import xpath from 'xpath';
import { elementToValue, type XmlElement } from './xml-value.ts';

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
    /** `strict` refuses what the parser could mend; without it that is read as well as it goes. */
    parse_options: { type: ['strict'] },
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
  private readonly select: xpath.XPathSelect;
  private readonly mends: Mends;

  constructor(options: PluginOptions) {
    if (options.boolean('store_xml') && !options.has('target')) {
      throw new ShoalError('illegal_argument_exception', 400, 'xml: target is required while store_xml is on');
    }
    this.options = options;
    this.source = options.reference('source');
    if (options.has('parse_options')) this.mends = 'nothing';
    else this.mends = options.boolean('store_xml') ? 'warnings' : 'errors';
    const namespaces = [...options.hash('namespaces')].map(([prefix, uri]) => [prefix, String(uri)]);
    this.select = xpath.useNamespaces(Object.fromEntries(namespaces));
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
    const document = parseXml(
      this.options.boolean('remove_namespaces') ? withoutNamespaces(single) : single,
      this.mends,
    );
    if (document === null) return this.fail(event);
    const isFound = this.store(event, document);
    if (!this.options.boolean('store_xml')) return isFound ? 'matched' : 'unmatched';
    event.set(this.options.reference('target'), this.rootValue(document));
    return 'matched';
  }

  private fail(event: LogEvent): 'unmatched' {
    for (const tag of this.options.strings('tag_on_failure')) event.tag(tag);
    return 'unmatched';
  }

  private store(event: LogEvent, document: ParsedXml): boolean {
    let isFound = false;
    for (const { expression, target } of this.paths) {
      // xpath's types want the browser's DOM; the parser's nodes have the same shape.
      const result = this.select(expression, document.node as never);
      const texts = textsOf(result);
      if (texts.length === 0) continue;
      isFound = true;
      const reference = target(event);
      const existing = event.get(reference);
      event.set(reference, Array.isArray(existing) ? [...existing, ...texts] : texts);
    }
    return isFound;
  }

  private rootValue(document: ParsedXml): EventValue {
    const value = elementToValue(document.root, {
      forceArray: this.options.boolean('force_array'),
      forceContent: this.options.boolean('force_content'),
      suppressEmpty: this.options.boolean('suppress_empty'),
    });
    if (value instanceof Map) return value;
    const map: EventMap = new Map();
    if (value !== null) map.set('content', value);
    return map;
  }
}

interface ParsedXml {
  /** For XPath. */
  readonly node: unknown;
  readonly root: XmlElement;
}

/** What is read on in spite of it: for XPath alone more than for a whole map. What cannot be read at all never is. */
type Mends = 'nothing' | 'warnings' | 'errors';

function parseXml(text: string, mends: Mends): ParsedXml | null {
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
  const isMended = level === 'warning' ? mends !== 'nothing' : level === 'error' && mends === 'errors';
  if (!isMended) throw new Error(message);
}

/** Tried on an empty document, so that a mistake is found at start. */
function checkPath(expression: string, select: xpath.XPathSelect): string {
  try {
    select(expression, new DOMParser().parseFromString('<none/>', 'text/xml') as never);
    return expression;
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new ShoalError('illegal_argument_exception', 400, `xml: invalid XPath [${expression}]: ${cause}`);
  }
}

/** Elements as XML, everything else as its text. */
function textsOf(result: xpath.SelectReturnType): EventValue[] {
  if (result === null || result === undefined) return [];
  if (!Array.isArray(result)) return [String(result)];
  return result.map((node) => (node.nodeType === ELEMENT ? String(node) : (node.nodeValue ?? '')));
}

const ELEMENT = 1;

function withoutNamespaces(text: string): string {
  return text
    .replace(/\sxmlns(?::[\w.-]+)?\s*=\s*(?:"[^"]*"|'[^']*')/g, '')
    .replace(/(<\/?)[\w.-]+:(?=[\w.-]+)/g, '$1');
}
