/**
 * One action asked of several shards of one node: coordinator → data node, in one message. Channel `reg`.
 *
 * Requests and answers of the shards are those of the action itself, as its codec writes them, so that one that cannot be read
 * fails alone. Byte strings that several of them share, such as a packed search, travel once. The node runs a bounded number of
 * the shards at a time, and may leave some unanswered when the answer would grow too large for a frame.
 */
import {
  assert,
  fromWireError,
  type ItemReader,
  isShoalError,
  malformedMessage,
  type ShoalError,
  toWireError,
  ValueReader,
} from '@shoal/core';
import type { ActionCodec, WireBody } from '@shoal/transport';

/** Most shards of one message. */
export const SHARD_BATCH_MAX = 512;

/** Sections of all requests of one message: half of what a frame holds. */
export const SHARD_BATCH_SECTIONS_MAX = 32_768;

export interface ShardBatchRequest {
  /** One a shard, in the form of the action's `writeRequest`. */
  readonly requests: readonly WireBody[];
  /** Shards that run at the same time; at least 1. */
  readonly concurrency: number;
  /** Longest that one shard may take, in ms: beyond it that shard has failed, and the others go on. */
  readonly waitMs: number;
}

/** null: the shard was not asked, or its answer had no room. */
export type ShardBatchAnswer = WireBody | ShoalError | null;

export interface ShardBatchResponse {
  /** One a request, in order, in the form of the action's `writeResponse`. */
  readonly answers: readonly ShardBatchAnswer[];
}

const CONCURRENCY_MAX = 0x7fff_ffff;
/** Byte strings that are kept apart in one request or answer. */
const BYTES_FIELDS_MAX = 16;

/** The action of several shards. */
export function shardBatch(action: { readonly name: string }): ActionCodec<ShardBatchRequest, ShardBatchResponse> {
  return {
    name: `${action.name}[n]`,
    writeRequest: ({ requests, concurrency, waitMs }) => {
      assert(requests.length <= SHARD_BATCH_MAX, `${requests.length} shards asked in one message`);
      const shared = new SharedBytes();
      const items = requests.map((body) => writeBody(body, shared));
      return { message: { items, shared: shared.list, concurrency, waitMs }, sections: sectionsOf(requests) };
    },
    readRequest: (body) => {
      const r = ValueReader.of(body.message);
      const bodies = new BodyReader(r, body.sections ?? []);
      const requests = r.list('items', (value, path) => bodies.read(ValueReader.of(value, path)), SHARD_BATCH_MAX);
      bodies.end();
      return {
        requests,
        concurrency: r.integer('concurrency', 1, CONCURRENCY_MAX),
        waitMs: r.integer('waitMs', 0, Number.MAX_SAFE_INTEGER),
      };
    },
    writeResponse: ({ answers }) => {
      const shared = new SharedBytes();
      const items = answers.map((answer) => {
        if (answer === null) return null;
        return isShoalError(answer) ? { error: toWireError(answer) } : writeBody(answer, shared);
      });
      const bodies = answers.flatMap((answer) => (answer === null || isShoalError(answer) ? [] : [answer]));
      return { message: { items, shared: shared.list }, sections: sectionsOf(bodies) };
    },
    readResponse: (body) => {
      const r = ValueReader.of(body.message);
      const bodies = new BodyReader(r, body.sections ?? []);
      const read: ItemReader<ShardBatchAnswer> = (value, path) => {
        if (value === null) return null;
        const item = ValueReader.of(value, path);
        return item.has('error') ? fromWireError(item.raw('error')) : bodies.read(item);
      };
      const answers = r.list('items', read, SHARD_BATCH_MAX);
      bodies.end();
      return { answers };
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

/** The byte strings of one message, each once. */
class SharedBytes {
  readonly list: Uint8Array[] = [];
  readonly #positions = new Map<Uint8Array, number>();

  add(bytes: Uint8Array): number {
    const known = this.#positions.get(bytes);
    if (known !== undefined) return known;
    // Answers of several shards are equal without being the same memory: one look at the last of them finds it.
    const last = this.list.at(-1);
    const isRepeated = last !== undefined && Buffer.compare(last, bytes) === 0;
    if (!isRepeated) this.list.push(bytes);
    const position = this.list.length - 1;
    this.#positions.set(bytes, position);
    return position;
  }
}

/** One body: its byte strings are kept apart where they are fields of the message, or of an object in it. */
function writeBody({ message, sections = [] }: WireBody, shared: SharedBytes): Fields {
  assert(isFields(message), 'a message to a shard is an object');
  const own: Record<string, unknown> = {};
  const bytes: Fields[] = [];
  const add = (path: readonly string[], value: Uint8Array): null => {
    bytes.push({ path, at: shared.add(value) });
    return null;
  };
  for (const [name, value] of Object.entries(message)) {
    if (value instanceof Uint8Array) own[name] = add([name], value);
    else if (isFields(value)) own[name] = withoutBytes(name, value, add);
    else own[name] = value;
  }
  return { message: own, bytes, sections: sections.length };
}

function withoutBytes(
  outer: string,
  fields: Fields,
  add: (path: readonly string[], value: Uint8Array) => null,
): Fields {
  if (!Object.values(fields).some((value) => value instanceof Uint8Array)) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? add([outer, name], value) : value,
    ]),
  );
}

function sectionsOf(bodies: readonly WireBody[]): readonly Uint8Array[] {
  return bodies.flatMap(({ sections }) => sections ?? []);
}

/** Takes bodies apart again, in order. */
class BodyReader {
  readonly #shared: readonly Uint8Array[];
  readonly #sections: readonly Uint8Array[];
  #taken = 0;

  constructor(r: ValueReader, sections: readonly Uint8Array[]) {
    this.#shared = r.list('shared', ValueReader.asBytes, SHARD_BATCH_MAX * BYTES_FIELDS_MAX);
    this.#sections = sections;
  }

  read(r: ValueReader): WireBody {
    const count = r.integer('sections', 0, this.#sections.length - this.#taken);
    const sections = this.#sections.slice(this.#taken, this.#taken + count);
    this.#taken += count;
    const message = r.raw('message');
    if (!isFields(message)) throw malformedMessage('a message to a shard is no object');
    const bytes = r.list('bytes', (value, path) => this.#field(ValueReader.of(value, path)), BYTES_FIELDS_MAX);
    return { message: bytes.reduce(withBytes, message), sections };
  }

  end(): void {
    if (this.#taken === this.#sections.length) return;
    throw malformedMessage(`${this.#sections.length - this.#taken} sections belong to no shard`);
  }

  #field(r: ValueReader): { readonly path: readonly string[]; readonly value: Uint8Array } {
    const value = this.#shared[r.integer('at', 0, this.#shared.length - 1)];
    assert(value !== undefined, 'a position that was checked has a value');
    return { path: r.list('path', ValueReader.asString, 2), value };
  }
}

/** Copies on the way: a message between two ends of one process is not to be changed. */
function withBytes(
  message: Fields,
  { path, value }: { readonly path: readonly string[]; readonly value: Uint8Array },
): Fields {
  const [name, ...inner] = path;
  // A field that stands for bytes is there and null: no other can be set from outside.
  if (name === undefined || !Object.hasOwn(message, name)) throw malformedMessage('bytes of a field that is not there');
  const before = message[name];
  if (inner.length > 0 && isFields(before)) return { ...message, [name]: withBytes(before, { path: inner, value }) };
  if (inner.length > 0 || before !== null) throw malformedMessage(`field [${name}] does not stand for bytes`);
  return { ...message, [name]: value };
}
