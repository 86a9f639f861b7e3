/**
 * Searches of a shard counted under the names that their requests gave them (`stats` of a search).
 */

export interface SearchGroupStats {
  queryTotal: number;
  queryTimeMs: number;
  /** Query phases that run now. */
  queryCurrent: number;
  fetchTotal: number;
  fetchTimeMs: number;
  /** Fetch phases that run now. */
  fetchCurrent: number;
}

/** Names of a shard that are counted: they come from users, and are kept for as long as the shard is open. */
export const SEARCH_GROUPS_MAX = 1_000;

export class SearchGroups {
  readonly #groups = new Map<string, SearchGroupStats>();

  /** Adds to the numbers of every group; a name beyond the most that are kept is counted nowhere. */
  add(names: readonly string[], change: Partial<SearchGroupStats>): void {
    for (const name of names) {
      const group = this.#group(name);
      if (group === null) continue;
      group.queryTotal += change.queryTotal ?? 0;
      group.queryTimeMs += change.queryTimeMs ?? 0;
      group.queryCurrent += change.queryCurrent ?? 0;
      group.fetchTotal += change.fetchTotal ?? 0;
      group.fetchTimeMs += change.fetchTimeMs ?? 0;
      group.fetchCurrent += change.fetchCurrent ?? 0;
    }
  }

  get byName(): ReadonlyMap<string, Readonly<SearchGroupStats>> {
    return this.#groups;
  }

  #group(name: string): SearchGroupStats | null {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    if (this.#groups.size >= SEARCH_GROUPS_MAX) return null;
    const group = { queryTotal: 0, queryTimeMs: 0, queryCurrent: 0, fetchTotal: 0, fetchTimeMs: 0, fetchCurrent: 0 };
    this.#groups.set(name, group);
    return group;
  }
}
