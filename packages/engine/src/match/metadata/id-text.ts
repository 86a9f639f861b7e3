/**
 * Ids in explanations: as the bytes under which Elasticsearch indexes them.
 */

const NUMERIC = 0xfe;
const PLAIN = 0xff;
/** Marks the bytes of an id in base 64 that would look like one of the others. */
const ESCAPE = 0xfd;
/** Last characters of two or three that leave no bits over. */
const ENDS: ReadonlyMap<number, string> = new Map([
  [2, 'AQgw'],
  [3, 'AEIMQUYcgkosw048'],
]);

/** Ids as terms of a set, in the order of their bytes: `_id:([77 dd] w}{)`. */
export function idsText(ids: readonly string[]): string {
  const terms = [...new Set(ids)].map(indexedId).sort(Buffer.compare);
  return `_id:(${terms.map(termText).join(' ')})`;
}

function indexedId(id: string): Buffer {
  if (/^[0-9]+$/.test(id)) return numericId(id);
  if (!isBase64(id)) return Buffer.concat([Buffer.of(PLAIN), Buffer.from(id, 'utf8')]);
  const bytes = Buffer.from(id, 'base64url');
  return (bytes[0] ?? 0) >= ESCAPE ? Buffer.concat([Buffer.of(ESCAPE), bytes]) : bytes;
}

/** Two digits a byte; a last one that stands alone is followed by a full nibble. */
function numericId(id: string): Buffer {
  const digits = id.length % 2 === 0 ? id : `${id}f`;
  return Buffer.concat([Buffer.of(NUMERIC), Buffer.from(digits, 'hex')]);
}

function isBase64(id: string): boolean {
  if (id.length === 0 || id.length % 4 === 1 || !/^[\w-]+$/.test(id)) return false;
  return ENDS.get(id.length % 4)?.includes(id.at(-1) ?? '') ?? true;
}

/** The text of bytes that are one, else the bytes. */
function termText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return text;
  return `[${[...bytes].map((byte) => byte.toString(16)).join(' ')}]`;
}
