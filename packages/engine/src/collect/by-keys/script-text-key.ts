/**
 * Sort key of `_script` of the type `string`: the text that a script makes of a document, or of its nested objects.
 *
 * A key is a number, and the place of a text among others is known only when all are: the script runs over each match when it
 * is observed, and texts get their ranks at the first key.
 */
import { assert, illegalArgument } from '@shoal/core';
import type { SortField } from '@shoal/query';
import { STRING_SORT_CONTEXT } from '@shoal/script';
import type { SortColumn } from '@shoal/shard-api';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { DocumentScript } from '../../match/scripts/document-script.ts';
import { type InnerDocs, innerDocs } from './inner-values.ts';
import type { SortKey } from './segment-key.ts';

/** Characters of all different texts of a segment. */
const CHARACTERS_MAX = 64 * 1024 * 1024;
/** Place of a document without objects. */
const NONE = -1;

type TextOf = (doc: number) => string | null;

/** @throws ShoalError where the script does not compile, or reads scores */
export function scriptTextKey(ctx: CompileContext, field: SortField): SortKey['bind'] {
  const { order, script, nested } = field;
  assert(script !== undefined, 'a sort by a script without one');
  const compiled = new DocumentScript(ctx, script, STRING_SORT_CONTEXT);
  if (compiled.readsScore) {
    throw illegalArgument('[_score] in a sort by [_script] of type [string] is not supported by this server');
  }
  const sign = order === 'desc' ? -1 : 1;
  const bindInner = nested === undefined ? null : innerDocs(ctx, nested);
  return (view) => {
    const run = compiled.bind(view) as (doc: number, score: number) => string;
    const inner = bindInner?.(view) ?? null;
    const textOf: TextOf = inner === null ? (doc) => run(doc, 0) : innerText(field, (doc) => run(doc, 0), inner);
    const texts = new ScriptTexts();
    return {
      isLocal: true,
      observe: (docs, count) => {
        for (let i = 0; i < count; i++) texts.take(docs[i] as number, textOf(docs[i] as number));
      },
      key: (doc) => {
        const rank = texts.rank(doc);
        return rank === NONE ? Number.POSITIVE_INFINITY : sign * rank;
      },
      keyOfValue: (value) => (value === null ? Number.POSITIVE_INFINITY : sign * texts.rankOfText(String(value))),
      column: (_docs, keys) => textColumn(texts.ordered(), keys, sign),
    };
  };
}

/** Least or greatest text of the objects of a document; null when it has none. */
function innerText({ mode, order }: SortField, run: (doc: number) => string, inner: InnerDocs): TextOf {
  const isMax = (mode ?? (order === 'asc' ? 'min' : 'max')) === 'max';
  return (doc) => {
    let best: Buffer | null = null;
    let count = 0;
    inner.each(doc, (at) => {
      if (++count > inner.limit) return false;
      const text = Buffer.from(run(at));
      if (best === null || (isMax ? Buffer.compare(text, best) > 0 : Buffer.compare(text, best) < 0)) best = text;
      return true;
    });
    return best === null ? null : String(best);
  };
}

/** Texts of the matches of a segment, and their order. */
class ScriptTexts {
  readonly #placeOfDoc = new Map<number, number>();
  readonly #places = new Map<string, number>();
  #characters = 0;
  /** null until a rank is asked for. */
  #known: { readonly ordered: readonly Buffer[]; readonly rankOfPlace: Int32Array } | null = null;

  take(doc: number, text: string | null): void {
    assert(this.#known === null, `document ${doc} is observed behind the first key`);
    if (text === null) return;
    let place = this.#places.get(text);
    if (place === undefined) {
      place = this.#places.size;
      this.#places.set(text, place);
      this.#characters += text.length;
      if (this.#characters > CHARACTERS_MAX) {
        throw illegalArgument(`a sort by texts of a script takes at most [${CHARACTERS_MAX}] characters of a segment`);
      }
    }
    this.#placeOfDoc.set(doc, place);
  }

  ordered(): readonly Buffer[] {
    return this.#order().ordered;
  }

  rank(doc: number): number {
    const place = this.#placeOfDoc.get(doc);
    return place === undefined ? NONE : (this.#order().rankOfPlace[place] as number);
  }

  /** Half a step below the next greater one when no match has the text. */
  rankOfText(text: string): number {
    const texts = this.ordered();
    const bytes = Buffer.from(text);
    let [low, high] = [0, texts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Buffer.compare(texts[middle] as Buffer, bytes) < 0) low = middle + 1;
      else high = middle;
    }
    const found = texts[low];
    return found !== undefined && compareBytes(found, 0, found.length, bytes) === 0 ? low : low - 0.5;
  }

  #order(): { readonly ordered: readonly Buffer[]; readonly rankOfPlace: Int32Array } {
    if (this.#known !== null) return this.#known;
    const texts = [...this.#places.keys()].map((text) => Buffer.from(text));
    const places = [...texts.keys()].sort((a, b) => Buffer.compare(texts[a] as Buffer, texts[b] as Buffer));
    const rankOfPlace = new Int32Array(places.length);
    for (const [rank, place] of places.entries()) rankOfPlace[place] = rank;
    this.#known = { ordered: places.map((place) => texts[place] as Buffer), rankOfPlace };
    return this.#known;
  }
}

function textColumn(texts: readonly Uint8Array[], keys: Float64Array, sign: number): SortColumn {
  const offsets = new Uint32Array(keys.length + 1);
  const missing = new Uint8Array(keys.length);
  const parts: Uint8Array[] = [];
  for (const [i, key] of keys.entries()) {
    const part = Number.isFinite(key) ? (texts[Math.abs(sign * key)] as Uint8Array) : null;
    if (part === null) missing[i] = 1;
    else parts.push(part);
    offsets[i + 1] = (offsets[i] as number) + (part?.length ?? 0);
  }
  return { kind: 'string', shown: 'text', offsets, bytes: Buffer.concat(parts), missing };
}
