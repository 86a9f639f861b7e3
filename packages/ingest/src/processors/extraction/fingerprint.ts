/**
 * `fingerprint`: a hash of the values of some fields, to find documents that are the same.
 *
 * Every value is fed to the hash behind a zero byte, objects by the order of their names: a document that says the same in another order has the same
 * hash. Numbers are fed as Java holds them, so that hashes are those of Elasticsearch.
 */
import { createHash } from 'node:crypto';
import { DoubleNumber, illegalArgument, murmur3Wide } from '@shoal/core';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import type { DocumentValue } from '../../values/document-value.ts';
import { javaType } from '../../values/java-types.ts';

export const fingerprintProcessor: ProcessorType = {
  type: 'fingerprint',
  create(config) {
    const names = config.texts('fields');
    if (names.length === 0) throw config.error('fields', 'must specify at least one field');
    const fields = [...names].sort(byUnits).map(parseFieldPath);
    const target = parseFieldPath(config.optionalText('target_field') ?? 'fingerprint');
    const salt = config.optionalText('salt') ?? '';
    const digest = readDigest(config);
    const ignoresMissing = config.flag('ignore_missing', false);
    return simple((document) => {
      const values: DocumentValue[] = [];
      for (const field of fields) {
        const value = document.find(field);
        if (value !== null) values.push(value);
        else if (!ignoresMissing) throw illegalArgument(`missing field [${field.text}] when calculating fingerprint`);
      }
      if (values.length === 0) return;
      const bytes: Uint8Array[] = salt.trim() === '' ? [] : [Buffer.from(salt)];
      for (const value of values) addBytes(value, bytes);
      document.set(target, digest(Buffer.concat(bytes)).toString('base64'));
    });
  },
};

type Digest = (bytes: Uint8Array) => Buffer;

const DIGESTS: ReadonlyMap<string, Digest> = new Map([
  ...(['MD5', 'SHA-1', 'SHA-256', 'SHA-512'] as const).map((name): [string, Digest] => [
    name,
    (bytes) => createHash(name.replace('-', '')).update(bytes).digest(),
  ]),
  // Both halves with their highest byte first, as Elasticsearch prints them.
  ['MurmurHash3', (bytes) => murmur3Wide(bytes, 0).swap64()],
]);

const DELIMITER = Uint8Array.of(0);

function readDigest(config: ProcessorConfig): Digest {
  const method = config.optionalText('method') ?? 'SHA-1';
  const digest = DIGESTS.get(method);
  if (digest !== undefined) return digest;
  throw config.error(
    'method',
    `[${method}] must be one of the supported hash methods [${[...DIGESTS.keys()].join(',')}]`,
  );
}

function addBytes(value: DocumentValue, bytes: Uint8Array[]): void {
  if (Array.isArray(value)) for (const item of value) addBytes(item, bytes);
  else if (value instanceof Map) {
    for (const [name, item] of [...value].sort(([a], [b]) => byUnits(a, b))) {
      bytes.push(DELIMITER, Buffer.from(name));
      addBytes(item, bytes);
    }
  } else bytes.push(DELIMITER, scalarBytes(value));
}

function scalarBytes(value: DocumentValue): Uint8Array {
  if (value === null) return Buffer.alloc(0);
  if (typeof value === 'string') return Buffer.from(value);
  if (typeof value === 'boolean') return Uint8Array.of(value ? 1 : 2);
  const bytes = Buffer.alloc(8);
  switch (javaType(value)) {
    case 'java.lang.Integer':
      bytes.writeInt32LE(Number(value));
      return bytes.subarray(0, 4);
    case 'java.lang.Long':
      bytes.writeBigInt64LE(BigInt(value as number | bigint)); // Both are what Java holds as a long.
      return bytes;
    case 'java.lang.Double':
      bytes.writeDoubleLE(value instanceof DoubleNumber ? value.value : Number(value));
      return bytes;
    default:
      throw illegalArgument(`cannot convert object of type [${javaType(value)}] to bytes`);
  }
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
