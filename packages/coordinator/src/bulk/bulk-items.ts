/**
 * The items of a bulk as columns: in which piece of the body each document stands and where, which index it is for, its id as bytes.
 * Nothing of an item is an object, but for the few that say more than an index and an id.
 */
import { assert, BytePieces, DOCUMENT_ID_CHARS, type IdGenerator } from '@shoal/core';
import type { SourceFilter } from '@shoal/query';
import type { AssignedTemplates } from '@shoal/schema';
import { type ByteRange, NO_CONDITIONS, type WriteConditions } from '@shoal/shard-api';

export type BulkAction = 'index' | 'create' | 'update' | 'delete';

/** Position in it is the action's number in a column. */
export const BULK_ACTIONS: readonly BulkAction[] = ['index', 'create', 'update', 'delete'];
export const CREATE_ACTION = 1;
export const UPDATE_ACTION = 2;
export const DELETE_ACTION = 3;

/** What most items leave at what the request says. */
export interface ItemExtras {
  readonly routing: string | null;
  readonly conditions: WriteConditions;
  readonly requireAlias: boolean;
  readonly requireDataStream: boolean;
  /** What an update answers of the changed document; null: what its body says. */
  readonly sourceFilter: SourceFilter | null;
  /** Ingest pipeline; `_none`: not even that of the index. null: that of the index, if it names one. */
  readonly pipeline: string | null;
  /** Dynamic templates by the paths of the fields that they are for; left out where the item names none. */
  readonly templates?: AssignedTemplates;
}

/** What a write has that a node makes by itself. */
export const NO_EXTRAS: ItemExtras = {
  routing: null,
  conditions: NO_CONDITIONS,
  requireAlias: false,
  requireDataStream: false,
  sourceFilter: null,
  pipeline: null,
};

export interface BulkItem extends ItemExtras {
  readonly action: BulkAction;
  readonly index: string;
  /** null: one is made. */
  readonly id: string | null;
  /** The document, or the body of an update; null for a delete. */
  readonly source: Uint8Array | null;
}

/** An id that is in the body as it is meant: printable ASCII, nothing escaped. */
const PLAIN_ID = 1;
/** The item came with an id. */
const OWN_ID = 2;
const CAPACITY_MIN = 8;

interface Columns {
  readonly actions: Uint8Array;
  readonly marks: Uint8Array;
  readonly targets: Uint32Array;
  readonly idStarts: Uint32Array;
  readonly idEnds: Uint32Array;
  readonly pieces: Uint32Array;
  readonly sourceStarts: Uint32Array;
  readonly sourceEnds: Uint32Array;
}

/** One index, or alias, by the name that items give. */
export interface BulkTarget {
  readonly name: string;
  /** An item would make an index of that name if there is none. */
  createsIndex: boolean;
  /** An item would make a data stream of that name if there is none. */
  createsDataStream: boolean;
}

/** What an action line says that the scanner of plain lines can read. */
export interface PlainItem {
  readonly action: number;
  readonly target: number;
  /** Offset of the id in the piece of the body that is read; `NO_ID` when there is none. */
  readonly idStart: number;
  readonly idEnd: number;
}

export const NO_ID = -1;
/** Place of the source of an item that has none. */
export const NO_SOURCE: SourcePlace = { piece: 0, start: 0, end: 0 };
const NO_BYTES: Uint8Array = new Uint8Array(0);

/** Where the source of an item stands; `start` and `end` are equal for one that has none. */
export interface SourcePlace {
  /** Number of the piece of the body. */
  readonly piece: number;
  /** Offset in that piece. */
  readonly start: number;
  readonly end: number;
}

export class BulkItems {
  /** Documents are parts of its pieces; who needs a piece no longer drops it. */
  readonly body: BytePieces;
  readonly targets: BulkTarget[] = [];
  readonly #defaults: ItemExtras;
  readonly #targetNumbers = new Map<string, number>();
  readonly #extras = new Map<number, ItemExtras>();
  #columns: Columns;
  #ids: Uint8Array;
  #idsEnd = 0;
  #length = 0;

  /** @param defaults for items that do not say otherwise */
  constructor(body: BytePieces, defaults: ItemExtras, capacity: number = CAPACITY_MIN) {
    this.body = body;
    this.#defaults = defaults;
    this.#columns = columnsFor(capacity);
    this.#ids = new Uint8Array(capacity * DOCUMENT_ID_CHARS);
  }

  /** A bulk of one. */
  static of(item: BulkItem): BulkItems {
    return BulkItems.ofAll([item], item);
  }

  /** A bulk whose body is the documents of these items, one piece each. */
  static ofAll(
    list: readonly BulkItem[],
    defaults: ItemExtras,
    isWritten: (at: number) => boolean = () => true,
  ): BulkItems {
    const items = new BulkItems(new BytePieces(list.map(({ source }) => source ?? NO_BYTES)), defaults, list.length);
    for (const [at, item] of list.entries()) {
      items.add(item, { piece: at, start: 0, end: item.source?.length ?? 0 }, isWritten(at));
    }
    return items;
  }

  get length(): number {
    return this.#length;
  }

  /** Number of the target of that name. */
  targetOf(name: string): number {
    const known = this.#targetNumbers.get(name);
    if (known !== undefined) return known;
    this.targets.push({ name, createsIndex: false, createsDataStream: false });
    this.#targetNumbers.set(name, this.targets.length - 1);
    return this.targets.length - 1;
  }

  /**
   * An item with anything.
   *
   * @param creates false: the item is not written, and creates no index
   */
  add(item: Omit<BulkItem, 'source'>, source: SourcePlace, creates = true): void {
    const { id, action, routing, conditions, requireAlias, requireDataStream, sourceFilter, pipeline, templates } =
      item;
    const bytes = id === null ? null : Buffer.from(id, 'utf8');
    const marks = bytes === null ? 0 : OWN_ID | (bytes.every(isPlainByte) ? PLAIN_ID : 0);
    const from = this.#idsEnd;
    if (bytes !== null) this.#putId(bytes, 0, bytes.length);
    const defaults = this.#defaults;
    const isUsual =
      routing === defaults.routing &&
      requireAlias === defaults.requireAlias &&
      requireDataStream === defaults.requireDataStream &&
      pipeline === defaults.pipeline &&
      (action !== 'update' || sourceFilter === defaults.sourceFilter) &&
      templates === undefined &&
      isUnconditional(conditions);
    if (!isUsual) {
      const extras = { routing, conditions, requireAlias, requireDataStream, sourceFilter, pipeline };
      this.#extras.set(this.#length, templates === undefined ? extras : { ...extras, templates });
    }
    const target = this.targetOf(item.index);
    if (creates && action !== 'delete' && !requireAlias) this.#create(target, requireDataStream);
    const row = this.#add(BULK_ACTIONS.indexOf(action), marks, target, from);
    this.#place(row, source.piece, source.start, source.end);
  }

  /** An item that says no more than this; its id stands in `line`, plain. */
  addPlain({ action, target, idStart, idEnd }: PlainItem, line: Uint8Array): void {
    const from = this.#idsEnd;
    if (idStart !== NO_ID) this.#putId(line, idStart, idEnd);
    const { requireAlias, requireDataStream } = this.#defaults;
    if (action !== DELETE_ACTION && !requireAlias) this.#create(target, requireDataStream);
    this.#add(action, idStart === NO_ID ? 0 : OWN_ID | PLAIN_ID, target, from);
  }

  /** Says where the source of the item that was added last stands. */
  placeLast(piece: number, start: number, end: number): void {
    this.#place(this.#length - 1, piece, start, end);
  }

  #create(target: number, streamOnly: boolean): void {
    const named = this.targets[target];
    assert(named !== undefined, `target ${target} of ${this.targets.length}`);
    named.createsDataStream = true;
    if (!streamOnly) named.createsIndex = true;
  }

  /** @returns its row */
  #add(action: number, marks: number, target: number, idStart: number): number {
    const at = this.#length++;
    if (at === this.#columns.actions.length) this.#columns = grown(this.#columns);
    const columns = this.#columns;
    columns.actions[at] = action;
    columns.marks[at] = marks;
    columns.targets[at] = target;
    columns.idStarts[at] = idStart;
    columns.idEnds[at] = this.#idsEnd;
    return at;
  }

  #place(at: number, piece: number, start: number, end: number): void {
    const columns = this.#columns;
    columns.pieces[at] = piece;
    columns.sourceStarts[at] = start;
    columns.sourceEnds[at] = end;
  }

  #putId(bytes: Uint8Array, start: number, end: number): void {
    this.#reserveId(end - start);
    const ids = this.#ids;
    let to = this.#idsEnd;
    for (let from = start; from < end; from++) ids[to++] = bytes[from] as number;
    this.#idsEnd = to;
  }

  #reserveId(bytes: number): void {
    if (this.#idsEnd + bytes <= this.#ids.length) return;
    const next = new Uint8Array(Math.max(this.#ids.length * 2, this.#idsEnd + bytes));
    next.set(this.#ids.subarray(0, this.#idsEnd));
    this.#ids = next;
  }

  /** Gives an item an id that came without. */
  makeId(at: number, ids: IdGenerator, nowMs: number): void {
    this.#reserveId(DOCUMENT_ID_CHARS);
    this.#columns.idStarts[at] = this.#idsEnd;
    this.#idsEnd = ids.nextInto(this.#ids, this.#idsEnd, nowMs);
    this.#columns.idEnds[at] = this.#idsEnd;
    this.#columns.marks[at] = PLAIN_ID;
  }

  action(at: number): number {
    return this.#columns.actions[at] as number;
  }

  target(at: number): number {
    return this.#columns.targets[at] as number;
  }

  /** Name of the index, or alias, as given. */
  indexName(at: number): string {
    return this.targets[this.target(at)]?.name ?? '';
  }

  hasOwnId(at: number): boolean {
    return ((this.#columns.marks[at] as number) & OWN_ID) !== 0;
  }

  /** Its id can stand in JSON as it is. */
  hasPlainId(at: number): boolean {
    return ((this.#columns.marks[at] as number) & PLAIN_ID) !== 0;
  }

  idBytes(at: number): number {
    return (this.#columns.idEnds[at] as number) - (this.#columns.idStarts[at] as number);
  }

  idRange(at: number): ByteRange {
    return { bytes: this.#ids, start: this.#columns.idStarts[at] as number, end: this.#columns.idEnds[at] as number };
  }

  /** null while there is none: it came without, and none was made. */
  id(at: number): string | null {
    const { bytes, start, end } = this.idRange(at);
    if (start === end && !this.hasOwnId(at)) return null;
    return Buffer.from(bytes.buffer, start, end - start).toString('utf8');
  }

  /** The id that the item came with. */
  ownId(at: number): string | null {
    return this.hasOwnId(at) ? this.id(at) : null;
  }

  /** Piece of the body that its source stands in. */
  pieceOf(at: number): number {
    return this.#columns.pieces[at] as number;
  }

  sourceRange(at: number): ByteRange {
    const { pieces, sourceStarts, sourceEnds } = this.#columns;
    const start = sourceStarts[at] as number;
    const end = sourceEnds[at] as number;
    return { bytes: start === end ? NO_BYTES : this.body.at(pieces[at] as number), start, end };
  }

  source(at: number): Uint8Array {
    const { bytes, start, end } = this.sourceRange(at);
    return bytes.subarray(start, end);
  }

  sourceBytes(at: number): number {
    return (this.#columns.sourceEnds[at] as number) - (this.#columns.sourceStarts[at] as number);
  }

  extras(at: number): ItemExtras {
    return this.#extras.get(at) ?? this.#usual(at);
  }

  #usual(at: number): ItemExtras {
    const { routing, requireAlias, requireDataStream, sourceFilter, pipeline } = this.#defaults;
    const isUpdate = this.action(at) === UPDATE_ACTION;
    const conditions = NO_CONDITIONS;
    return {
      routing,
      requireAlias,
      requireDataStream,
      conditions,
      sourceFilter: isUpdate ? sourceFilter : null,
      pipeline,
    };
  }

  /** No item says more than an index and an id, and neither does the request. */
  get isPlain(): boolean {
    const { routing, requireAlias, requireDataStream, sourceFilter, pipeline } = this.#defaults;
    const isUsual =
      routing === null && !requireAlias && !requireDataStream && sourceFilter === null && pipeline === null;
    return isUsual && this.#extras.size === 0;
  }
}

const PRINTABLE_MIN = 0x20;
const PRINTABLE_MAX = 0x7e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Printable ASCII that JSON does not escape. */
export function isPlainByte(byte: number): boolean {
  return byte >= PRINTABLE_MIN && byte <= PRINTABLE_MAX && byte !== QUOTE && byte !== BACKSLASH;
}

function isUnconditional({ ifSeqNo, ifPrimaryTerm, version, versionType }: WriteConditions): boolean {
  return ifSeqNo === null && ifPrimaryTerm === null && version === null && versionType === 'internal';
}

function columnsFor(capacity: number): Columns {
  return {
    actions: new Uint8Array(capacity),
    marks: new Uint8Array(capacity),
    targets: new Uint32Array(capacity),
    idStarts: new Uint32Array(capacity),
    idEnds: new Uint32Array(capacity),
    pieces: new Uint32Array(capacity),
    sourceStarts: new Uint32Array(capacity),
    sourceEnds: new Uint32Array(capacity),
  };
}

function grown(columns: Columns): Columns {
  const next = columnsFor(Math.max(CAPACITY_MIN, columns.actions.length * 2));
  next.actions.set(columns.actions);
  next.marks.set(columns.marks);
  next.targets.set(columns.targets);
  next.idStarts.set(columns.idStarts);
  next.idEnds.set(columns.idEnds);
  next.pieces.set(columns.pieces);
  next.sourceStarts.set(columns.sourceStarts);
  next.sourceEnds.set(columns.sourceEnds);
  return next;
}
