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

/** null for an empty element that is left out. */
export function elementToValue(element: XmlElement, options: XmlValueOptions, depth = 0): EventValue {
  const map: EventMap = new Map();
  for (const attribute of Array.from(element.attributes)) map.set(attribute.name, attribute.value);
  let text = '';
  for (const node of Array.from(element.childNodes)) {
    if (node.nodeType === TEXT || node.nodeType === CDATA) text += node.nodeValue ?? '';
    else if (node.nodeType === ELEMENT && depth < DEPTH_MAX)
      addChild(map, node as XmlNode & XmlElement, options, depth);
  }
  const hasText = text.trim() !== '';
  if (map.size === 0 && hasText && !options.forceContent) return text;
  if (hasText) map.set('content', text);
  if (map.size === 0) return options.suppressEmpty ? null : map;
  return map;
}

function addChild(map: EventMap, node: XmlNode & XmlElement, options: XmlValueOptions, depth: number): void {
  const value = elementToValue(node, options, depth + 1);
  if (value === null) return;
  const existing = map.get(node.nodeName);
  if (Array.isArray(existing)) existing.push(value);
  else if (existing !== undefined) map.set(node.nodeName, [existing, value]);
  else map.set(node.nodeName, options.forceArray ? [value] : value);
}
