/**
 * Objects of a bucket that are to be read, the oldest first. Lists come in pages, and are kept only as far as they matter.
 */
import { ShoalError } from '@shoal/core';
import type { S3Client } from '../../aws/s3-client.ts';
import { childrenOf, type S3Element, textOf } from '../../aws/s3-xml.ts';

/** Storage from which an object must be brought back before it can be read. */
const ARCHIVES: readonly string[] = ['GLACIER', 'DEEP_ARCHIVE'];
/** Further ones are read at the next look, since the oldest are kept. */
const KEPT_MAX = 100_000;

export interface ListedObject {
  readonly key: string;
  readonly modifiedMs: number;
  readonly storageClass: string;
}

export interface ListingWish {
  readonly bucket: string;
  readonly prefix: string;
  /** Objects of this second, or before, are done. */
  readonly afterSecond: number;
  /** Later ones may have company that is not listed yet. */
  readonly untilMs: number;
  isExcluded(key: string): boolean;
}

export interface Listing {
  readonly objects: readonly ListedObject[];
  /** Whether the bucket has any object below the prefix. */
  readonly hasAny: boolean;
}

export async function listObjects(client: S3Client, wish: ListingWish): Promise<Listing> {
  let kept: ListedObject[] = [];
  let hasAny = false;
  for (let token: string | null = null; ; ) {
    const { xml } = await client.call({
      method: 'GET',
      bucket: wish.bucket,
      query: {
        'list-type': '2',
        'encoding-type': 'url',
        ...(wish.prefix === '' ? {} : { prefix: wish.prefix }),
        ...(token === null ? {} : { 'continuation-token': token }),
      },
    });
    if (xml === null) throw new ShoalError('http_exception', 502, 'S3 answered a list that is no XML');
    const isEncoded = textOf(xml, 'EncodingType') === 'url';
    for (const entry of childrenOf(xml, 'Contents')) {
      hasAny = true;
      const object = listedObject(entry, isEncoded);
      if (object !== null && isWanted(object, wish)) kept.push(object);
    }
    if (kept.length > 2 * KEPT_MAX) kept = oldest(kept);
    token = textOf(xml, 'IsTruncated') === 'true' ? textOf(xml, 'NextContinuationToken') : null;
    if (token === null) return { objects: oldest(kept), hasAny };
  }
}

/** Whether an archived object was brought back, and is still there, by the header that says so. */
export function isRestored(header: string | string[] | undefined, nowMs: number): boolean {
  if (typeof header !== 'string' || !/ongoing-request\s?=\s?["']false["']/.test(header)) return false;
  const until = Date.parse(/expiry-date\s?=\s?["'](.*?)["']/.exec(header)?.[1] ?? '');
  return nowMs < until;
}

export function isArchived({ storageClass }: ListedObject): boolean {
  return ARCHIVES.includes(storageClass);
}

function isWanted({ key, modifiedMs }: ListedObject, wish: ListingWish): boolean {
  if (key === wish.prefix || key.endsWith('/') || wish.isExcluded(key)) return false;
  return Math.floor(modifiedMs / 1000) > wish.afterSecond && modifiedMs <= wish.untilMs;
}

/** null for one without contents. */
function listedObject(entry: S3Element, isEncoded: boolean): ListedObject | null {
  const name = textOf(entry, 'Key');
  const modifiedMs = Date.parse(textOf(entry, 'LastModified') ?? '');
  if (name === null || Number.isNaN(modifiedMs) || !(Number(textOf(entry, 'Size')) > 0)) return null;
  const key = isEncoded ? decodedKey(name) : name;
  return key === null ? null : { key, modifiedMs, storageClass: textOf(entry, 'StorageClass') ?? 'STANDARD' };
}

function decodedKey(name: string): string | null {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    // Bytes that are no text name nothing that can be asked for.
    return null;
  }
}

/** In the order of time, cut only where a second ends: the position passes over what is left of its second. */
function oldest(objects: ListedObject[]): ListedObject[] {
  objects.sort((a, b) => a.modifiedMs - b.modifiedMs);
  const first = objects[KEPT_MAX];
  if (first === undefined) return objects;
  let end = KEPT_MAX;
  while (end > 0 && secondOf(objects[end - 1] ?? first) === secondOf(first)) end--;
  return end > 0 ? objects.slice(0, end) : objects.filter((object) => secondOf(object) === secondOf(first));
}

/** Second since 1970 of the last change. */
export function secondOf({ modifiedMs }: ListedObject): number {
  return Math.floor(modifiedMs / 1000);
}
