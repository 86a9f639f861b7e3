/**
 * The names of an event's fields and their order, without the values: events of one log have few such shapes, and each is
 * found once. A field is then an index into an array, whatever its depth, and no map is made for an event.
 *
 * Shapes never change. Setting a new field leads to another shape, removing one too; the ways are remembered. Names may come
 * from the data, so that shapes and ways are limited: beyond the limits an event has maps again.
 */
import type { FieldReference } from './field-reference.ts';

/** Index of the value, or the fields below. */
export type ShapeNode = number | ShapeMap;
export type ShapeMap = ReadonlyMap<string, ShapeNode>;

/** No such field, and nothing but maps on the way to it: it can be added. */
export const ABSENT = -1;
/** The reference names a map, or leads into a value: only maps can tell. */
export const NEEDS_MAPS = -2;

const SLOTS_MAX = 64;
/** Shapes that may come of one. */
const FAMILY_MAX = 500;
const WAYS_MAX = 64;
const REFERENCES_MAX = 256;
const DEPTH_MAX = 16;
const TAGS = 'tags';

interface Family {
  /** Shapes made so far. */
  count: number;
}

export class EventShape {
  readonly root: ShapeMap;
  /** Values that an event of this shape has, those of removed fields included. */
  readonly slotCount: number;
  /** Slots whose values are texts in which nothing needs an escape in JSON. */
  readonly cleanSlots: ReadonlySet<number>;
  readonly #family: Family;
  readonly #slots = new Map<FieldReference, number>();
  readonly #added = new Map<FieldReference, EventShape>();
  readonly #addedClean = new Map<FieldReference, EventShape>();
  readonly #removed = new Map<FieldReference, EventShape>();
  readonly #loosened = new Map<number, EventShape>();
  /** The same ways by what they do: references with the same path lead to the same shape. */
  readonly #ways = new Map<string, EventShape>();

  constructor(root: ShapeMap, slotCount: number, cleanSlots: ReadonlySet<number> = new Set(), family?: Family) {
    this.root = root;
    this.slotCount = slotCount;
    this.cleanSlots = cleanSlots;
    this.#family = family ?? { count: 0 };
    this.#family.count++;
  }

  /** Index of the value that a reference to a field names, `ABSENT`, or `NEEDS_MAPS`. */
  slotOf(reference: FieldReference): number {
    const known = this.#slots.get(reference);
    if (known !== undefined) return known;
    const slot = this.#find(reference.path);
    remember(this.#slots, reference, slot);
    return slot;
  }

  /**
   * The shape with one more field, at the end of the map that it belongs into; its value is the last one. Only for what is
   * absent. null when there are too many.
   */
  with(reference: FieldReference, isClean: boolean): EventShape | null {
    const ways = isClean ? this.#addedClean : this.#added;
    const known = ways.get(reference);
    if (known !== undefined) return known;
    const { path } = reference;
    if (this.slotCount >= SLOTS_MAX || path.length > DEPTH_MAX) return null;
    const slot = this.slotCount;
    const next = this.#way(
      `+${isClean}${JSON.stringify(path)}`,
      () => added(this.root, path, slot),
      slot + 1,
      isClean ? new Set([...this.cleanSlots, slot]) : this.cleanSlots,
    );
    if (next !== null) remember(ways, reference, next);
    return next;
  }

  /** The shape without a field that is there. Its value keeps its index, so that the others keep theirs. */
  without(reference: FieldReference): EventShape | null {
    const known = this.#removed.get(reference);
    if (known !== undefined) return known;
    const { path } = reference;
    const next = this.#way(`-${JSON.stringify(path)}`, () => removed(this.root, path), this.slotCount, this.cleanSlots);
    if (next !== null) remember(this.#removed, reference, next);
    return next;
  }

  /** The shape in which any value may stand in a slot. */
  withAny(slot: number): EventShape | null {
    if (!this.cleanSlots.has(slot)) return this;
    const known = this.#loosened.get(slot);
    if (known !== undefined) return known;
    const clean = new Set(this.cleanSlots);
    clean.delete(slot);
    const next = this.#way(`?${slot}`, () => this.root, this.slotCount, clean);
    if (next !== null) this.#loosened.set(slot, next);
    return next;
  }

  #way(key: string, rootOf: () => ShapeMap, slotCount: number, cleanSlots: ReadonlySet<number>): EventShape | null {
    const known = this.#ways.get(key);
    if (known !== undefined) return known;
    if (this.#ways.size >= WAYS_MAX || this.#family.count >= FAMILY_MAX) return null;
    const next = new EventShape(rootOf(), slotCount, cleanSlots, this.#family);
    this.#ways.set(key, next);
    return next;
  }

  #find(path: readonly string[]): number {
    let node: ShapeNode = this.root;
    for (const name of path) {
      // Below a value, and among tags, more is to be minded than names.
      if (typeof node === 'number') return NEEDS_MAPS;
      const next: ShapeNode | undefined = node.get(name);
      if (next === undefined) return path[0] === TAGS && path.length > 1 ? NEEDS_MAPS : ABSENT;
      node = next;
    }
    return typeof node === 'number' ? node : NEEDS_MAPS;
  }
}

/** References that are made for one event would fill the memory: it starts anew now and then. */
function remember<Value>(known: Map<FieldReference, Value>, reference: FieldReference, value: Value): void {
  if (known.size >= REFERENCES_MAX) known.clear();
  known.set(reference, value);
}

function added(map: ShapeMap, path: readonly string[], slot: number, depth = 0): ShapeMap {
  const copy = new Map(map);
  const name = path[depth] ?? '';
  if (depth === path.length - 1) return copy.set(name, slot);
  const below = map.get(name);
  return copy.set(name, added(below instanceof Map ? below : new Map(), path, slot, depth + 1));
}

function removed(map: ShapeMap, path: readonly string[], depth = 0): ShapeMap {
  const copy = new Map(map);
  const name = path[depth] ?? '';
  const below = map.get(name);
  if (depth < path.length - 1 && below instanceof Map) copy.set(name, removed(below, path, depth + 1));
  else copy.delete(name);
  return copy;
}
