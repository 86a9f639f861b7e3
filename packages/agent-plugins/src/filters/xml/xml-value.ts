/**
 * An XML element as a map: attributes and child elements as keys, text as `content`, the shape that Logstash makes.
 */
import type { EventMap, EventValue } from '@shoal/agent-event';

/** The part of the DOM that is read here. */
export interface XmlElement {
  readonly nodeName: string;
  readonly attributes: ArrayLike<{ readonly name: string; readonly value: string }>;
  readonly childNodes: ArrayLike<XmlNode>;
}

export interface XmlNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
}

export interface XmlValueOptions {
  readonly forceArray: boolean;
  /** Text always below `content`, even when an element has nothing else. */
  readonly forceContent: boolean;
  readonly suppressEmpty: boolean;
}

const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;
const DEPTH_MAX = 500;
const CONTENT = 'content';

/**
 * A text for an element that has nothing else; null for an empty one where those are suppressed.
 *
 * Names of elements lose their prefix, those of attributes keep it: declarations of namespaces are attributes like others.
 */
export function elementToValue(element: XmlElement, options: XmlValueOptions, depth = 0): EventValue {
  const map: EventMap = new Map();
  for (const attribute of Array.from(element.attributes)) map.set(attribute.name, attribute.value);
  const hasAttributes = map.size > 0;
  const nodes = Array.from(element.childNodes);
  const children = depth < DEPTH_MAX ? nodes.filter(isElement) : [];
  const texts = nodes.filter(({ nodeType }) => nodeType === TEXT || nodeType === CDATA);
  const isBlank = texts.every(({ nodeValue }) => (nodeValue ?? '').trim() === '');
  if (children.length === 0 && texts.length > 0) return textValue(map, joined(texts), isBlank, options);
  for (const child of children) {
    const value = elementToValue(child, options, depth + 1);
    // Beside attributes an empty child stays: it would be missed less than it would surprise, but so it has always been.
    if (options.suppressEmpty && isEmpty(value) && !hasAttributes) continue;
    merge(map, localName(child.nodeName), value, options.forceArray);
  }
  if (!isBlank) {
    const parts = texts.map(written);
    map.set(CONTENT, parts.length === 1 ? (parts[0] ?? '') : parts);
  }
  return map.size === 0 && options.suppressEmpty ? null : map;
}

function textValue(map: EventMap, text: string, isBlank: boolean, options: XmlValueOptions): EventValue {
  if (map.size === 0 && isBlank) return map;
  if (map.size === 0 && !options.forceContent) return text;
  merge(map, CONTENT, text, false);
  return map;
}

/** A second value of a name makes an array of both. */
function merge(map: EventMap, name: string, value: EventValue, forceArray: boolean): void {
  const existing = map.get(name);
  if (Array.isArray(existing)) existing.push(value);
  else if (existing !== undefined) map.set(name, [existing, value]);
  else map.set(name, forceArray ? [value] : value);
}

/** A node of the parser that has attributes and children. */
export function isElement(node: { readonly nodeType: number }): node is XmlNode & XmlElement {
  return node.nodeType === ELEMENT;
}

function isEmpty(value: EventValue): boolean {
  if (value instanceof Map) return value.size === 0;
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function joined(texts: readonly XmlNode[]): string {
  return texts.map(({ nodeValue }) => nodeValue ?? '').join('');
}

/** Text between elements stands as it was written, with its entities. */
function written({ nodeType, nodeValue }: XmlNode): string {
  const text = nodeValue ?? '';
  return nodeType === CDATA ? text : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
