/**
 * An event whose fields are an array of values, with a shape that says which they are: what lines become, and what they stay
 * while filters set, read and remove fields by their references. Half the work of an event with maps, and less to print.
 *
 * Whoever asks for its maps gets them, and from then on it is an event with maps.
 */
import { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';
import { cloneValue, eventSharingMetadata, legalValue, valueAt } from './event.ts';
import { ABSENT, type EventShape, NEEDS_MAPS, type ShapeMap } from './event-shape.ts';
import type { FieldReference } from './field-reference.ts';
import type { LogEvent } from './log-event.ts';
import { parseFieldReference } from './parse-field-reference.ts';

const TIMESTAMP = parseFieldReference('@timestamp');
const TAGS = parseFieldReference('tags');

export class ShapedEvent implements LogEvent {
  private ownShape: EventShape | null;
  private readonly ownSlots: EventValue[];
  /** Has the metadata, once somebody wanted it; and the fields too, once there is no shape. */
  private maps: LogEvent | null = null;
  private readonly sharedMetadata: EventMap;
  private cancelled = false;

  /**
   * @param slots values in the order of the shape; the event owns them from now on
   * @param sharedMetadata copied on first access
   */
  constructor(shape: EventShape, slots: EventValue[], sharedMetadata: EventMap) {
    this.ownShape = shape;
    this.ownSlots = slots;
    this.sharedMetadata = sharedMetadata;
  }

  /** null once it has maps. */
  get shape(): EventShape | null {
    return this.ownShape;
  }

  /** Values by the indexes of the shape; to be read only. */
  get slots(): readonly EventValue[] {
    return this.ownSlots;
  }

  get fields(): EventMap {
    return this.withMaps().fields;
  }

  get metadata(): EventMap {
    return this.holder.metadata;
  }

  get(reference: FieldReference): EventValue | undefined {
    const shape = this.ownShape;
    if (reference.isMetadata) return this.metadataValue(reference);
    if (shape === null) return this.holder.get(reference);
    const slot = shape.slotOf(reference);
    if (slot >= 0) return this.ownSlots[slot];
    return slot === ABSENT ? undefined : this.withMaps().get(reference);
  }

  set(reference: FieldReference, value: EventValue): void {
    const shape = this.ownShape;
    if (shape === null || reference.isMetadata) {
      this.holder.set(reference, value);
      return;
    }
    const slot = shape.slotOf(reference);
    const isTop = reference.path.length === 1;
    const legal = isTop && slot !== NEEDS_MAPS ? legalValue(reference, value) : value;
    if (slot >= 0) {
      const next = shape.withAny(slot);
      if (next !== null) {
        this.ownShape = next;
        this.ownSlots[slot] = legal;
        return;
      }
    }
    if (slot !== ABSENT || !this.add(shape, reference, legal, false)) this.withMaps().set(reference, legal);
  }

  /** Does what `setNewField` says; false too once there are maps. */
  setNew(reference: FieldReference, value: EventValue, isClean: boolean): boolean {
    const shape = this.ownShape;
    if (shape === null || shape.slotOf(reference) !== ABSENT) return false;
    return this.add(shape, reference, value, isClean);
  }

  remove(reference: FieldReference): EventValue | undefined {
    const shape = this.ownShape;
    if (shape === null || reference.isMetadata) return this.holder.remove(reference);
    const slot = shape.slotOf(reference);
    if (slot === ABSENT) return undefined;
    const next = slot >= 0 ? shape.without(reference) : null;
    if (next === null) return this.withMaps().remove(reference);
    const value = this.ownSlots[slot];
    this.ownShape = next;
    this.ownSlots[slot] = null;
    return value;
  }

  get timestamp(): Timestamp | null {
    const value = this.get(TIMESTAMP);
    return value instanceof Timestamp ? value : null;
  }

  set timestamp(time: Timestamp | null) {
    if (time === null) this.remove(TIMESTAMP);
    else this.set(TIMESTAMP, time);
  }

  tag(tag: string): void {
    if (!this.hasTag(tag)) this.addTag(tag);
  }

  addTag(tag: string): void {
    const shape = this.ownShape;
    const slot = shape === null ? NEEDS_MAPS : shape.slotOf(TAGS);
    if (shape === null || slot === NEEDS_MAPS) {
      this.withMaps().addTag(tag);
      return;
    }
    const tags = slot === ABSENT ? null : (this.ownSlots[slot] ?? null);
    if (Array.isArray(tags)) tags.push(tag);
    else if (slot >= 0) this.ownSlots[slot] = tags === null ? [tag] : [tags, tag];
    else if (!this.add(shape, TAGS, [tag], false)) this.withMaps().addTag(tag);
  }

  hasTag(tag: string): boolean {
    const tags = this.get(TAGS);
    return Array.isArray(tags) ? tags.includes(tag) : tags === tag;
  }

  cancel(): void {
    this.cancelled = true;
  }

  get isCancelled(): boolean {
    return this.cancelled;
  }

  clone(): LogEvent {
    if (this.ownShape === null) return this.holder.clone();
    const copy = new ShapedEvent(this.ownShape, this.ownSlots.map(cloneValue), this.sharedMetadata);
    copy.maps = this.maps?.clone() ?? null;
    return copy;
  }

  private add(shape: EventShape, reference: FieldReference, value: EventValue, isClean: boolean): boolean {
    const next = shape.with(reference, isClean);
    if (next === null) return false;
    this.ownShape = next;
    this.ownSlots.push(value);
    return true;
  }

  /** Most events share their metadata to the end: a look at one value copies nothing, unless the value could be changed. */
  private metadataValue(reference: FieldReference): EventValue | undefined {
    if (this.maps === null) {
      const value = valueAt(this.sharedMetadata, reference.path);
      if (typeof value !== 'object' || value === null) return value;
    }
    return this.holder.get(reference);
  }

  private get holder(): LogEvent {
    this.maps ??= eventSharingMetadata(new Map(), this.sharedMetadata);
    return this.maps;
  }

  private withMaps(): LogEvent {
    const holder = this.holder;
    if (this.ownShape !== null) {
      fill(holder.fields, this.ownShape.root, this.ownSlots);
      this.ownShape = null;
      this.ownSlots.length = 0;
    }
    return holder;
  }
}

/**
 * Sets a field that the event does not have; false, without any change, when it has it or when that is not known at once.
 *
 * @param reference of a field, not of metadata, and neither `@timestamp` nor `tags`
 * @param isClean the value is a text in which nothing needs an escape in JSON
 */
export function setNewField(event: LogEvent, reference: FieldReference, value: EventValue, isClean: boolean): boolean {
  return event instanceof ShapedEvent && event.setNew(reference, value, isClean);
}

function fill(map: EventMap, shape: ShapeMap, slots: readonly EventValue[]): void {
  for (const [name, node] of shape) {
    if (typeof node === 'number') map.set(name, slots[node] ?? null);
    else {
      const below: EventMap = new Map();
      fill(below, node, slots);
      map.set(name, below);
    }
  }
}
