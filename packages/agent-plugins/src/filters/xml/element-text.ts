/**
 * An element printed as XML, as it stands in its document: a namespace is declared where the document declares it, and
 * not once more on the element that was taken out of it.
 */
import { isElement, type XmlElement, type XmlNode } from './xml-value.ts';

const TEXT = 3;
const CDATA = 4;
const INSTRUCTION = 7;
const COMMENT = 8;

export function elementText(element: XmlElement): string {
  const attributes = Array.from(element.attributes, ({ name, value }) => ` ${name}="${quoted(value)}"`).join('');
  const inner = Array.from(element.childNodes, nodeText).join('');
  const { nodeName } = element;
  return inner === '' ? `<${nodeName}${attributes}/>` : `<${nodeName}${attributes}>${inner}</${nodeName}>`;
}

function nodeText(node: XmlNode): string {
  if (isElement(node)) return elementText(node);
  const text = node.nodeValue ?? '';
  switch (node.nodeType) {
    case TEXT:
      return escaped(text);
    case CDATA:
      return `<![CDATA[${text}]]>`;
    case COMMENT:
      return `<!--${text}-->`;
    case INSTRUCTION:
      return `<?${node.nodeName} ${text}?>`;
    default:
      return '';
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function quoted(value: string): string {
  return escaped(value).replaceAll('"', '&quot;');
}
