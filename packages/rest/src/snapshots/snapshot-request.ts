/**
 * What bodies of requests about snapshots share: the indices that they name, and keys that are known.
 */
import type { IndicesOptions } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { givenExpansion } from '../request/indices-options-parameters.ts';
import { flagAt, type JsonObject, textAt, textsAt } from '../request/json-body.ts';

/** Keys of a body that say how its "indices" are read. */
const INDICES_KEYS: readonly string[] = ['indices', 'ignore_unavailable', 'allow_no_indices'];
/** Key of a body that names the features whose own indices go with it. */
const FEATURES = 'feature_states';
const NO_FEATURES = 'none';

/** Keys of a body that makes a snapshot, beside those of its indices. */
export const SNAPSHOT_CONFIG_KEYS: readonly string[] = [
  'include_global_state',
  'partial',
  'metadata',
  'expand_wildcards',
];

/** Wildcards find every index, closed and hidden ones too, and a data stream brings its failure indices. */
const SNAPSHOT_INDICES: IndicesOptions = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandsToOpen: true,
  expandsToClosed: true,
  expandsToHidden: true,
  forbidsClosed: false,
  includesDataStreams: true,
  includesFailures: true,
  allowsSelectors: false,
};

/** @throws illegal_argument_exception for a key that is not known */
export function checkSnapshotKeys(body: JsonObject, keys: readonly string[]): void {
  const known = [...keys, ...INDICES_KEYS, FEATURES];
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) throw illegalArgument(`Unknown parameter ${unknown}`);
  checkFeatures(textsAt(body, FEATURES));
}

/** @throws illegal_argument_exception for a feature: none has indices of its own here */
function checkFeatures(names: readonly string[]): void {
  const wanted = names.filter((name) => name !== NO_FEATURES);
  if (wanted.length === 0) return;
  const list = `[${wanted.join(', ')}]`;
  if (wanted.length === names.length) throw illegalArgument(`unknown feature states were requested: ${list}`);
  throw illegalArgument(
    `the feature_states value [none] indicates that no feature states should be snapshotted, but other feature states were requested: ${list}`,
  );
}

/** Names and patterns under "indices": a list, or a text of them with commas. */
export function indicesAt(body: JsonObject): readonly string[] {
  return textsAt(body, 'indices')
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

export function indicesOptionsAt(body: JsonObject): IndicesOptions {
  const expand = textsAt(body, 'expand_wildcards').flatMap((text) => text.split(','));
  return {
    ...SNAPSHOT_INDICES,
    ...givenExpansion(expand),
    ignoreUnavailable: flag(body, 'ignore_unavailable', false),
    allowNoIndices: flag(body, 'allow_no_indices', true),
  };
}

export function flag(body: JsonObject, key: string, standard: boolean): boolean {
  try {
    return flagAt(body, key) ?? standard;
  } catch {
    // Elasticsearch names the key, and what it holds only in the cause.
    throw illegalArgument(`Could not convert [${key}] to boolean`, {
      causedBy: illegalArgument(
        `Failed to parse value [${textAt(body, key) ?? ''}] as only [true] or [false] are allowed.`,
      ),
    });
  }
}
