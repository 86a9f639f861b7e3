/**
 * `java.util.TreeSet`, and the keys of a `TreeMap`: sets in order.
 */
import { JavaException } from './java-exception.ts';
import { JavaSet } from './java-map.ts';
import { SortedMap } from './sorted-map.ts';

export class SortedSet extends JavaSet {
  /** Map whose keys are the items. */
  readonly map: SortedMap;
  readonly #isOfMap: boolean;

  /** @param isOfMap the items are keys of a map with values, to which none can be added */
  constructor(map: SortedMap = new SortedMap(), isOfMap = false) {
    super('java.util.TreeSet');
    this.map = map;
    this.#isOfMap = isOfMap;
  }

  /** The same set as far as a range of its map goes. */
  within(range: SortedMap): SortedSet {
    return new SortedSet(range, this.#isOfMap);
  }

  override get size(): number {
    return this.map.size;
  }

  override has(item: unknown): boolean {
    return this.map.has(item);
  }

  override add(item: unknown): boolean {
    if (this.#isOfMap) throw new JavaException('java.lang.UnsupportedOperationException', null);
    if (this.map.has(item)) return false;
    this.map.set(item, true);
    return true;
  }

  override delete(item: unknown): boolean {
    const had = this.map.has(item);
    this.map.delete(item);
    return had;
  }

  override clear(): void {
    this.map.clear();
  }

  override items(): unknown[] {
    return this.map.sorted().map(([key]) => key);
  }
}
