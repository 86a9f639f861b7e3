/**
 * The best completions of a shard, as many as are wanted: each document once, with the input that is worth most, and if asked each
 * text once.
 */
import { assert } from '@shoal/core';
import { compareTexts } from './spell-checker.ts';

export interface FoundCompletion {
  /** Ordinal of the document in the searcher. */
  readonly ord: number;
  readonly text: string;
  readonly score: number;
  /** Values by the position of the context, in the order in which they were found. */
  readonly contexts: ReadonlyMap<number, ReadonlySet<string>>;
}

interface Held extends FoundCompletion {
  readonly contexts: Map<number, Set<string>>;
}

export interface BestOptions {
  readonly size: number;
  readonly skipsDuplicates: boolean;
  /** Contexts of documents are shown: also a match that is worth less adds one. */
  readonly mergesContexts: boolean;
}

export class BestCompletions {
  readonly #options: BestOptions;
  /** The best first. */
  readonly #best: Held[] = [];
  readonly #byOrd = new Map<number, Held>();
  readonly #byText = new Map<string, Held>();

  constructor(options: BestOptions) {
    this.#options = options;
  }

  /** False: no match that is worth so much changes anything. */
  mayTake(score: number): boolean {
    const { size, mergesContexts } = this.#options;
    const last = this.#best[size - 1];
    return last === undefined || mergesContexts || score >= last.score;
  }

  add(
    found: Omit<FoundCompletion, 'contexts'>,
    context: { readonly position: number; readonly value: string } | null,
  ): void {
    const known = this.#byOrd.get(found.ord);
    const contexts = known?.contexts ?? new Map<number, Set<string>>();
    if (known !== undefined) {
      if (context !== null) addContext(contexts, context);
      if (compare(found, known) >= 0) return;
    }
    const same = this.#options.skipsDuplicates ? this.#byText.get(found.text) : undefined;
    if (same !== undefined && same !== known && compare(found, same) >= 0) return;
    const last = this.#best[this.#options.size - 1];
    if (known === undefined && same === undefined && last !== undefined && compare(found, last) >= 0) return;
    if (known !== undefined) this.#remove(known);
    if (same !== undefined && same !== known) this.#remove(same);
    if (known === undefined && context !== null) addContext(contexts, context);
    this.#insert({ ...found, contexts });
  }

  result(): readonly FoundCompletion[] {
    return this.#best;
  }

  #insert(held: Held): void {
    this.#best.splice(this.#placeOf(held), 0, held);
    this.#byOrd.set(held.ord, held);
    this.#byText.set(held.text, held);
    const { size } = this.#options;
    if (this.#best.length > size) this.#remove(this.#best[size] as Held);
    assert(this.#best.length <= size, `${this.#best.length} completions of at most ${size}`);
  }

  /** How many are better. */
  #placeOf(held: Held): number {
    let from = 0;
    let to = this.#best.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (compare(this.#best[middle] as Held, held) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #remove(held: Held): void {
    const at = this.#placeOf(held);
    assert(this.#best[at] === held, `document ${held.ord} is not where its completion belongs`);
    this.#best.splice(at, 1);
    this.#byOrd.delete(held.ord);
    if (this.#byText.get(held.text) === held) this.#byText.delete(held.text);
  }
}

function addContext(
  contexts: Map<number, Set<string>>,
  { position, value }: { readonly position: number; readonly value: string },
): void {
  const values = contexts.get(position) ?? new Set<string>();
  values.add(value);
  contexts.set(position, values);
}

/** The more worth first, of equal ones the first text, then the first document. */
function compare(a: Omit<FoundCompletion, 'contexts'>, b: Omit<FoundCompletion, 'contexts'>): number {
  return b.score - a.score || compareTexts(a.text, b.text) || a.ord - b.ord;
}
