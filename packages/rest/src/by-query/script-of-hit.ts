/**
 * Scripts of `_update_by_query` and `_reindex`: what one makes of a document that is about to be written.
 *
 * The script sees `ctx` with the document's `_source` and where it goes. An update may change the source alone; a copy may go
 * elsewhere, under another id, routing or version.
 */
import type { BulkItem, HitWrite, SourceHit } from '@shoal/coordinator';
import {
  ANY_TOKENS,
  illegalArgument,
  isShoalError,
  JsonTokens,
  parseJsonTree,
  ShoalError,
  writeJson,
} from '@shoal/core';
import {
  fromJsonNode,
  JavaMap,
  paramsOf,
  programOf,
  type ScriptProgram,
  type ScriptRequest,
  textOf,
  toPlain,
  UPDATE_CONTEXT,
} from '@shoal/script';

/** Members of `ctx` that a script finds; it may add no others. */
const MEMBERS: ReadonlySet<string> = new Set([
  '_index',
  '_id',
  '_type',
  '_version',
  '_routing',
  '_now',
  '_source',
  'op',
]);
const OPERATIONS: ReadonlySet<string> = new Set(['noop', 'index', 'delete']);

export class HitScript {
  readonly #program: ScriptProgram;
  readonly #script: ScriptRequest;
  readonly #isCopy: boolean;

  /**
   * @param isCopy the document goes to another index, and may change its metadata
   * @throws ShoalError where the script does not compile, or is not stored
   */
  constructor(script: ScriptRequest, isCopy: boolean) {
    if (script.source === null) {
      throw new ShoalError(
        'resource_not_found_exception',
        404,
        `unable to find script [${script.id}] in cluster state`,
      );
    }
    this.#program = programOf(script, UPDATE_CONTEXT);
    this.#script = script;
    this.#isCopy = isCopy;
  }

  /** What becomes of a document whose item without a script would be `item`. */
  writeOf(hit: SourceHit, item: BulkItem): HitWrite {
    const before = this.#contextOf(hit, item);
    const ctx = new JavaMap();
    for (const [name, value] of before.entries()) ctx.set(name, value);
    this.#program.run([paramsOf(this.#script), ctx]);
    const op = textOf(ctx.get('op'));
    if (!OPERATIONS.has(op)) {
      throw illegalArgument(`Operation type [${op}] not allowed, only [noop, index, delete] are allowed`);
    }
    checkMembers(ctx);
    if (op === 'noop') return { kind: 'noop' };
    const moved = this.#moved(before, ctx, item);
    if (op === 'delete') return { kind: 'write', item: { ...moved, action: 'delete', source: null, pipeline: null } };
    return { kind: 'write', item: { ...moved, source: sourceOf(ctx) } };
  }

  #contextOf(hit: SourceHit, item: BulkItem): JavaMap {
    const source = parseJsonTree(item.source ?? new Uint8Array(), { tokens: new JsonTokens(ANY_TOKENS) });
    const ctx = new JavaMap();
    ctx.set('_routing', this.#isCopy ? item.routing : hit.routing);
    ctx.set('op', 'index');
    ctx.set('_index', this.#isCopy ? item.index : hit.index);
    ctx.set('_source', source === null ? new JavaMap() : fromJsonNode(source));
    ctx.set('_id', hit.id);
    ctx.set('_version', BigInt(hit.version));
    return ctx;
  }

  /** The item with the metadata that the script left. */
  #moved(before: JavaMap, ctx: JavaMap, item: BulkItem): BulkItem {
    const isChanged = (name: string): boolean => textOf(before.get(name)) !== textOf(ctx.get(name));
    const changed = ['_index', '_id', '_version', '_routing'].filter(isChanged);
    if (changed.length === 0) return item;
    if (!this.#isCopy) throw illegalArgument(`Modifying [${changed[0]}] not allowed`);
    const index = ctx.get('_index');
    if (index === null)
      throw new ShoalError('null_pointer_exception', 400, "Can't reindex without a destination index!");
    const id = ctx.get('_id');
    const routing = ctx.get('_routing');
    return {
      ...item,
      index: textOf(index),
      id: id === null ? null : textOf(id),
      routing: routing === null ? null : textOf(routing),
      conditions: changed.includes('_version') ? versioned(item, ctx.get('_version')) : item.conditions,
    };
  }
}

function checkMembers(ctx: JavaMap): void {
  const added = ctx
    .entries()
    .map(([name]) => textOf(name))
    .filter((name) => !MEMBERS.has(name));
  if (added.length > 0) throw illegalArgument(`Invalid fields added to context [${added.join(',')}]`);
}

/** A version that is null lets the copy replace whatever is there. */
function versioned({ conditions }: BulkItem, version: unknown): BulkItem['conditions'] {
  if (version === null) return { ...conditions, version: null, versionType: 'internal' };
  const number = Number(textOf(version));
  if (!Number.isSafeInteger(number)) {
    throw illegalArgument(`_version may only be set to an int or a long but was [${textOf(version)}]`);
  }
  return conditions.versionType === 'internal' ? conditions : { ...conditions, version: number };
}

function sourceOf(ctx: JavaMap): Uint8Array {
  const source = ctx.get('_source');
  if (!(source instanceof JavaMap)) throw illegalArgument(`[_source] is [${textOf(source)}], which is no object`);
  try {
    return writeJson(toPlain(source));
  } catch (error) {
    // Values that JSON has not, and objects that hold themselves.
    if (error instanceof Error && !isShoalError(error) && 'javaClass' in error) throw illegalArgument(error.message);
    throw error;
  }
}
