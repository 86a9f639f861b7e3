/**
 * Values of a field in a parsed document.
 */

/** Those at a dotted path, in document order; names in the document may have dots of their own. Nulls are among them. */
export function valuesAtPath(document: unknown, path: string): readonly unknown[] {
  const found: unknown[] = [];
  collect(document, path, found);
  return found;
}

function collect(value: unknown, path: string, into: unknown[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, path, into);
  } else if (path === '') into.push(value);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      if (name === path) collect(inner, '', into);
      else if (path.startsWith(`${name}.`)) collect(inner, path.slice(name.length + 1), into);
    }
  }
}
