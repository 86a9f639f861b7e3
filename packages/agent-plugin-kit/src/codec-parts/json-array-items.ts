/**
 * Where the items of a JSON array stand in its text, so that a long one is read item by item. Only strings and brackets are looked at:
 * whether an item is JSON is for its reader to say.
 */
export interface ItemRange {
  readonly from: number;
  /** First character behind it. */
  readonly to: number;
}

const SPACE = /[ \t\r\n]*/y;
/** What may end an item, or hide its end. */
const SIGN = /[",[\]{}]/g;

export function isJsonArray(text: string): boolean {
  return text[skipSpace(text, 0)] === '[';
}

/**
 * Ranges of the items, white space around them included.
 *
 * @throws SyntaxError when the text is no array or does not end with it
 */
export function* arrayItems(text: string): Generator<ItemRange, void, void> {
  let from = skipSpace(text, 0) + 1;
  if (text[from - 1] !== '[') throw new SyntaxError('no array');
  // The only array in which nothing stands before its end.
  if (text[skipSpace(text, from)] === ']') from = skipSpace(text, from);
  else {
    let to = itemEnd(text, from);
    for (; text[to] === ','; to = itemEnd(text, from)) {
      yield { from, to };
      from = to + 1;
    }
    yield { from, to };
    from = to;
  }
  if (skipSpace(text, from + 1) < text.length) throw new SyntaxError('text behind the array');
}

/** Position of the comma or bracket that ends the item. */
function itemEnd(text: string, from: number): number {
  let depth = 0;
  SIGN.lastIndex = from;
  for (let match = SIGN.exec(text); match !== null; match = SIGN.exec(text)) {
    const at = match.index;
    switch (match[0]) {
      case '"':
        SIGN.lastIndex = stringEnd(text, at) + 1;
        break;
      case '[':
      case '{':
        depth++;
        break;
      case ',':
        if (depth === 0) return at;
        break;
      default:
        if (depth === 0 && match[0] === ']') return at;
        if (depth-- === 0) throw new SyntaxError('a bracket that closes nothing');
    }
  }
  throw new SyntaxError('an array without its end');
}

/** Position of the quote that ends the string. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = at;
    while (text[escapes - 1] === '\\') escapes--;
    if ((at - escapes) % 2 === 0) return at;
  }
  throw new SyntaxError('a string without its end');
}

function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from;
  return from + (SPACE.exec(text)?.[0].length ?? 0);
}
