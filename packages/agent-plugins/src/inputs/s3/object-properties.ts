/**
 * What S3 says of an object beside its contents, under the names that Logstash has for it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type EventMap, type EventValue, Timestamp } from '@shoal/agent-event';

const TEXTS: Readonly<Record<string, string>> = {
  'accept-ranges': 'accept_ranges',
  'cache-control': 'cache_control',
  'content-disposition': 'content_disposition',
  'content-encoding': 'content_encoding',
  'content-language': 'content_language',
  'content-type': 'content_type',
  etag: 'etag',
  'x-amz-expiration': 'expiration',
  'x-amz-object-lock-mode': 'object_lock_mode',
  'x-amz-replication-status': 'replication_status',
  'x-amz-restore': 'restore',
  'x-amz-server-side-encryption': 'server_side_encryption',
  'x-amz-server-side-encryption-aws-kms-key-id': 'ssekms_key_id',
  'x-amz-storage-class': 'storage_class',
  'x-amz-version-id': 'version_id',
  'x-amz-website-redirect-location': 'website_redirect_location',
};
const NUMBERS: Readonly<Record<string, string>> = {
  'content-length': 'content_length',
  'x-amz-missing-meta': 'missing_meta',
  'x-amz-mp-parts-count': 'parts_count',
  'x-amz-tagging-count': 'tag_count',
};
const META = 'x-amz-meta-';

export function objectProperties(headers: IncomingHttpHeaders): EventMap {
  const found: EventMap = new Map();
  const metadata: EventMap = new Map();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') continue;
    const text = TEXTS[name];
    const number = NUMBERS[name];
    if (text !== undefined) found.set(text, value);
    else if (number !== undefined) found.set(number, Number(value));
    else if (name.startsWith(META)) metadata.set(name.slice(META.length), value);
  }
  const modified = modifiedMs(headers);
  if (modified !== null) found.set('last_modified', new Timestamp(modified));
  found.set('metadata', metadata);
  return found;
}

/** null where the answer does not say. */
export function modifiedMs(headers: IncomingHttpHeaders): number | null {
  const ms = Date.parse(headers['last-modified'] ?? '');
  return Number.isNaN(ms) ? null : ms;
}

/** A map of its own for each event: events change what they hold. */
export function copied(map: ReadonlyMap<string, EventValue>): EventMap {
  return new Map([...map].map(([name, value]) => [name, value instanceof Map ? copied(value) : value]));
}
