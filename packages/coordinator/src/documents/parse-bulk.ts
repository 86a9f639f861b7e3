/**
 * The body of `_bulk`: lines of actions and documents, split by bytes. Only the action lines are parsed; documents stay
 * views into the body.
 */
import { illegalArgument, type JsonNode, type JsonObjectNode, parseJsonTree, ShoalError, tokenName } from '@shoal/core';
import type { SourceFilter, WriteConditions } from '@shoal/query';
import type { WorkTurns } from '../actions/work-turns.ts';
import { readSourceChoice } from './source-choice.ts';

export type BulkAction = 'index' | 'create' | 'update' | 'delete';

export interface BulkItem {
  readonly action: BulkAction;
  readonly index: string;
  /** null: one is made. */
  readonly id: string | null;
  readonly routing: string | null;
  readonly conditions: WriteConditions;
  readonly requireAlias: boolean;
  /** The document, or the body of an update; null for a delete. */
  readonly source: Uint8Array | null;
  /** What an update answers of the changed document; null: what its body says. */
  readonly sourceFilter: SourceFilter | null;
}

/** What holds for actions that do not say otherwise. */
export interface BulkDefaults {
  readonly index: string | null;
  readonly routing: string | null;
  readonly requireAlias: boolean;
  readonly sourceFilter: SourceFilter | null;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Items of one request; memory is bounded by the body, this bounds the objects made of it. */
const ITEMS_MAX = 5_000_000;
export const ID_BYTES_MAX = 512;
const ACTIONS: readonly BulkAction[] = ['create', 'delete', 'index', 'update'];
const VERSION_TYPES = ['internal', 'external', 'external_gte'] as const;

export const NO_CONDITIONS: WriteConditions = {
  ifSeqNo: null,
  ifPrimaryTerm: null,
  version: null,
  versionType: 'internal',
};

/** Rejects with 400 for a body that is no bulk; what is wrong with one document alone fails that item later. */
export async function parseBulk(
  body: Uint8Array,
  defaults: BulkDefaults,
  turns: WorkTurns,
): Promise<readonly BulkItem[]> {
  if (body.length > 0 && body[body.length - 1] !== LINE_FEED) {
    throw illegalArgument('The bulk request must be terminated by a newline [\\n]');
  }
  const items: BulkItem[] = [];
  const problems: string[] = [];
  const lines = new Lines(body);
  for (let line = lines.next(); line !== null; line = lines.next()) {
    if (line.length === 0) continue;
    const action = readAction(line, lines.number, defaults);
    const source = action.action === 'delete' ? null : lines.next();
    if (source === null && action.action !== 'delete') throw missingSource(lines.number);
    const problem = problemOf(action);
    if (problem !== null) problems.push(problem);
    if (items.length >= ITEMS_MAX) throw illegalArgument(`a bulk request has at most [${ITEMS_MAX}] items`);
    items.push({ ...action, source });
    const pause = turns.step();
    if (pause !== null) await pause;
  }
  if (items.length === 0) throw validationFailed(['no requests added']);
  if (problems.length > 0) throw validationFailed(problems);
  return items;
}

class Lines {
  readonly #body: Uint8Array;
  #at = 0;
  /** Of the line given last, from 1. */
  number = 0;

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  next(): Uint8Array | null {
    if (this.#at >= this.#body.length) return null;
    const end = this.#body.indexOf(LINE_FEED, this.#at);
    const line = this.#body.subarray(this.#at, end);
    this.#at = end + 1;
    this.number++;
    return line[line.length - 1] === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
  }
}

type ActionLine = Omit<BulkItem, 'source'>;

function readAction(line: Uint8Array, lineNumber: number, defaults: BulkDefaults): ActionLine {
  const root = parseJsonTree(line);
  if (root?.kind !== 'object') {
    throw malformedLine(lineNumber, `expected START_OBJECT but found [${root === null ? 'null' : tokenName(root)}]`);
  }
  const [member, second] = root.members;
  if (member === undefined) throw malformedLine(lineNumber, 'expected FIELD_NAME but found [END_OBJECT]');
  const action = ACTIONS.find((name) => name === member.name);
  if (action === undefined) {
    throw malformedLine(lineNumber, `expected one of [${ACTIONS.join(', ')}] but found [${member.name}]`);
  }
  if (member.value.kind !== 'object') {
    throw malformedLine(lineNumber, `expected START_OBJECT but found [${tokenName(member.value)}]`);
  }
  if (second !== undefined) throw malformedLine(lineNumber, 'expected END_OBJECT but found [FIELD_NAME]');
  return new ActionReader(action, lineNumber, defaults).read(member.value);
}

/** Gathers the metadata of one action. */
class ActionReader {
  readonly #lineNumber: number;
  #action: BulkAction;
  #index: string | null;
  #id: string | null = null;
  #routing: string | null;
  #requireAlias: boolean;
  #sourceFilter: SourceFilter | null;
  #conditions: WriteConditions = NO_CONDITIONS;

  constructor(action: BulkAction, lineNumber: number, defaults: BulkDefaults) {
    this.#action = action;
    this.#lineNumber = lineNumber;
    this.#index = defaults.index;
    this.#routing = defaults.routing;
    this.#requireAlias = defaults.requireAlias;
    this.#sourceFilter = defaults.sourceFilter;
  }

  read(metadata: JsonObjectNode): ActionLine {
    for (const { name, value } of metadata.members) this.#member(name, value);
    return {
      action: this.#action,
      index: this.#index ?? '',
      id: this.#id,
      routing: this.#routing,
      conditions: this.#conditions,
      requireAlias: this.#requireAlias,
      sourceFilter: this.#action === 'update' ? this.#sourceFilter : null,
    };
  }

  #member(name: string, value: JsonNode): void {
    switch (name) {
      case '_index':
        this.#index = this.#text(name, value);
        break;
      case '_id':
        this.#id = this.#text(name, value);
        break;
      case 'routing':
      case '_routing':
        this.#routing = this.#text(name, value);
        break;
      case 'require_alias':
        this.#requireAlias = this.#text(name, value) === 'true';
        break;
      case '_source':
        this.#sourceFilter = readSourceChoice(value);
        break;
      case 'op_type':
        if (this.#action === 'index' && this.#text(name, value) === 'create') this.#action = 'create';
        break;
      case 'pipeline':
        refusePipeline(this.#text(name, value));
        break;
      // The shard applies an update as one step: there is no conflict to retry on.
      case 'retry_on_conflict':
      case '_retry_on_conflict':
        this.#integer(name, value);
        break;
      default:
        this.#condition(name, value);
    }
  }

  #condition(name: string, value: JsonNode): void {
    switch (name) {
      case 'if_seq_no':
        this.#conditions = { ...this.#conditions, ifSeqNo: this.#integer(name, value) };
        break;
      case 'if_primary_term':
        this.#conditions = { ...this.#conditions, ifPrimaryTerm: this.#integer(name, value) };
        break;
      case 'version':
      case '_version':
        this.#conditions = { ...this.#conditions, version: this.#integer(name, value) };
        break;
      case 'version_type':
      case '_version_type':
        this.#conditions = { ...this.#conditions, versionType: parseVersionType(this.#text(name, value)) };
        break;
      default:
        throw illegalArgument(`Action/metadata line [${this.#lineNumber}] contains an unknown parameter [${name}]`);
    }
  }

  #text(name: string, value: JsonNode): string | null {
    if (value.kind === 'string') return value.value;
    if (value.kind === 'number') return value.text;
    if (value.kind === 'boolean') return String(value.value);
    if (value.kind === 'null') return null;
    throw malformedLine(
      this.#lineNumber,
      `expected a simple value for field [${name}] but found [${tokenName(value)}]`,
    );
  }

  #integer(name: string, value: JsonNode): number {
    const parsed = Number(this.#text(name, value) ?? 'x');
    if (Number.isSafeInteger(parsed) && parsed >= 0) return parsed;
    throw malformedLine(this.#lineNumber, `expected a whole number for field [${name}]`);
  }
}

export function parseVersionType(text: string | null): WriteConditions['versionType'] {
  const found = VERSION_TYPES.find((name) => name === text);
  if (found === undefined) throw illegalArgument(`No version type match [${text}]`);
  return found;
}

/** Ingest pipelines are not built: a document that skipped one silently would be wrong. */
export function refusePipeline(name: string | null): void {
  if (name !== null && name !== '_none') throw illegalArgument(`pipeline with id [${name}] does not exist`);
}

function problemOf(item: ActionLine): string | null {
  if (item.index === '') return 'index is missing';
  const isById = item.action === 'update' || item.action === 'delete';
  if (item.id === null) return isById ? 'id is missing' : null;
  // An empty id of a document fails that document alone.
  if (item.id === '') return isById ? 'id is missing' : null;
  const bytes = Buffer.byteLength(item.id);
  return bytes > ID_BYTES_MAX ? idTooLong(item.id, bytes) : conditionProblem(item.action, item.conditions);
}

export function idTooLong(id: string, bytes: number): string {
  return `id [${id}] is too long, must be no longer than ${ID_BYTES_MAX} bytes but was: ${bytes}`;
}

/** null when the conditions go together. */
export function conditionProblem(action: BulkAction, conditions: WriteConditions): string | null {
  const { ifSeqNo, ifPrimaryTerm, version, versionType } = conditions;
  if (action === 'create' && (version !== null || versionType !== 'internal')) {
    return 'create operations only support internal versioning. use index instead';
  }
  if (ifSeqNo !== null && ifPrimaryTerm === null) return 'ifSeqNo is set, but primary term is [0]';
  if (ifSeqNo === null && ifPrimaryTerm !== null) {
    return `ifSeqNo is unassigned, but primary term is [${ifPrimaryTerm}]`;
  }
  if (versionType === 'internal' && version !== null) {
    return (
      'internal versioning can not be used for optimistic concurrency control. ' +
      'Please use `if_seq_no` and `if_primary_term` instead'
    );
  }
  if (versionType !== 'internal' && version === null) {
    return `illegal version value [-3] for version type [${versionType.toUpperCase()}]`;
  }
  return null;
}

/** 400 with a numbered list of everything that is wrong. */
export function validationFailed(problems: readonly string[]): ShoalError {
  const PROBLEMS_SHOWN_MAX = 100;
  const listed = problems.slice(0, PROBLEMS_SHOWN_MAX).map((problem, i) => `${i + 1}: ${problem};`);
  return new ShoalError('action_request_validation_exception', 400, `Validation Failed: ${listed.join('')}`);
}

function malformedLine(lineNumber: number, what: string): ShoalError {
  return illegalArgument(`Malformed action/metadata line [${lineNumber}], ${what}`);
}

function missingSource(lineNumber: number): ShoalError {
  return illegalArgument(`The bulk request must have a document behind its action in line [${lineNumber}]`);
}
