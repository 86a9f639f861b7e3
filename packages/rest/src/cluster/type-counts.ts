/**
 * How often each type of something is used, and in how many indices.
 */
type Json = Readonly<Record<string, unknown>>;

export class TypeCounts {
  readonly #counts = new Map<string, { uses: number; readonly indices: Set<string> }>();

  add(type: string, index: string): void {
    const counts = this.#counts.get(type) ?? { uses: 0, indices: new Set() };
    counts.uses++;
    counts.indices.add(index);
    this.#counts.set(type, counts);
  }

  /** Types in alphabetical order. */
  body(extra: Json = {}): readonly Json[] {
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { uses, indices }]) => ({ name, count: uses, index_count: indices.size, ...extra }));
  }
}
