/**
 * Values of a field in a parsed document.
 */

/** Lists that are one value where they stand at the path. */
type IsWhole = (value: object) => boolean;

/** Those at a dotted path, in document order; names in the document may have dots of their own. Nulls are among them. */
export function valuesAtPath(document: unknown, path: string, isWhole: IsWhole = isNever): readonly unknown[] {
  const found: unknown[] = [];
  collect(document, path, isWhole, found);
  return found;
}

function isNever(): boolean {
  return false;
}

function collect(value: unknown, path: string, isWhole: IsWhole, into: unknown[]): void {
  if (Array.isArray(value) && !(path === '' && isWhole(value))) {
    for (const item of value) collect(item, path, isWhole, into);
  } else if (path === '') into.push(value);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      if (name === path) collect(inner, '', isWhole, into);
      else if (path.startsWith(`${name}.`)) collect(inner, path.slice(name.length + 1), isWhole, into);
    }
  }
}
