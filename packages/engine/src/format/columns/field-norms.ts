/**
 * Norms of a field in one segment: whole, or in kernel memory only the pages that have those of some documents.
 */
import { assert } from '@shoal/core';
import { PartialSection } from '../container/partial-section.ts';
import type { SectionRef } from '../container/section-ref.ts';
import type { SectionGroup, SegmentSections } from '../container/segment-sections.ts';

const NO_BYTES = new Uint8Array(0);
/** Pages are read one by one only for one document in so many of them at most: more would read most of the section. */
const PAGES_PER_DOC = 4;
/** Share of the pages from which on the rest is read too. */
const MOSTLY_LOADED = 0.5;

/** Documents whose norms a kernel reads. */
export interface NormDocs {
  readonly count: number;
  /** Each of them, ascending. */
  docs(): Iterable<number>;
}

/** Norms in kernel memory until `release`. */
export interface HeldNorms {
  readonly address: number;
  readonly release: () => void;
}

export class FieldNorms {
  private readonly group: SectionGroup<Uint8Array>;
  /** null: the section is short enough to be read whole. */
  private readonly partial: PartialSection | null;
  private readonly sections: SegmentSections;

  constructor(sections: SegmentSections, ref: SectionRef) {
    this.sections = sections;
    this.group = sections.group([ref], ([norms = NO_BYTES]) => norms);
    this.partial = sections.isReadByRange(ref.length, ref) ? new PartialSection(sections, ref) : null;
  }

  get lengthBytes(): number {
    return this.group.lengthBytes;
  }

  /** For JavaScript, see `SectionGroup.get`. */
  get(): Uint8Array {
    return this.group.get();
  }

  /**
   * For kernels: an address at which the norm of each document of `wanted` stands at its ordinal, and perhaps of no other; null
   * when there is no room.
   */
  hold(wanted: readonly NormDocs[]): HeldNorms | null {
    assert(wanted.length > 0, 'norms of no documents are wanted');
    const { partial, group } = this;
    if (partial === null || group.isPlaced || !this.isWorthPages(partial, wanted)) {
      const address = group.hold()?.[0] ?? 0;
      partial?.dropUnused();
      return address === 0 ? null : { address, release: () => group.release() };
    }
    const address = partial.hold();
    if (address === 0) return null;
    const held = { address, release: () => partial.release() };
    try {
      for (const { docs } of wanted) for (const doc of docs()) partial.load(doc);
    } catch (error) {
      held.release();
      throw error;
    }
    return held;
  }

  private isWorthPages({ pageCount, loadedShare }: PartialSection, wanted: readonly NormDocs[]): boolean {
    if (this.sections.bytes.isInMemory || loadedShare > MOSTLY_LOADED) return false;
    return wanted.reduce((sum, { count }) => sum + count, 0) * PAGES_PER_DOC <= pageCount;
  }
}
