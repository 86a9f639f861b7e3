/**
 * What the operating system says about a failed file operation, as the few kinds that callers act on.
 */
import { messageOf } from '@shoal/core';
import { DiskError, type DiskErrorKind } from '../interfaces/disk.ts';

const KINDS: ReadonlyMap<string, DiskErrorKind> = new Map([
  ['ENOENT', 'notFound'],
  ['EEXIST', 'exists'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'readOnly'],
  ['EACCES', 'denied'],
  ['EPERM', 'denied'],
]);

/** Any value thrown by a file operation on `path` as a `DiskError`; unknown codes are `io`. */
export function diskError(error: unknown, path: string): DiskError {
  if (error instanceof DiskError) return error;
  const reason = messageOf(error);
  return new DiskError(KINDS.get(errnoCode(error)) ?? 'io', path, `${path}: ${reason}`);
}

/** The symbolic errno (`ENOENT`), or the empty string when there is none. */
export function errnoCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
