/**
 * The answer to a bulk as bytes, `filter_path` applied: a document that was written costs the bytes of its item, and none
 * at all when the filters leave nothing of it.
 */

import { type AnsweredBatch, BULK_ACTIONS, type BulkItemOutcome, type BulkOutcomes } from '@shoal/coordinator';
import { assert, ByteSink, RawJson, renderCause, type ShoalError, writeJson } from '@shoal/core';
import { answerTree, filterTree, isTreeMap } from '@shoal/http';
import type { ItemSlices } from '@shoal/runtime';
import { FAILED_WORD, RESULT_WORDS } from '@shoal/shard-api';
import { renderWrite, statusOf, statusOfWord } from '../documents/render-documents.ts';
import { SINGLE_TYPE } from '../request/single-type.ts';
import { filterItem, itemTemplate, type TemplatePart } from './item-template.ts';

const COMMA = 0x2c;
const CLOSE_OBJECT = 0x7d;
const CLOSE_LIST = 0x5d;
const QUOTE = 0x22;
const ZERO = 0x30;
/** Numbers up to here are written digit by digit. */
const SMALL_NUMBER_MAX = 0x7fff_ffff;
const NOOP = RESULT_WORDS.indexOf('noop');
const NO_COPIES = { total: 0, successful: 0, failed: 0 };
const ITEMS_OPEN: Uint8Array = Buffer.from('"items":[');
const HEAD_BYTES = 256;
/** Estimated bytes of an item: sets the first size of the buffer, since growing copies it. */
const ITEM_BYTES = 192;
/** Different errors that are kept as they are shown. */
const ERRORS_KEPT_MAX = 1_000;

export interface BulkAnswerOptions {
  /** Duration of the request, measured by the coordinator. */
  readonly tookMs: number;
  /** Patterns of `filter_path`; empty: the whole answer. */
  readonly filters: readonly string[];
  /** Items show the mapping type, as version 7 does. */
  readonly withTypes: boolean;
}

export async function renderBulk(
  outcomes: BulkOutcomes,
  options: BulkAnswerOptions,
  turns: ItemSlices,
): Promise<Uint8Array> {
  const { tookMs, filters } = options;
  const facts = new Map<string, unknown>([
    ['took', tookMs],
    ...(outcomes.ingestTookMs === null ? [] : [['ingest_took', outcomes.ingestTookMs] as const]),
    ['errors', outcomes.hasErrors],
  ]);
  const head = filterTree(facts, filters);
  const sink = new ByteSink(HEAD_BYTES + (filters.length === 0 ? outcomes.length * ITEM_BYTES : 0));
  sink.raw(writeJson(head));
  // The closing brace is cut off: the items follow.
  sink.length--;
  const isFirst = !isTreeMap(head) || head.size === 0;
  const emptyLength = sink.length;
  if (!isFirst) sink.u8(COMMA);
  sink.raw(ITEMS_OPEN);
  const itemsStart = sink.length;
  const items = new ItemWriter(outcomes, options, sink);
  for (let at = 0; at < outcomes.length; at++) {
    if (items.write(at)) sink.u8(COMMA);
    const pause = turns.step();
    if (pause !== null) await pause;
  }
  assert(sink.length >= itemsStart, `the answer shrank from ${itemsStart} to ${sink.length} bytes`);
  if (sink.length === itemsStart) sink.length = emptyLength;
  else {
    // The comma after the last item is overwritten.
    sink.length--;
    sink.u8(CLOSE_LIST);
  }
  sink.u8(CLOSE_OBJECT);
  return sink.written();
}

type FailedItem = Extract<BulkItemOutcome, { kind: 'failed' }>;

interface KnownTemplate {
  readonly primaryTerm: number;
  readonly parts: readonly TemplatePart[] | null;
}

class ItemWriter {
  readonly #outcomes: BulkOutcomes;
  readonly #filters: readonly string[];
  readonly #withTypes: boolean;
  readonly #sink: ByteSink;
  /** Errors as they are shown: many items may have one. */
  readonly #errors = new Map<ShoalError, Uint8Array>();
  /** Templates of each batch, by action and result word. */
  readonly #templates = new Map<AnsweredBatch, (KnownTemplate | undefined)[]>();

  constructor(outcomes: BulkOutcomes, { filters, withTypes }: BulkAnswerOptions, sink: ByteSink) {
    this.#outcomes = outcomes;
    this.#filters = filters;
    this.#withTypes = withTypes;
    this.#sink = sink;
  }

  /** @returns false when the filters leave nothing of the item */
  write(at: number): boolean {
    const batch = this.#outcomes.batch(at);
    if (batch === null) return this.#writeWhole(at);
    const row = this.#outcomes.row(at);
    const { words, versions, seqNos, primaryTerms } = batch.columns;
    const word = words[row] as number;
    if (word === FAILED_WORD || batch.results.sources.has(row)) return this.#writeWhole(at);
    const parts = this.#template(batch, this.#outcomes.items.action(at), word, primaryTerms[row] as number);
    if (parts === null) return false;
    for (let i = 0; i < parts.length; i++) {
      const { bytes, variable } = parts[i] as TemplatePart;
      this.#put(bytes, 0, bytes.length);
      if (variable === 'id') this.#putId(at);
      else if (variable === 'version') this.#putNumber(versions[row] as number);
      else if (variable === 'seqNo') this.#putNumber(seqNos[row] as number);
    }
    return true;
  }

  #template(batch: AnsweredBatch, action: number, word: number, primaryTerm: number): readonly TemplatePart[] | null {
    const known = this.#templates.get(batch) ?? [];
    const key = action * RESULT_WORDS.length + word;
    const template = known[key];
    if (template?.primaryTerm === primaryTerm) return template.parts;
    const result = RESULT_WORDS[word];
    assert(result !== undefined, `the unknown result ${word}`);
    const isNoop = word === NOOP;
    const fields = {
      action: BULK_ACTIONS[action] ?? 'index',
      index: batch.shard.index,
      type: this.#withTypes ? SINGLE_TYPE : null,
      result,
      forcedRefresh: batch.shard.forcedRefresh && !isNoop,
      shards: isNoop ? NO_COPIES : batch.shards,
      primaryTerm,
      status: statusOfWord(result),
    };
    const parts = itemTemplate(fields, this.#filters);
    known[key] = { primaryTerm, parts };
    this.#templates.set(batch, known);
    return parts;
  }

  /** Writes an item that failed, or comes with its document. */
  #writeWhole(at: number): boolean {
    const outcome = this.#outcomes.at(at);
    if (this.#filters.length === 0 && outcome.kind === 'failed') return this.#writeFailed(outcome);
    const bytes = renderItem(outcome, this.#withTypes);
    if (this.#filters.length === 0) {
      this.#sink.raw(bytes);
      return true;
    }
    const tree = answerTree(new RawJson(bytes));
    const shown = isTreeMap(tree) ? filterItem(tree, this.#filters) : null;
    if (shown !== null) this.#sink.raw(writeJson(shown));
    return shown !== null;
  }

  /** An item that failed, around its error, which is printed once. */
  #writeFailed(outcome: FailedItem): true {
    const { action, error } = outcome;
    const item = JSON.stringify(failedItem(outcome, this.#withTypes));
    this.#sink.raw(Buffer.from(`{"${action}":${item.slice(0, -1)},"error":`));
    this.#sink.raw(this.#shownError(error));
    this.#sink.u8(CLOSE_OBJECT);
    this.#sink.u8(CLOSE_OBJECT);
    return true;
  }

  #shownError(error: ShoalError): Uint8Array {
    const known = this.#errors.get(error);
    if (known !== undefined) return known;
    const shown = Buffer.from(JSON.stringify(renderCause(error)));
    if (this.#errors.size < ERRORS_KEPT_MAX) this.#errors.set(error, shown);
    return shown;
  }

  #putId(at: number): void {
    const { items } = this.#outcomes;
    if (!items.hasPlainId(at)) {
      this.#sink.raw(Buffer.from(JSON.stringify(items.id(at))));
      return;
    }
    const { bytes, start, end } = items.idRange(at);
    this.#sink.u8(QUOTE);
    this.#put(bytes, start, end);
    this.#sink.u8(QUOTE);
  }

  /** Copies byte by byte: the pieces are too short for a block copy to pay. */
  #put(bytes: Uint8Array, start: number, end: number): void {
    const sink = this.#sink;
    sink.reserve(end - start);
    const out = sink.bytes;
    let to = sink.length;
    for (let from = start; from < end; from++) out[to++] = bytes[from] as number;
    sink.length = to;
  }

  #putNumber(value: number): void {
    if (value < 0 || value > SMALL_NUMBER_MAX) {
      this.#sink.raw(Buffer.from(String(value)));
      return;
    }
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.trunc(rest / 10)) digits++;
    const sink = this.#sink;
    sink.reserve(digits);
    let rest = value;
    for (let to = sink.length + digits - 1; to >= sink.length; to--) {
      const next = Math.trunc(rest / 10);
      sink.bytes[to] = ZERO + (rest - next * 10);
      rest = next;
    }
    sink.length += digits;
  }
}

function renderItem(outcome: BulkItemOutcome, withType: boolean): Uint8Array {
  const status = statusOf(outcome);
  if (outcome.kind === 'done') return writeJson({ [outcome.action]: { ...renderWrite(outcome, withType), status } });
  const item = { ...failedItem(outcome, withType), error: renderCause(outcome.error) };
  return Buffer.from(JSON.stringify({ [outcome.action]: item }));
}

/** An item that failed, without its error. */
function failedItem(
  { index, id, error, failureStore }: FailedItem,
  withType: boolean,
): Readonly<Record<string, unknown>> {
  return {
    _index: index,
    _type: withType ? SINGLE_TYPE : undefined,
    _id: id,
    status: error.status,
    failure_store: failureStore ?? undefined,
  };
}
