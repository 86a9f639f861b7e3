/**
 * An action line of `_bulk` read whole, with every error in Elasticsearch's words. Most lines never come here: see
 * `plain-action.ts`.
 */

import { type BulkAction, type BulkItem, readSourceChoice } from '@shoal/coordinator';
import {
  illegalArgument,
  type JsonNode,
  type JsonObjectNode,
  JsonTokens,
  parseJsonTree,
  type ShoalError,
  tokenName,
} from '@shoal/core';
import type { SourceFilter } from '@shoal/query';
import type { AssignedTemplates } from '@shoal/schema';
import { ASSIGNED_TEMPLATES_MAX, NO_CONDITIONS, type WriteConditions } from '@shoal/shard-api';
import { parseVersionType, withoutStateVersion } from '../documents/write-options.ts';
import { SINGLE_TYPE } from '../request/single-type.ts';

/** Defaults of actions, from the path and parameters of the request. */
export interface BulkDefaults {
  readonly index: string | null;
  readonly routing: string | null;
  readonly requireAlias: boolean;
  readonly requireDataStream: boolean;
  readonly sourceFilter: SourceFilter | null;
  readonly pipeline: string | null;
}

/** Tokens of one action line: a dozen members, one of them a list of fields. */
const ACTION_TOKENS_MAX = 2_000;
const ACTIONS: readonly BulkAction[] = ['create', 'delete', 'index', 'update'];

export type ActionLine = Omit<BulkItem, 'source'>;

/** Called with what Elasticsearch 8 takes, says that it will not always take, and names in a header of the answer. */
export type Warn = (message: string) => void;

export function readAction(
  line: Uint8Array,
  lineNumber: number,
  defaults: BulkDefaults,
  warn: Warn = () => undefined,
): ActionLine {
  const root = readLine(line, warn);
  if (root?.kind !== 'object') {
    throw malformedLine(lineNumber, `expected START_OBJECT but found [${root === null ? 'null' : tokenName(root)}]`);
  }
  const [member] = root.members;
  if (member === undefined) throw malformedLine(lineNumber, 'expected FIELD_NAME but found [END_OBJECT]');
  const action = ACTIONS.find((name) => name === member.name);
  if (action === undefined) {
    throw malformedLine(lineNumber, `expected one of [${ACTIONS.join(', ')}] but found [${member.name}]`);
  }
  if (member.value.kind !== 'object') {
    throw malformedLine(lineNumber, `expected START_OBJECT or END_OBJECT but found [${tokenName(member.value)}]`);
  }
  return new ActionReader(action, lineNumber, defaults).read(member.value);
}

/** What a line of one action is followed by when it is not closed as it should be. */
const FAULTS: readonly { readonly rest: RegExp; readonly message: string }[] = [
  {
    rest: /^$/,
    message:
      "A bulk action wasn't closed properly with the closing brace. Malformed objects are currently accepted but will be " +
      'rejected in a future version.',
  },
  {
    rest: /^,\s*"/,
    message:
      'A bulk action object contained multiple keys. Additional keys are currently ignored but will be rejected in a ' +
      'future version.',
  },
  {
    rest: /^\}\s*[[{"\d-]/,
    message:
      'A bulk action contained trailing data after the closing brace. This is currently ignored but will be rejected in a ' +
      'future version.',
  },
];

/** The line as JSON; of one that goes on, or ends, behind its first member, that member. */
function readLine(line: Uint8Array, warn: Warn): JsonNode | null {
  const end = endOfFirstMember(line);
  const rest =
    end === null
      ? null
      : Buffer.from(line.subarray(end, end + REST_BYTES))
          .toString('latin1')
          .trim();
  const fault = rest === null ? undefined : FAULTS.find((one) => one.rest.test(rest));
  const options = { tokens: new JsonTokens(ACTION_TOKENS_MAX) };
  if (end === null || fault === undefined) return parseJsonTree(line, options);
  warn(fault.message);
  return parseJsonTree(Buffer.concat([line.subarray(0, end), CLOSE]), options);
}

const CLOSE = Buffer.from('}');
/** Bytes behind the first member that say what follows. */
const REST_BYTES = 64;

/** Offset behind the object that is the first member's value; null where there is none. */
function endOfFirstMember(line: Uint8Array): number | null {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < line.length; at++) {
    const byte = line[at];
    if (isInText) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) isInText = false;
    } else if (byte === 0x22) isInText = true;
    else if (byte === 0x7b) depth++;
    else if (byte === 0x7d && --depth <= 1) return depth === 1 ? at + 1 : null;
  }
  return null;
}

/** Gathers the metadata of one action. */
class ActionReader {
  readonly #lineNumber: number;
  #action: BulkAction;
  #index: string | null;
  #id: string | null = null;
  #routing: string | null;
  #requireAlias: boolean;
  #requireDataStream: boolean;
  #sourceFilter: SourceFilter | null;
  #conditions: WriteConditions = NO_CONDITIONS;
  #pipeline: string | null;
  #templates: AssignedTemplates | null = null;

  constructor(action: BulkAction, lineNumber: number, defaults: BulkDefaults) {
    this.#action = action;
    this.#lineNumber = lineNumber;
    this.#index = defaults.index;
    this.#routing = defaults.routing;
    this.#requireAlias = defaults.requireAlias;
    this.#requireDataStream = defaults.requireDataStream;
    this.#sourceFilter = defaults.sourceFilter;
    this.#pipeline = defaults.pipeline;
  }

  read(metadata: JsonObjectNode): ActionLine {
    // A null says nothing, whatever its name: clients write members so that they have no value for.
    for (const { name, value } of metadata.members) if (value.kind !== 'null') this.#member(name, value);
    if (this.#templates !== null && (this.#action === 'delete' || this.#action === 'update')) {
      const shown = this.#action === 'delete' ? 'Delete' : 'Update';
      throw illegalArgument(`${shown} request in line [${this.#lineNumber}] does not accept dynamic_templates`);
    }
    return {
      action: this.#action,
      index: this.#index ?? '',
      id: this.#id,
      routing: this.#routing,
      conditions: withoutStateVersion(this.#action, this.#conditions),
      requireAlias: this.#requireAlias,
      requireDataStream: this.#requireDataStream,
      sourceFilter: this.#action === 'update' ? this.#sourceFilter : null,
      pipeline: this.#pipeline,
      ...(this.#templates !== null && { templates: this.#templates }),
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
      // Clients of version 7 name the only type there is.
      case '_type':
        if (this.#text(name, value) !== SINGLE_TYPE) throw this.#unknown(name);
        break;
      case 'routing':
        this.#routing = this.#text(name, value);
        break;
      case 'require_alias':
        this.#requireAlias = this.#text(name, value) === 'true';
        break;
      case 'require_data_stream':
        this.#requireDataStream = this.#text(name, value) === 'true';
        break;
      case '_source':
        this.#sourceFilter = readSourceChoice(value);
        break;
      case 'dynamic_templates':
        this.#templates = this.#assigned(name, value);
        break;
      case 'op_type':
        if (this.#action === 'index' && this.#text(name, value) === 'create') this.#action = 'create';
        break;
      case 'pipeline':
        this.#pipeline = this.#text(name, value);
        break;
      // The shard applies an update as one step: there is no conflict to retry on.
      case 'retry_on_conflict':
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
        this.#conditions = { ...this.#conditions, version: this.#integer(name, value, Number.MIN_SAFE_INTEGER) };
        break;
      case 'version_type':
        this.#conditions = { ...this.#conditions, versionType: parseVersionType(this.#text(name, value)) };
        break;
      default:
        this.#text(name, value);
        throw this.#unknown(name);
    }
  }

  /** null: nothing is assigned. */
  #assigned(name: string, value: JsonNode): AssignedTemplates | null {
    if (value.kind !== 'object') throw this.#unknown(name);
    if (value.members.length === 0) return null;
    if (value.members.length > ASSIGNED_TEMPLATES_MAX) {
      throw malformedLine(this.#lineNumber, `[${name}] names more than [${ASSIGNED_TEMPLATES_MAX}] fields`);
    }
    return Object.fromEntries(value.members.map((one) => [one.name, this.#text(one.name, one.value) ?? '']));
  }

  #unknown(name: string): ShoalError {
    return illegalArgument(`Action/metadata line [${this.#lineNumber}] contains an unknown parameter [${name}]`);
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

  #integer(name: string, value: JsonNode, min = 0): number {
    const parsed = Number(this.#text(name, value) ?? 'x');
    if (Number.isSafeInteger(parsed) && parsed >= min) return parsed;
    throw malformedLine(this.#lineNumber, `expected a whole number for field [${name}]`);
  }
}

function malformedLine(lineNumber: number, what: string): ShoalError {
  return illegalArgument(`Malformed action/metadata line [${lineNumber}], ${what}`);
}
