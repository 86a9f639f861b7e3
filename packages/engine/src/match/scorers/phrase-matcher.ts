/**
 * How often a phrase occurs in a document, given the positions of its terms there.
 *
 * The exact matcher counts. The sloppy one adds 1 / (1 + distance) an occurrence, where the distance is how far terms
 * stand from their place; it minimises one occurrence after the other as Lucene's does, repeated terms included, since
 * scores depend on exactly which occurrences it finds.
 */
import { assert } from '@shoal/core';

/** One term of a phrase: where it belongs, and where it stands in the current document. */
export interface PhrasePositions {
  /** Place in the phrase, counted from 0. */
  readonly offset: number;
  /** Places that share a term share a group; -1 for a place whose terms occur once in the phrase. */
  readonly group: number;
  /** Several terms may stand here. */
  readonly hasChoices: boolean;
  /** Positions in the document, ascending; the first `count` are valid. */
  positions: Uint32Array;
  count: number;
}

export interface PhraseMatcher {
  /** 0 when the phrase does not occur. */
  frequency(): number;
}

/** Counts the positions at which every term stands in its place. */
export class ExactMatcher implements PhraseMatcher {
  private readonly terms: readonly PhrasePositions[];
  /** How far each term's positions are read. */
  private readonly cursors: Uint32Array;

  constructor(terms: readonly PhrasePositions[]) {
    this.terms = terms;
    this.cursors = new Uint32Array(terms.length);
    assert(terms.length > 1, `an exact phrase of ${terms.length} positions`);
  }

  frequency(): number {
    const { terms, cursors } = this;
    let lead = terms[0] as PhrasePositions;
    for (const term of terms) if (term.count < lead.count) lead = term;
    cursors.fill(0);
    let found = 0;
    search: for (let i = 0; i < lead.count; i++) {
      const start = (lead.positions[i] as number) - lead.offset;
      for (let t = 0; t < terms.length; t++) {
        const term = terms[t] as PhrasePositions;
        if (term === lead) continue;
        const wanted = start + term.offset;
        let at = cursors[t] as number;
        while (at < term.count && (term.positions[at] as number) < wanted) at++;
        cursors[t] = at;
        if (at === term.count) return found;
        if (term.positions[at] !== wanted) continue search;
      }
      found++;
    }
    return found;
  }
}

/** A term's walk through its positions, shifted by its place: equal values mean in place. */
interface Walk {
  readonly term: PhrasePositions;
  readonly index: number;
  /** Place among the equal terms of its group. */
  inGroup: number;
  next: number;
  position: number;
}

/** Bounded by slop: `phrases within `slop` moves`. */
export class SloppyMatcher implements PhraseMatcher {
  private readonly slop: number;
  private readonly walks: readonly Walk[];
  private readonly groups: readonly (readonly Walk[])[];
  /** Walks ordered by position, then place; the first is the one behind. */
  private queue: Walk[] = [];
  /** A place that repeats a term has others to choose from. */
  private readonly hasChoices: boolean;
  /** Largest position of any walk. */
  private end = 0;

  constructor(terms: readonly PhrasePositions[], slop: number) {
    this.slop = slop;
    assert(terms.length > 1 && slop > 0, `a phrase of ${terms.length} positions with slop ${slop}`);
    this.walks = terms.map((term, index) => ({ term, index, inGroup: 0, next: 0, position: 0 }));
    const groups = new Map<number, Walk[]>();
    for (const walk of this.walks) {
      if (walk.term.group < 0) continue;
      const group = groups.get(walk.term.group) ?? [];
      groups.set(walk.term.group, group);
      group.push(walk);
    }
    for (const group of groups.values()) {
      group.sort((a, b) => a.term.offset - b.term.offset);
      group.forEach((walk, i) => {
        walk.inGroup = i;
      });
    }
    this.groups = [...groups.values()];
    this.hasChoices = terms.some(({ group, hasChoices }) => group >= 0 && hasChoices);
  }

  frequency(): number {
    if (!this.start()) return 0;
    let frequency = 0;
    for (let length = this.nextLength(); length >= 0; length = this.nextLength()) {
      frequency = Math.fround(frequency + Math.fround(1 / (1 + length)));
    }
    return frequency;
  }

  private start(): boolean {
    for (const walk of this.walks) {
      walk.next = 0;
      this.step(walk);
    }
    for (const group of this.groups) if (!this.startGroup(group)) return false;
    this.queue = [];
    this.end = Number.NEGATIVE_INFINITY;
    for (const walk of this.walks) {
      this.end = Math.max(this.end, walk.position);
      this.enqueue(walk);
    }
    return true;
  }

  /** Equal terms start at different occurrences. */
  private startGroup(group: readonly Walk[]): boolean {
    if (!this.hasChoices) {
      for (let j = 1; j < group.length; j++) {
        for (let k = 0; k < j; k++) if (!this.step(group[j] as Walk)) return false;
      }
      return true;
    }
    // Places that share some of their terms need not collide.
    for (let i = 0; i < group.length; i++) {
      const walk = group[i] as Walk;
      for (let other = collision(group, walk); other; other = collision(group, walk)) {
        const behind = lesser(walk, other);
        if (!this.step(behind)) return false;
        if (behind.inGroup < i) {
          i--;
          break;
        }
      }
    }
    return true;
  }

  private step(walk: Walk): boolean {
    if (walk.next >= walk.term.count) return false;
    walk.position = (walk.term.positions[walk.next++] as number) - walk.term.offset;
    return true;
  }

  /** Distance of the next occurrence; -1 when there is none within the slop. */
  private nextLength(): number {
    let walk = this.queue.shift();
    if (!walk) return -1;
    let length = this.end - walk.position;
    let behind = this.queue[0]?.position ?? Number.POSITIVE_INFINITY;
    while (this.advance(walk)) {
      const settled = this.settleRepeats(walk);
      if (!settled) break;
      if (walk.position > behind) {
        this.enqueue(walk);
        if (length <= this.slop) return length;
        walk = this.queue.shift() as Walk;
        behind = this.queue[0]?.position ?? Number.POSITIVE_INFINITY;
        length = this.end - walk.position;
      } else length = Math.min(length, this.end - walk.position);
    }
    // A term has no more positions: this occurrence is the last.
    this.queue = [];
    return length <= this.slop ? length : -1;
  }

  private advance(walk: Walk): boolean {
    if (!this.step(walk)) return false;
    if (walk.position > this.end) this.end = walk.position;
    return true;
  }

  /** Two equal terms may not stand on one word: the lesser moves on. False when one has no more positions. */
  private settleRepeats(start: Walk): boolean {
    if (start.term.group < 0) return true;
    const group = this.groups.find((walks) => walks.includes(start)) ?? [];
    const moved = new Set<Walk>();
    let walk = start;
    for (let other = collision(group, walk); other; other = collision(group, walk)) {
      walk = lesser(walk, other);
      if (!this.advance(walk)) return false;
      if (walk !== start) moved.add(walk);
    }
    if (moved.size > 0) {
      const kept = this.queue.filter((w) => !moved.has(w));
      const again = this.queue.filter((w) => moved.has(w));
      this.queue = kept;
      for (const w of again) this.enqueue(w);
    }
    return true;
  }

  private enqueue(walk: Walk): void {
    const { queue } = this;
    let i = queue.length;
    while (i > 0 && isBefore(walk, queue[i - 1] as Walk)) i--;
    queue.splice(i, 0, walk);
  }
}

function isBefore(a: Walk, b: Walk): boolean {
  if (a.position !== b.position) return a.position < b.position;
  if (a.term.offset !== b.term.offset) return a.term.offset < b.term.offset;
  return a.index < b.index;
}

function lesser(a: Walk, b: Walk): Walk {
  return a.position < b.position || (a.position === b.position && a.term.offset < b.term.offset) ? a : b;
}

/** Another term of the group on the same word of the document. */
function collision(group: readonly Walk[], walk: Walk): Walk | null {
  const word = walk.position + walk.term.offset;
  for (const other of group) if (other !== walk && other.position + other.term.offset === word) return other;
  return null;
}
