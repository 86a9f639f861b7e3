/**
 * Small searches that were parsed and packed before: a body that comes again, as those of dashboards and of programs with few kinds of
 * questions do, is neither parsed nor packed again.
 *
 * What a body means must follow from its text alone. Bodies that may name stored scripts are never kept, and callers keep none in
 * whose place documents of the cluster were put, and none that they read by parameters.
 */
import { RecentEntries } from '@shoal/core';
import type { ShardSearch } from '@shoal/shard-api';

/** Longest body that is kept. */
const BODY_BYTES_MAX = 1_024;
/** Bodies that are kept. */
const SEARCHES_MAX = 256;
/** Text without which no script is in a body: names of its members end so, or stand beside it, or are escaped. */
const MAY_NAME_SCRIPTS = /script|collate|\\/;

export type RepeatedKind = 'search' | 'count';

/** Names of requests without a body: none of a body begins so. */
const NAMES_WITHOUT_BODY: Readonly<Record<RepeatedKind, string>> = { search: 'no search', count: 'no count' };

export class RepeatedSearch {
  readonly search: ShardSearch;
  #packed: Uint8Array | null = null;

  constructor(search: ShardSearch) {
    this.search = search;
  }

  /** The search as `pack` makes it, which is called once. */
  packed(pack: () => Uint8Array): Uint8Array {
    this.#packed ??= pack();
    return this.#packed;
  }
}

export class RepeatedSearches {
  readonly #searches = new RecentEntries<RepeatedSearch>(SEARCHES_MAX);

  /** Name of a body in what is kept, or of none; null for one that never is kept. */
  keyOf(kind: RepeatedKind, body: Uint8Array | null): string | null {
    if (body === null) return NAMES_WITHOUT_BODY[kind];
    if (body.length > BODY_BYTES_MAX) return null;
    return kind + Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  }

  /** null: not known yet. */
  get(key: string | null): RepeatedSearch | null {
    return key === null ? null : (this.#searches.get(key) ?? null);
  }

  /** Keeps what the body of this name means. */
  keep(key: string | null, search: ShardSearch): void {
    if (key === null || MAY_NAME_SCRIPTS.test(key)) return;
    this.#searches.set(key, new RepeatedSearch(search));
  }
}
