/**
 * Filters of the aliases through which a search names its indices: each is parsed and packed once, whatever the number of shards.
 */
import { isShoalError, ShoalError } from '@shoal/core';
import type { SearchCodec } from '@shoal/protocol';
import { parseQueryBytes } from '@shoal/query';
import type { ShardId } from '@shoal/shard-api';
import type { SearchTarget } from './search-targets.ts';

type PackedFilter =
  | { readonly kind: 'packed'; readonly bytes: Uint8Array }
  /** Filters are checked when an alias is made, but a state of an older version may hold one that is no query. */
  | { readonly kind: 'malformed'; readonly error: ShoalError };

export class AliasFilters {
  /** Entries by the bytes of the JSON: the shards of an index share them. */
  readonly #filters = new Map<Uint8Array, PackedFilter>();

  constructor(targets: readonly SearchTarget[], codec: SearchCodec) {
    for (const { aliasFilter } of targets) {
      if (aliasFilter !== null && !this.#filters.has(aliasFilter)) {
        this.#filters.set(aliasFilter, packedFilter(aliasFilter, codec));
      }
    }
  }

  /** Filter of a target, as `SearchCodec` packs it; null for a target without one. */
  packed({ aliasFilter }: SearchTarget): Uint8Array | null {
    const filter = aliasFilter === null ? undefined : this.#filters.get(aliasFilter);
    return filter?.kind === 'packed' ? filter.bytes : null;
  }

  /** Error of a target whose filter is no query; null for others. */
  refusal({ aliasFilter, shard }: SearchTarget): ShoalError | null {
    const filter = aliasFilter === null ? undefined : this.#filters.get(aliasFilter);
    return filter?.kind === 'malformed' ? asShardError(shard, filter.error) : null;
  }
}

function packedFilter(json: Uint8Array, codec: SearchCodec): PackedFilter {
  try {
    return { kind: 'packed', bytes: codec.packQuery(parseQueryBytes(json)) };
  } catch (error) {
    if (!isShoalError(error)) throw error;
    return { kind: 'malformed', error };
  }
}

/** The error as a shard tells it of a query that it cannot build. */
function asShardError({ index, indexUuid }: ShardId, error: ShoalError): ShoalError {
  if (error.type === 'parsing_exception') return error;
  return new ShoalError('query_shard_exception', 400, `failed to create query: ${error.reason}`, {
    metadata: { index, index_uuid: indexUuid },
    causedBy: error,
  });
}
