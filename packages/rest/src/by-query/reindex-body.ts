/**
 * The body of `_reindex`: which documents are copied, and how they are written.
 */
import type { RemoteCluster } from '@shoal/coordinator';
import {
  illegalArgument,
  isShoalError,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  jsonNodeValue,
  parsingException,
  ShoalError,
  tokenName,
} from '@shoal/core';
import { readField, readInteger, readString, unknownField } from '@shoal/query';
import { parseScript, type ScriptRequest } from '@shoal/script';
import type { WriteConditions } from '@shoal/shard-api';
import { parseVersionType } from '../documents/write-options.ts';
import { notNegative, passesConflicts } from './by-query-options.ts';
import { type RemoteSource, readRemote } from './remote-source.ts';

export interface ReindexDestination {
  /** null when not given. */
  readonly index: string | null;
  readonly action: 'index' | 'create';
  readonly versionType: WriteConditions['versionType'];
  /** `keep`, `discard`, or `=` and the routing of every document. */
  readonly routing: string;
  readonly pipeline: string | null;
}

export interface ReindexMembers {
  readonly passesConflicts: boolean;
  readonly documentsMax: number | null;
  /** Names and expressions; empty when not given. */
  readonly indices: readonly string[];
  /** Another cluster that documents are copied from; null: this one. */
  readonly remote: RemoteSource | null;
  /** Whether the source says how many documents a page has. */
  readonly hasSize: boolean;
  readonly destination: ReindexDestination;
  readonly script: ScriptRequest | null;
  /** Where `source` ends, for what is wrong in it; null without one. */
  readonly sourceEnd: JsonObjectNode['end'] | null;
}

export interface SplitReindex {
  readonly own: ReindexMembers;
  /** The search in `source`; null without one. */
  readonly search: JsonObjectNode | null;
}

/** Number of slices that stands for as many as the server chooses. */
const AUTO_SLICES = 0;
const KEEP = 'keep';
const NOWHERE: ReindexDestination = {
  index: null,
  action: 'index',
  versionType: 'internal',
  routing: KEEP,
  pipeline: null,
};

export function splitReindex(root: JsonObjectNode | null): SplitReindex {
  if (root === null) throw new ShoalError('parse_exception', 400, 'request body is required');
  let passes = false;
  let documentsMax: number | null = null;
  let source: SplitSource = NO_SOURCE;
  let destination = NOWHERE;
  let script: ScriptRequest | null = null;
  for (const member of root.members) {
    const { name, value } = member;
    switch (name) {
      case 'conflicts':
        passes = readField('reindex', member, () => passesConflicts(readString(value, name)));
        break;
      case 'max_docs':
      case 'size':
        documentsMax = readField('reindex', member, () => notNegative(readInteger(value, name)));
        break;
      case 'source':
        source = inSource(endOf(value), () => splitSource(value));
        break;
      case 'dest':
        destination = readField('reindex', member, () => readDestination(value));
        break;
      case 'script':
        script = readScriptOf(value);
        break;
      default:
        throw unknownField('reindex', member);
    }
  }
  const { indices, remote, hasSize, search, end } = source;
  return {
    own: { passesConflicts: passes, documentsMax, indices, remote, hasSize, destination, script, sourceEnd: end },
    search,
  };
}

function readScriptOf(node: JsonNode): ScriptRequest {
  if (node.kind === 'object') return parseScript(node);
  const at = `[${node.at.line}:${node.at.col}]`;
  const reason = `${at} [reindex] script doesn't support values of type: ${tokenName(node)}`;
  throw new ShoalError('x_content_parse_exception', 400, reason);
}

/** Runs `read`; what is wrong becomes the cause of a failure to read `source`, which ends at `end`. */
export function inSource<T>(end: JsonObjectNode['end'] | null, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isShoalError(error) || end === null) throw error;
    const reason = `[${end.line}:${end.col}] [reindex] failed to parse field [source]`;
    throw new ShoalError('x_content_parse_exception', error.status, reason, { causedBy: error, rootCauses: [error] });
  }
}

function endOf(node: JsonNode): JsonObjectNode['end'] | null {
  return node.kind === 'object' ? node.end : null;
}

interface SplitSource {
  readonly indices: readonly string[];
  readonly remote: RemoteSource | null;
  readonly hasSize: boolean;
  readonly search: JsonObjectNode | null;
  readonly end: JsonObjectNode['end'] | null;
}

const NO_SOURCE: SplitSource = { indices: [], remote: null, hasSize: false, search: null, end: null };

function splitSource(node: JsonNode): SplitSource {
  const source = objectOf(node);
  let indices: readonly string[] = [];
  let cluster: RemoteCluster | null = null;
  const members: JsonMember[] = [];
  for (const member of source.members) {
    const { name, value } = member;
    if (name === 'index') indices = indexNames(value);
    else if (name === 'remote') cluster = readRemote(value);
    else members.push(member);
  }
  const hasSize = members.some(({ name }) => name === 'size');
  const end = source.end;
  if (cluster === null) return { indices, remote: null, hasSize, search: { ...source, members }, end };
  const search = Object.fromEntries(members.map(({ name, value }) => [name, jsonNodeValue(value)]));
  const own = members.filter(({ name }) => name !== 'query');
  return { indices, remote: { cluster, search }, hasSize, search: { ...source, members: own }, end };
}

/** Expression of the indices that a body copies from, before it is checked; null: none are named. */
export function sourceExpression(body: unknown): string | null {
  const source = memberOf(body, 'source');
  const names = [memberOf(source, 'index')].flat().filter((name) => typeof name === 'string');
  return names.length === 0 ? null : names.join(',');
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function indexNames(node: JsonNode): readonly string[] {
  const items = node.kind === 'array' ? node.items : [node];
  return items
    .map((item) => readString(item, 'index'))
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function readDestination(node: JsonNode): ReindexDestination {
  let destination = NOWHERE;
  for (const member of objectOf(node).members) {
    const text = readField('dest', member, () => readString(member.value, member.name));
    switch (member.name) {
      case 'index':
        destination = { ...destination, index: text };
        break;
      case 'routing':
        destination = { ...destination, routing: text };
        break;
      case 'op_type':
        destination = { ...destination, action: readField('dest', member, () => actionOf(text)) };
        break;
      case 'pipeline':
        destination = { ...destination, pipeline: text };
        break;
      case 'version_type':
        destination = { ...destination, versionType: readField('dest', member, () => parseVersionType(text)) };
        break;
      default:
        throw unknownField('dest', member);
    }
  }
  return destination;
}

function actionOf(text: string): ReindexDestination['action'] {
  if (text === 'index' || text === 'create') return text;
  throw illegalArgument(`opType must be 'create' or 'index', found: [${text}]`);
}

function objectOf(node: JsonNode): JsonObjectNode {
  if (node.kind === 'object') return node;
  throw parsingException(`Expected [START_OBJECT] but found [${tokenName(node)}]`, node.at);
}

/**
 * Problems of the destination, and of a copy from these indices.
 *
 * @param slices null: as many as the server chooses
 */
export function reindexProblems(
  { indices, destination, remote }: ReindexMembers,
  slices: number | null,
): readonly string[] {
  const problems: string[] = [];
  if (indices.length === 0) problems.push('use _all if you really want to copy from all existing indexes');
  if (destination.index === null) problems.push('index must be specified');
  const { routing, action, versionType } = destination;
  if (routing !== KEEP && routing !== 'discard' && !routing.startsWith('=')) {
    problems.push('routing must be unset, [keep], [discard] or [=<some new value>]');
  }
  if (action === 'create' && versionType !== 'internal') {
    problems.push('create operations only support internal versioning. use index instead');
  }
  if (remote !== null && slices !== 1) {
    problems.push(`reindex from remote sources doesn't support slices > 1 but was [${slices ?? AUTO_SLICES}]`);
  }
  return problems;
}

/** Routing of a copy whose original has the routing `original`. */
export function routingOfCopy(routing: string, original: string | null): string | null {
  if (routing === KEEP) return original;
  return routing.startsWith('=') ? routing.slice(1) : null;
}
