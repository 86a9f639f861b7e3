/**
 * The body of an update: `{doc | script, upsert, doc_as_upsert, scripted_upsert, detect_noop, _source}`, and the merge of `doc`
 * into a document.
 */
import {
  ANY_TOKENS,
  assert,
  isShoalError,
  type JsonNode,
  nearestNames,
  parseJson,
  parseJsonTree,
  ShoalError,
  tokenName,
  writeJson,
} from '@shoal/core';
import { parseScript, type ScriptRequest } from '@shoal/script';

type JsonObject = Readonly<Record<string, unknown>>;

export interface UpdateRequest {
  readonly doc: JsonObject | null;
  /** Script that changes the document instead of `doc`; null without one. */
  readonly script: ScriptRequest | null;
  /** Runs the script also on the upsert. */
  readonly isScriptedUpsert: boolean;
  /** The upsert as a tree, for scripts: exact about its numbers. */
  readonly upsertTree: JsonNode | null;
  readonly upsert: JsonObject | null;
  readonly isDocUpsert: boolean;
  readonly detectsNoop: boolean;
  readonly wantsSource: boolean;
}

const KNOWN: ReadonlySet<string> = new Set([
  'doc',
  'upsert',
  'doc_as_upsert',
  'detect_noop',
  '_source',
  'script',
  'scripted_upsert',
  'lang',
  'params',
]);

/** Names this alike, as a share of the longer one, are suggested: they are short, so one wrong letter weighs much. */
const UPDATE_FIELD_LIKENESS_MIN = 0.5;

function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** Throws `x_content_parse_exception`, `illegal_argument_exception` or `action_request_validation_exception`. */
export function parseUpdateRequest(body: Uint8Array): UpdateRequest {
  let json: unknown;
  try {
    json = parseJson(body);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw new ShoalError('x_content_parse_exception', 400, error.reason, { causedBy: error });
  }
  const object = asObject(json);
  if (object === null)
    throw new ShoalError('x_content_parse_exception', 400, '[1:1] [UpdateRequest] Expected START_OBJECT');
  for (const key of Object.keys(object)) if (!KNOWN.has(key)) throw unknownField(key, body);
  const scripted = scriptOf(object, body);
  const part = (key: 'doc' | 'upsert'): JsonObject | null => {
    const value = object[key];
    if (value === undefined || value === null) return null;
    const found = asObject(value);
    if (found === null)
      throw new ShoalError('x_content_parse_exception', 400, `[UpdateRequest] [${key}] must be an object`);
    return found;
  };
  const doc = part('doc');
  const problem = problemOf(doc, scripted.script, object.doc_as_upsert === true);
  if (problem !== null) {
    throw new ShoalError('action_request_validation_exception', 400, `Validation Failed: 1: ${problem};`);
  }
  return {
    doc,
    ...scripted,
    isScriptedUpsert: object.scripted_upsert === true,
    upsert: part('upsert'),
    isDocUpsert: object.doc_as_upsert === true,
    detectsNoop: object.detect_noop !== false,
    wantsSource: object._source !== undefined && object._source !== false,
  };
}

function problemOf(doc: JsonObject | null, script: ScriptRequest | null, isDocUpsert: boolean): string | null {
  if (script === null && doc === null) return 'script or doc is missing';
  if (script !== null && doc !== null) return "can't provide both script and doc";
  return doc === null && isDocUpsert ? 'doc must be specified if doc_as_upsert is enabled' : null;
}

/** The script of a body, with its upsert; the body is read as a tree only where there is one. */
function scriptOf(
  { script, upsert }: JsonObject,
  body: Uint8Array,
): { readonly script: ScriptRequest | null; readonly upsertTree: JsonNode | null } {
  if (script === undefined) return { script: null, upsertTree: null };
  const root = parseJsonTree(body);
  const member = (name: string): JsonNode | null =>
    root?.kind === 'object' ? (root.members.find((one) => one.name === name)?.value ?? null) : null;
  const node = member('script');
  assert(node !== null, 'a body that has a script has none as a tree');
  const at = `[${node.at.line}:${node.at.col}]`;
  if (node.kind !== 'string' && node.kind !== 'object') {
    const reason = `${at} [UpdateRequest] script doesn't support values of type: ${tokenName(node)}`;
    throw new ShoalError('x_content_parse_exception', 400, reason);
  }
  try {
    return { script: parseScript(node), upsertTree: asObject(upsert) === null ? null : member('upsert') };
  } catch (error) {
    if (!isShoalError(error)) throw error;
    const reason = `${at} [UpdateRequest] failed to parse field [script]`;
    throw new ShoalError('x_content_parse_exception', 400, reason, { causedBy: error });
  }
}

/** Error 400 that names the line and column of the unknown field, and the known field that was probably meant. */
function unknownField(key: string, body: Uint8Array): ShoalError {
  const root = parseJsonTree(body);
  const member = root?.kind === 'object' ? root.members.find((candidate) => candidate.name === key) : undefined;
  const at = member === undefined ? '' : `[${member.at.line}:${member.at.col}] `;
  const near = nearestNames(key, KNOWN, UPDATE_FIELD_LIKENESS_MIN);
  const hint =
    near.length === 0 ? '' : ` did you mean ${near.length === 1 ? `[${near[0]}]` : `any of [${near.join(', ')}]`}?`;
  return new ShoalError('x_content_parse_exception', 400, `${at}[UpdateRequest] unknown field [${key}]${hint}`);
}

/** The document with `changes` merged in, objects member by member; null when nothing differs. */
export function mergeDocument(source: Uint8Array, changes: JsonObject, detectsNoop: boolean): Uint8Array | null {
  const current = asObject(parseJson(source, ANY_TOKENS)) ?? {};
  const outcome = { isChanged: false };
  const merged = mergeObjects(current, changes, outcome);
  return outcome.isChanged || !detectsNoop ? writeJson(merged) : null;
}

export function writeDocument(document: JsonObject): Uint8Array {
  return writeJson(document);
}

function mergeObjects(current: JsonObject, changes: JsonObject, outcome: { isChanged: boolean }): JsonObject {
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(changes)) {
    const before = merged.get(key);
    const objectBefore = asObject(before);
    const objectAfter = asObject(value);
    if (objectBefore !== null && objectAfter !== null) {
      merged.set(key, mergeObjects(objectBefore, objectAfter, outcome));
      continue;
    }
    if (!merged.has(key) || !isSame(before, value)) outcome.isChanged = true;
    merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((entry, i) => isSame(entry, b[i]));
  const objectA = asObject(a);
  const objectB = asObject(b);
  if (objectA === null || objectB === null) return false;
  const keys = Object.keys(objectA);
  return (
    keys.length === Object.keys(objectB).length &&
    keys.every((key) => Object.hasOwn(objectB, key) && isSame(objectA[key], objectB[key]))
  );
}
