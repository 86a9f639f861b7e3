/**
 * Databases of MaxMind in the folder `ingest-geoip` below the configuration folder of the node. None comes with the node.
 */
import { type ConfigFiles, illegalArgument } from '@shoal/core';
import ipaddr from 'ipaddr.js';
import { Reader } from 'mmdb-lib';
import { ipAddressBytes } from '../../values/ip-address.ts';

export interface GeoDatabase {
  /** Type that its metadata tells: `GeoLite2-City`. */
  readonly type: string;
  /** null: the database does not know the address. @throws illegal_argument_exception for what is no address */
  find(address: string): GeoRecord | null;
}

export interface GeoRecord {
  /** The address as RFC 5952 writes it. */
  readonly ip: string;
  /** Network of the record that the address is in: first address and length of the prefix. */
  readonly network: string;
  /** What stands there, as the database has it: members of objects, items of lists. */
  at(...path: readonly (string | number)[]): unknown;
}

/** Largest file that is read; the largest that MaxMind sells have half of it. */
const FILE_BYTES_MAX = 1024 * 1024 * 1024;
const FILE_NAME = /^[^/\\]+\.mmdb$/;

interface Opened {
  readonly modifiedMs: number;
  readonly database: GeoDatabase;
}

/** A file is opened once for all processors that name it. */
const openedBy = new WeakMap<ConfigFiles, Map<string, Opened>>();

/** null: there is no such file. @throws illegal_argument_exception for one that is no database */
export function openGeoDatabase(files: ConfigFiles, name: string): GeoDatabase | null {
  const path = `ingest-geoip/${name}`;
  const modifiedMs = FILE_NAME.test(name) ? files.modifiedMs(path) : null;
  if (modifiedMs === null) return null;
  const opened = openedBy.get(files) ?? new Map<string, Opened>();
  openedBy.set(files, opened);
  const known = opened.get(name);
  if (known?.modifiedMs === modifiedMs) return known.database;
  const file = files.read(path, FILE_BYTES_MAX);
  if (file.kind === 'tooLarge')
    throw illegalArgument(`database file [${name}] is larger than [${FILE_BYTES_MAX}] bytes`);
  if (file.kind !== 'read') return null;
  const database = databaseOf(name, file.bytes);
  opened.set(name, { modifiedMs, database });
  return database;
}

function databaseOf(name: string, bytes: Uint8Array): GeoDatabase {
  const reader = undamaged(
    name,
    () => new Reader<never>(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
  );
  const isOld = reader.metadata.ipVersion === 4;
  return {
    type: reader.metadata.databaseType,
    find(text) {
      const bytesOfAddress = ipAddressBytes(text);
      if (bytesOfAddress === null) throw illegalArgument(`'${text}' is not an IP string literal.`);
      const address = ipaddr.fromByteArray([...bytesOfAddress]);
      if (isOld && address.kind() === 'ipv6') {
        const why = 'You attempted to look up an IPv6 address in an IPv4-only database';
        throw illegalArgument(`Error looking up '${address.toString()}'. ${why}`);
      }
      const [record, prefix] = undamaged(name, () => reader.getWithPrefixLength(address.toString()));
      if (record === null) return null;
      return {
        ip: address.toString(),
        network: `${firstAddress(bytesOfAddress, prefix)}/${prefix}`,
        at: (...path) => path.reduce<unknown>(member, record),
      };
    },
  };
}

/** @throws illegal_argument_exception for a file that cannot be read as a database */
function undamaged<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw illegalArgument(`database file [${name}] is no database: ${error instanceof Error ? error.message : error}`);
  }
}

function member(from: unknown, name: string | number): unknown {
  if (typeof from !== 'object' || from === null || !Object.hasOwn(from, name)) return undefined;
  return (from as Record<string, unknown>)[name]; // An object with that member.
}

/** In the long form of Java: no group of zeros is left out. */
function firstAddress(bytes: Uint8Array, prefix: number): string {
  const first = bytes.map((byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, prefix - i * 8))));
  if (first.length === 4) return first.join('.');
  return Array.from({ length: 8 }, (_, i) => (((first[i * 2] ?? 0) << 8) | (first[i * 2 + 1] ?? 0)).toString(16)).join(
    ':',
  );
}
