/**
 * Documents that are shown indented: only their white space changes, strings and numbers stay as they were written.
 */

/** Characters of one piece: about a millisecond. */
const PIECE_CHARS = 32_768;

/** Valid JSON with the white space of `pretty`, in pieces. */
export function* reindent(bytes: Uint8Array, baseDepth: number): Generator<string, void, void> {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  let out = '';
  let depth = baseDepth;
  for (let i = 0; i < json.length; i++) {
    if (out.length > PIECE_CHARS) {
      yield out;
      out = '';
    }
    const c = json[i] ?? '';
    if (c === '"') {
      const end = stringEnd(json, i);
      out += json.slice(i, end);
      i = end - 1;
    } else if (c === '{' || c === '[') {
      const close = c === '{' ? '}' : ']';
      let next = i + 1;
      while (isSpace(json[next])) next++;
      if (json[next] === close) {
        out += `${c} ${close}`;
        i = next;
      } else {
        depth++;
        out += `${c}\n${'  '.repeat(depth)}`;
      }
    } else if (c === '}' || c === ']') {
      depth--;
      out += `\n${'  '.repeat(depth)}${c}`;
    } else if (c === ',') out += `,\n${'  '.repeat(depth)}`;
    else if (c === ':') out += ' : ';
    else if (!isSpace(c)) out += c;
  }
  yield out;
}

/** Position behind the closing quote of the string that opens at `start`. */
function stringEnd(json: string, start: number): number {
  let i = start + 1;
  while (i < json.length && json[i] !== '"') i += json[i] === '\\' ? 2 : 1;
  return i + 1;
}

function isSpace(c: string | undefined): boolean {
  return c === ' ' || c === '\n' || c === '\t' || c === '\r';
}
