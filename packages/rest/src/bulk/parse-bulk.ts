/**
 * The body of `_bulk`: lines of actions and documents, split by bytes. Documents are never looked into, and most action
 * lines are no more than compared.
 */

import { BulkItems, DELETE_ACTION, type PlainItem, UPDATE_ACTION } from '@shoal/coordinator';
import { illegalArgument, type ShoalError } from '@shoal/core';
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
  body: Uint8Array,
  defaults: BulkDefaults,
  turns: ItemSlices,
  warn: Warn = () => undefined,
): Promise<BulkItems> {
  if (body.length > 0 && body[body.length - 1] !== LINE_FEED) {
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
  readonly #body: Buffer;
  readonly #defaults: BulkDefaults;
  readonly #warn: Warn;
  readonly #items: BulkItems;
  readonly #plain: PlainActions;
  readonly #problems: string[] = [];
  #at = 0;
  /** Number of the line read last, from 1. */
  #lineNumber = 0;
  /** Bounds of the line read last, without its line feed. */
  #lineStart = 0;
  #lineEnd = 0;

  constructor(body: Uint8Array, defaults: BulkDefaults, warn: Warn) {
    this.#body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.#defaults = defaults;
    this.#warn = warn;
    const capacity = Math.ceil(body.length / ITEM_BYTES);
    this.#items = new BulkItems(this.#body, { ...defaults, conditions: NO_CONDITIONS }, capacity);
    this.#plain = new PlainActions(this.#body, this.#items, defaults.index ?? '');
  }

  /** Reads an action and its document; false at the end. */
  next(): boolean {
    const end = this.#plain.read(this.#at);
    if (end !== null) {
      this.#at = end;
      this.#lineNumber++;
      this.#takePlain(this.#plain);
      return true;
    }
    if (!this.#nextLine()) return false;
    if (this.#lineStart === this.#lineEnd) return true;
    const line = this.#body.subarray(this.#lineStart, this.#lineEnd);
    this.#take(readAction(line, this.#lineNumber, this.#defaults, this.#warn));
    return true;
  }

  #nextLine(): boolean {
    if (this.#at >= this.#body.length) return false;
    const end = this.#body.indexOf(LINE_FEED, this.#at);
    this.#lineStart = this.#at;
    this.#lineEnd = end > this.#at && this.#body[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    this.#at = end + 1;
    this.#lineNumber++;
    return true;
  }

  #takePlain(item: PlainItem): void {
    const { action, idStart, idEnd } = item;
    if (action === DELETE_ACTION) this.#items.addPlain(item, 0, 0);
    else {
      if (!this.#nextLine()) throw missingSource(this.#lineNumber);
      this.#items.addPlain(item, this.#lineStart, this.#lineEnd);
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
    this.#items.add(line, isDelete ? 0 : this.#lineStart, isDelete ? 0 : this.#lineEnd);
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
