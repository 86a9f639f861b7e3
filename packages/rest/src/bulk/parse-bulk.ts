/**
 * The body of `_bulk`: lines of actions and documents, split by bytes. Documents are never looked into, and most action
 * lines are no more than compared.
 */

import { BulkItems, DELETE_ACTION, NO_SOURCE, type PlainItem, UPDATE_ACTION } from '@shoal/coordinator';
import { type BytePieces, illegalArgument, type ShoalError } from '@shoal/core';
import type { ItemSlices } from '@shoal/runtime';
import { NO_CONDITIONS } from '@shoal/shard-api';
import { conditionProblem, ID_BYTES_MAX, idTooLong, validationFailed } from '../documents/write-problems.ts';
import { type ActionLine, type BulkDefaults, readAction, type Warn } from './action-line.ts';
import { PlainActions } from './plain-action.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Items of one request; memory is bounded by the body, this bounds the columns made of it. */
const ITEMS_MAX = 5_000_000;
/** Estimated bytes of a document with its action line: sets the first size of the columns. */
const ITEM_BYTES = 512;

/** Rejects with 400 for a body that is no bulk; what is wrong with one document alone fails that item later. */
export async function parseBulk(
  body: BytePieces,
  defaults: BulkDefaults,
  turns: ItemSlices,
  warn: Warn = () => undefined,
): Promise<BulkItems> {
  const last = body.count === 0 ? undefined : body.at(body.count - 1);
  if (last !== undefined && last.length > 0 && last[last.length - 1] !== LINE_FEED) {
    throw illegalArgument('The bulk request must be terminated by a newline [\\n]');
  }
  const reader = new BulkReader(body, defaults, warn);
  while (reader.next()) {
    const pause = turns.step();
    if (pause !== null) await pause;
  }
  return reader.finish();
}

class BulkReader {
  readonly #body: BytePieces;
  readonly #defaults: BulkDefaults;
  readonly #warn: Warn;
  readonly #items: BulkItems;
  readonly #plain: PlainActions;
  readonly #problems: string[] = [];
  /** Number of the piece that is read, and the piece. */
  #piece = -1;
  #bytes: Buffer = Buffer.alloc(0);
  /** Offset in the piece. */
  #at = 0;
  /** Number of the line read last, from 1. */
  #lineNumber = 0;
  /** Bounds of the line read last, without its line feed. */
  #lineStart = 0;
  #lineEnd = 0;

  constructor(body: BytePieces, defaults: BulkDefaults, warn: Warn) {
    this.#body = body;
    this.#defaults = defaults;
    this.#warn = warn;
    const capacity = Math.ceil(body.length / ITEM_BYTES);
    this.#items = new BulkItems(body, { ...defaults, conditions: NO_CONDITIONS }, capacity);
    this.#plain = new PlainActions(this.#items, defaults.index ?? '');
  }

  /** Reads an action and its document; false at the end. */
  next(): boolean {
    if (this.#at === this.#bytes.length && !this.#nextPiece()) return false;
    const end = this.#plain.read(this.#at);
    if (end !== null) {
      this.#at = end;
      this.#lineNumber++;
      this.#takePlain(this.#plain);
      return true;
    }
    if (!this.#nextLine()) return false;
    if (this.#lineStart === this.#lineEnd) return true;
    const line = this.#bytes.subarray(this.#lineStart, this.#lineEnd);
    this.#take(readAction(line, this.#lineNumber, this.#defaults, this.#warn));
    return true;
  }

  /** Goes on to the next piece; lines end where pieces end. */
  #nextPiece(): boolean {
    do {
      if (this.#piece + 1 >= this.#body.count) return false;
      this.#piece++;
      const bytes = this.#body.at(this.#piece);
      this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    } while (this.#bytes.length === 0);
    this.#at = 0;
    this.#plain.enter(this.#bytes);
    return true;
  }

  #nextLine(): boolean {
    if (this.#at >= this.#bytes.length && !this.#nextPiece()) return false;
    const end = this.#bytes.indexOf(LINE_FEED, this.#at);
    this.#lineStart = this.#at;
    this.#lineEnd = end > this.#at && this.#bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    this.#at = end + 1;
    this.#lineNumber++;
    return true;
  }

  #takePlain(item: PlainItem): void {
    const { action, idStart, idEnd } = item;
    this.#items.addPlain(item, this.#bytes);
    if (action !== DELETE_ACTION) {
      if (!this.#nextLine()) throw missingSource(this.#lineNumber);
      this.#items.placeLast(this.#piece, this.#lineStart, this.#lineEnd);
    }
    this.#checkCount();
    const isById = action === DELETE_ACTION || action === UPDATE_ACTION;
    const isSound = idStart === idEnd ? !isById : idEnd - idStart <= ID_BYTES_MAX;
    if (isSound && this.#items.targets[item.target]?.name !== '') return;
    const at = this.#items.length - 1;
    this.#note(this.#items.indexName(at), this.#items.ownId(at), isById);
  }

  #take(line: ActionLine): void {
    const isDelete = line.action === 'delete';
    if (!isDelete && !this.#nextLine()) throw missingSource(this.#lineNumber);
    this.#items.add(line, isDelete ? NO_SOURCE : { piece: this.#piece, start: this.#lineStart, end: this.#lineEnd });
    this.#checkCount();
    const isNamed = this.#note(line.index, line.id, isDelete || line.action === 'update');
    const problem =
      isNamed && line.id !== null && line.id !== '' ? conditionProblem(line.action, line.conditions) : null;
    if (problem !== null) this.#problems.push(problem);
  }

  /** Records what is wrong with index and id. @returns true when nothing is */
  #note(index: string, id: string | null, isById: boolean): boolean {
    const problem = nameProblem(index, id, isById);
    if (problem !== null) this.#problems.push(problem);
    return problem === null;
  }

  #checkCount(): void {
    if (this.#items.length > ITEMS_MAX) throw illegalArgument(`a bulk request has at most [${ITEMS_MAX}] items`);
  }

  finish(): BulkItems {
    if (this.#items.length === 0) throw validationFailed(['no requests added']);
    if (this.#problems.length > 0) throw validationFailed(this.#problems);
    return this.#items;
  }
}

function nameProblem(index: string, id: string | null, isById: boolean): string | null {
  if (index === '') return 'index is missing';
  // An empty id of a document fails that document alone.
  if (id === null || id === '') return isById ? 'id is missing' : null;
  const bytes = Buffer.byteLength(id);
  return bytes > ID_BYTES_MAX ? idTooLong(id, bytes) : null;
}

function missingSource(lineNumber: number): ShoalError {
  return illegalArgument(`The bulk request must have a document behind its action in line [${lineNumber}]`);
}
