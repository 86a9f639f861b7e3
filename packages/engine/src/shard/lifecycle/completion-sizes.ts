/**
 * What the completions of a shard take: the dictionaries that its `completion` fields are looked up in, in bytes.
 */
import type { Mapping } from '@shoal/schema';
import { COMPLETION_FIELDS_MAX, COMPLETION_OF } from '@shoal/shard-api';
import type { Searcher } from '../../format/reader/segment-reader.ts';

export interface CompletionSizes {
  /** Sum over all fields. */
  readonly completionBytes: number;
  /** Bytes of each field, under its name with a prefix. */
  readonly [ofField: `${typeof COMPLETION_OF}${string}`]: number;
}

export function completionSizes({ views }: Searcher, { fields }: Mapping): CompletionSizes {
  const sizes: [string, number][] = [];
  let completionBytes = 0;
  for (const { path, completion } of fields.values()) {
    if (completion === null) continue;
    const bytes = views.reduce((sum, { segment }) => sum + (segment.terms(path)?.dictionaryBytes ?? 0), 0);
    completionBytes += bytes;
    if (sizes.length < COMPLETION_FIELDS_MAX) sizes.push([`${COMPLETION_OF}${path}`, bytes]);
  }
  return { ...Object.fromEntries(sizes), completionBytes };
}
