/**
 * Addresses of buckets and objects: the bucket as a part of the host name, or as the first part of the path. Pure.
 */
import { isIP } from 'node:net';
import { ShoalError } from '@shoal/core';
import { awsEncoded } from './signature-v4.ts';

/** Names that a host may have in front. */
const HOST_LABEL = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const HOST_LABELS = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

export interface S3Target {
  readonly bucket: string;
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * @param endpoint without a slash at its end
 * @throws ShoalError for a key that no address can name, since `.` and `..` between slashes vanish from every address
 */
export function s3Address(endpoint: string, { bucket, key, query }: S3Target, isPathStyle: boolean): URL {
  if (key.split('/').some((part) => part === '.' || part === '..'))
    throw new ShoalError('illegal_argument_exception', 400, `no address names the object [${key}]`);
  const base = new URL(endpoint);
  const isInPath = isPathStyle || !mayStandInHost(bucket, base);
  if (!isInPath) base.hostname = `${bucket}.${base.hostname}`;
  const parts = isInPath ? [bucket, ...key.split('/')] : key.split('/');
  const path = parts.map(awsEncoded).join('/');
  const names = Object.entries(query).map(([name, value]) => `${awsEncoded(name)}=${awsEncoded(value)}`);
  // A bucket in the path has no slash behind it.
  const whole = isInPath && key === '' ? awsEncoded(bucket) : path;
  return new URL(`${base.href.replace(/\/$/, '')}/${whole}${names.length === 0 ? '' : `?${names.join('&')}`}`);
}

/** Certificates for `*.host` cover one label, and an IP address has no names below it; nor has `localhost` everywhere. */
function mayStandInHost(bucket: string, base: URL): boolean {
  const host = base.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 || host === 'localhost') return false;
  return base.protocol === 'https:' ? HOST_LABEL.test(bucket) : HOST_LABELS.test(bucket) && isIP(bucket) === 0;
}
