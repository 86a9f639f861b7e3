/**
 * Two versions, never to be mixed: our own, which the 9300 handshake compares, and the API level that we answer with.
 */

/** Our own version: nodes and clients compare it. */
export const SHOAL_VERSION = '0.1.0';

/** Elasticsearch API level that `GET /` reports, so that official clients connect. */
export const API_VERSION = {
  number: '8.17.0',
  luceneVersion: '9.12.0',
  minimumWireCompatibilityVersion: '7.17.0',
  minimumIndexCompatibilityVersion: '7.0.0',
} as const;

/** Value of `index.version.created` in new indices: the API level as Elasticsearch numbers it. */
export const INDEX_VERSION_CREATED = '8521000';

/** `major*10^6 + minor*10^4 + patch*10^2` of a `x.y.z` version: the id in every transport frame. */
export function versionId(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major * 1_000_000 + minor * 10_000 + patch * 100;
}

/** The `x.y.z` text of a version id. */
export function versionText(id: number): string {
  return `${Math.floor(id / 1_000_000)}.${Math.floor(id / 10_000) % 100}.${Math.floor(id / 100) % 100}`;
}
