/**
 * The first terms of a field that begin with a text, over all segments of a shard; those of deleted documents too, until a merge
 * drops them.
 */

import type { Clock } from '@shoal/runtime';
import type { FieldMapping } from '@shoal/schema';
import type { QueryShardRequest, ShardTerms, TermsEnumRequest } from '@shoal/shard-api';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import { FIELD_NAMES_FIELD } from '../../format/metadata-fields.ts';
import type { TermDictionary } from '../../format/reader/segment-reader.ts';
import { utf8Bytes } from '../../match/context/compile-context.ts';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import { WorkPacer } from '../../pacing/work-pacer.ts';
import type { QueryContext } from '../context/query-context.ts';
import { compileContext } from '../query/execute-query.ts';
import { RequestMoment } from '../query/request-moment.ts';
import { skippedShard } from '../query/skipped-shard.ts';

const NO_TERMS: ShardTerms = { terms: [], isComplete: true };
/** Terms between two looks at the clock. */
const STEP_TERMS = 256;
/** Types whose terms are whole values. */
const KINDS: ReadonlySet<string> = new Set(['constant_keyword', 'flattened', 'keyword']);

/** @param request a search whose query says whether the shard counts at all */
export async function enumerateTerms(
  context: QueryContext,
  request: QueryShardRequest,
  asked: TermsEnumRequest,
  { stop, clock }: { readonly stop: StopSignal; readonly clock: Clock },
): Promise<ShardTerms> {
  // Its terms are names of fields, and no mapping has it.
  const isOfNames = asked.field === FIELD_NAMES_FIELD;
  const field = isOfNames ? null : context.mapping.field(asked.field);
  const path = isOfNames ? FIELD_NAMES_FIELD : field !== null && KINDS.has(field.kind) ? field.path : null;
  if (path === null) return NO_TERMS;
  if (skippedShard(compileContext(context, request, new RequestMoment(request.nowMs)), request) !== null) {
    return NO_TERMS;
  }
  const wanted = new WantedTerms(asked);
  if (field !== null && field.constant !== null) return { terms: constantTerms(field, wanted), isComplete: true };
  const nowMs = (): number => clock.monotonicMs();
  const yieldNow = context.yieldNow ?? null;
  const pacer = new WorkPacer({ stop, nowMs, timeoutMs: asked.timeoutMs, yieldNow });
  const found = new Map<string, Uint8Array>();
  for (const { segment } of context.searcher.views) {
    const dictionary = segment.terms(path);
    if (dictionary === null) continue;
    for (const terms of wanted.in(dictionary)) {
      for (const term of terms) found.set(Buffer.from(term).toString(), term);
      const pause = pacer.checkpoint();
      if (pacer.isOver) return { terms: firstOf(found, asked.size), isComplete: false };
      if (pause !== null) await pause;
    }
  }
  return { terms: firstOf(found, asked.size), isComplete: true };
}

function firstOf(found: ReadonlyMap<string, Uint8Array>, size: number): readonly string[] {
  const sorted = [...found].sort(([, a], [, b]) => compareBytes(a, 0, a.length, b));
  return sorted.slice(0, size).map(([text]) => text);
}

/** The value of the field, which every document has. */
function constantTerms({ constant }: FieldMapping, wanted: WantedTerms): readonly string[] {
  return constant !== null && wanted.has(utf8Bytes(constant)) ? [constant] : [];
}

class WantedTerms {
  readonly #asked: TermsEnumRequest;
  readonly #prefix: Uint8Array;
  /** Terms up to this one are left out. */
  readonly #after: Uint8Array | null;

  constructor(asked: TermsEnumRequest) {
    const prefix = utf8Bytes(asked.prefix);
    this.#asked = asked;
    this.#prefix = asked.isCaseInsensitive ? prefix.map(foldedByte) : prefix;
    this.#after = asked.after === null ? null : utf8Bytes(asked.after);
  }

  has(term: Uint8Array): boolean {
    if (this.#after !== null && compareBytes(term, 0, term.length, this.#after) <= 0) return false;
    if (term.length < this.#prefix.length) return false;
    const isFolded = this.#asked.isCaseInsensitive;
    return this.#prefix.every((byte, i) => byte === (isFolded ? foldedByte(term[i] ?? 0) : term[i]));
  }

  /** The first wanted terms of a dictionary, as copies, in pieces of so much work. */
  *in(dictionary: TermDictionary): Generator<readonly Uint8Array[], void> {
    let left = this.#asked.size;
    for (const start of this.#starts()) {
      const isBehind = this.#after !== null && compareBytes(this.#after, 0, this.#after.length, start) > 0;
      const from = isBehind && this.#after !== null ? this.#after : start;
      let found: Uint8Array[] = [];
      for (let at = dictionary.ceiling(from); at < dictionary.size && left > 0; at++) {
        const term = dictionary.term(at);
        if (!beginsWith(term, start)) break;
        if (this.has(term)) {
          found.push(term.slice());
          left--;
        }
        if ((at + 1) % STEP_TERMS === 0) {
          yield found;
          found = [];
        }
      }
      yield found;
    }
  }

  /** What wanted terms begin with, as they are written, in their order: the prefix, or its first letter in each case. */
  #starts(): readonly Uint8Array[] {
    const [first] = this.#prefix;
    if (!this.#asked.isCaseInsensitive) return [this.#prefix];
    if (first === undefined) return [new Uint8Array(0)];
    return isLetter(first) ? [Uint8Array.of(first - CASE_DISTANCE), Uint8Array.of(first)] : [Uint8Array.of(first)];
  }
}

/** From a capital letter of ASCII to the small one. */
const CASE_DISTANCE = 0x20;

function isLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

function foldedByte(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + CASE_DISTANCE : byte;
}

function beginsWith(term: Uint8Array, start: Uint8Array): boolean {
  return term.length >= start.length && start.every((byte, i) => byte === term[i]);
}
