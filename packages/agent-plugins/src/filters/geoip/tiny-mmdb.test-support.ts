/**
 * Writes a MaxMind database of one network, for tests: no real one may be bundled.
 */

/** @param network four bytes, or sixteen; all of the prefix `bits` answers `record` */
export function tinyMmdb(network: readonly number[], bits: number, record: unknown, type = 'Test-City'): Buffer {
  const nodes: [number, number][] = [];
  const count = bits;
  const NOTHING = count;
  const FOUND = count + 16;
  for (let depth = 0; depth < bits; depth++) {
    const bit = ((network[depth >> 3] ?? 0) >> (7 - (depth & 7))) & 1;
    const next = depth === bits - 1 ? FOUND : depth + 1;
    nodes.push(bit === 0 ? [next, NOTHING] : [NOTHING, next]);
  }
  const tree = Buffer.alloc(count * 6);
  for (const [index, [left, right]] of nodes.entries()) {
    tree.writeUIntBE(left, index * 6, 3);
    tree.writeUIntBE(right, index * 6 + 3, 3);
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: type,
    ip_version: network.length === 4 ? 4 : 6,
    node_count: count,
    record_size: 24,
    languages: ['en'],
    description: { en: 'test' },
  });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([tree, Buffer.alloc(16), encode(record), marker, metadata]);
}

function encode(value: unknown): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([head(2, text.length), text]);
  }
  if (typeof value === 'boolean') return head(14, value ? 1 : 0);
  if (typeof value === 'number' && Number.isInteger(value)) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([head(6, 4), bytes]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return Buffer.concat([head(3, 8), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encode)]);
  const entries = Object.entries(value as object);
  return Buffer.concat([head(7, entries.length), ...entries.flatMap(([name, item]) => [encode(name), encode(item)])]);
}

function head(type: number, size: number): Buffer {
  const control = (type > 7 ? 0 : type) << 5;
  const extended = type > 7 ? [type - 7] : [];
  return size < 29 ? Buffer.from([control | size, ...extended]) : Buffer.from([control | 29, ...extended, size - 29]);
}
