/**
 * Text that is almost XML, made into what a parser takes: every element that begins also ends, where it is inside, and no
 * attribute is given twice. That is how much libxml2 mends when it may: an end tag closes the innermost element, whatever
 * name it has, and the end of the text closes all that are open.
 */

/** Comments, CDATA sections, processing instructions and declarations stand as they are; the rest are tags. */
const MARKUP =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<![^>]*>|<(\/?)([^\s/<>!?]+)((?:[^<>"']|"[^"]*"|'[^']*')*?)(\/?)>/g;
const ATTRIBUTE = /\s+([^\s=/<>"']+)\s*=\s*(?:"[^"]*"|'[^']*')/g;

export function mendedXml(text: string): string {
  const open: string[] = [];
  const mended = text.replace(MARKUP, (whole, slash?: string, name?: string, attributes = '', empty = '') => {
    if (name === undefined) return whole;
    if (slash === '/') {
      const inner = open.pop();
      return inner === undefined ? '' : `</${inner}>`;
    }
    if (empty === '') open.push(name);
    return `<${name}${withoutRepeated(attributes)}${empty}>`;
  });
  return (
    mended +
    open
      .reverse()
      .map((name) => `</${name}>`)
      .join('')
  );
}

function withoutRepeated(attributes: string): string {
  const seen = new Set<string>();
  return attributes.replace(ATTRIBUTE, (whole, name: string) => {
    if (seen.has(name)) return '';
    seen.add(name);
    return whole;
  });
}
