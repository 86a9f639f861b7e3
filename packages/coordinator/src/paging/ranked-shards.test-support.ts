/** Shards for tests: sorted lists in memory that answer rounds by looking at every entry. */

import type { SortField } from '@shoal/query';
import {
  compareColumnEntries,
  pickColumns,
  type RankAnswer,
  type RankEntries,
  type RankPivot,
  type RankRound,
  type SortColumn,
  sliceColumns,
} from '@shoal/shard-api';
import type { RankSource } from './gather-page.ts';

export const ASCENDING: readonly SortField[] = [
  {
    kind: 'field',
    field: 'n',
    order: 'asc',
    mode: null,
    missing: '_last',
    unmappedType: null,
    numericType: null,
    format: null,
  },
];

/** Keys as numbers; entry i of a shard has the ordinal i. */
export class RankedShards implements RankSource {
  readonly lists: readonly Float64Array[];
  entriesMoved = 0;

  constructor(lists: readonly Float64Array[]) {
    this.lists = lists.map((list) => list.slice().sort());
  }

  get shardCount(): number {
    return this.lists.length;
  }

  first = async (rounds: readonly RankRound[]): Promise<readonly (RankAnswer | null)[]> => {
    return rounds.map((round, shard) => this.answer(shard, round));
  };

  again = async (shard: number, round: RankRound): Promise<RankAnswer> => this.answer(shard, round);

  /** All entries in order, as [shard, ordinal]. */
  sorted(): readonly (readonly [number, number])[] {
    const all: (readonly [number, number, number])[] = [];
    for (const [shard, list] of this.lists.entries()) for (const [i, key] of list.entries()) all.push([key, shard, i]);
    return all.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]).map(([, shard, i]) => [shard, i]);
  }

  private answer(shard: number, round: RankRound): RankAnswer {
    const list = this.lists[shard] ?? new Float64Array(0);
    const entries = { columns: columnsOf(list), scores: null, ords: Uint32Array.from(list, (_, i) => i) };
    const answer = answerRound(ASCENDING, entries, round, shard);
    this.entriesMoved += answer.pivots.positions.length + answer.entries.ords.length;
    return answer;
  }
}

function columnsOf(values: Float64Array): readonly SortColumn[] {
  return [{ kind: 'integer', values }];
}

/** What a shard with this list answers. */
export function answerRound(
  sort: readonly SortField[],
  list: RankEntries,
  { lower, upper, ...round }: RankRound,
  shardIndex: number,
): RankAnswer {
  const count = list.ords.length;
  const below = lower === null ? 0 : countBefore(sort, list, lower, shardIndex);
  const above = upper === null ? count : countBefore(sort, list, upper, shardIndex);
  const from = Math.min(count, Math.max(round.from, below));
  const to = Math.max(from, Math.min(round.to, above));
  const end = round.tail === null ? from : Math.min(count, to + round.tail);
  const shown = Math.min(to - from, round.pivots);
  const positions = Uint32Array.from({ length: shown }, (_, i) => from + Math.floor(((i + 0.5) * (to - from)) / shown));
  return {
    listId: 1,
    count,
    below,
    above,
    first: from,
    pivots: { positions, columns: pickColumns(list.columns, positions) },
    entries: {
      columns: sliceColumns(list.columns, from, end),
      scores: list.scores?.slice(from, end) ?? null,
      ords: list.ords.slice(from, end),
    },
  };
}

function countBefore(
  sort: readonly SortField[],
  { columns, ords }: RankEntries,
  pivot: RankPivot,
  shardIndex: number,
): number {
  if (pivot.shardIndex === shardIndex) return pivot.position;
  let low = 0;
  let high = ords.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareColumnEntries(sort, columns, middle, pivot.columns, 0);
    if (order < 0 || (order === 0 && shardIndex < pivot.shardIndex)) low = middle + 1;
    else high = middle;
  }
  return low;
}
