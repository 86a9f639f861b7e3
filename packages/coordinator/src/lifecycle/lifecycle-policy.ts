/**
 * Lifecycle policies: what a body may ask for, in Elasticsearch's words, and the phases that are made of it.
 *
 * An action that is not built here is refused when the policy is put: an index would wait in it for ever.
 */
import { illegalArgument, parseByteSize, parseTimeValue, ShoalError } from '@shoal/core';
import { type JsonPart, jsonPart } from './json-part.ts';
import { parseConditions, type RolloverCondition } from './rollover-conditions.ts';

const PHASES = ['hot', 'warm', 'cold', 'frozen', 'delete'] as const;
export type PhaseName = (typeof PHASES)[number];

export type LifecycleAction =
  | { readonly kind: 'set_priority'; readonly priority: number | null }
  | { readonly kind: 'rollover'; readonly conditions: readonly RolloverCondition[] }
  | { readonly kind: 'readonly' }
  | { readonly kind: 'allocate'; readonly settings: Readonly<Record<string, string>> }
  | ShrinkAction
  | { readonly kind: 'forcemerge'; readonly segmentsMax: number }
  /** Until that snapshot policy has made a snapshot since the phase began. */
  | { readonly kind: 'wait_for_snapshot'; readonly policy: string }
  | { readonly kind: 'delete' };

export interface ShrinkAction {
  readonly kind: 'shrink';
  /** Shards of the new index, or the most bytes that one of them may have. */
  readonly to: { readonly shards: number } | { readonly shardBytesMax: number };
  /** Whether documents may be written again when it is done. */
  readonly allowsWrites: boolean;
}

export interface LifecyclePhase {
  readonly name: PhaseName;
  /** Age from which it holds: since the rollover, or since the creation of an index that is not rolled over. */
  readonly minAgeMs: number;
  /** In the order in which they are done. */
  readonly actions: readonly LifecycleAction[];
  /** Body of the phase in `_ilm/policy`. */
  readonly shown: JsonPart;
}

type ActionReader = (body: JsonPart) => LifecycleAction | null;

/** Actions in the order in which a phase does them; null: nothing is to be done on any node. */
const ACTIONS: ReadonlyMap<string, ActionReader> = new Map<string, ActionReader>([
  ['set_priority', readPriority],
  // No index here follows one of another cluster.
  ['unfollow', (body) => only(body, [], null)],
  ['rollover', (body) => ({ kind: 'rollover', conditions: readConditions(body) })],
  ['readonly', (body) => only(body, [], { kind: 'readonly' })],
  ['allocate', readAllocation],
  // Every data node serves every tier, so that no shard has to move for one.
  ['migrate', readMigration],
  ['shrink', readShrink],
  ['forcemerge', readForceMerge],
  // Freezing asks for nothing since Elasticsearch 8.
  ['freeze', (body) => only(body, [], null)],
  ['wait_for_snapshot', readSnapshotWait],
  ['delete', (body) => only(body, ['delete_searchable_snapshot'], { kind: 'delete' })],
]);
const VALID: { readonly [P in PhaseName]: readonly string[] } = {
  hot: [
    'set_priority',
    'unfollow',
    'rollover',
    'readonly',
    'shrink',
    'forcemerge',
    'searchable_snapshot',
    'downsample',
  ],
  warm: ['set_priority', 'unfollow', 'readonly', 'allocate', 'migrate', 'shrink', 'forcemerge', 'downsample'],
  cold: ['set_priority', 'unfollow', 'readonly', 'allocate', 'migrate', 'freeze', 'searchable_snapshot', 'downsample'],
  frozen: ['unfollow', 'searchable_snapshot'],
  delete: ['wait_for_snapshot', 'delete'],
};
const NEEDS_ROLLOVER: readonly string[] = ['readonly', 'shrink', 'forcemerge', 'searchable_snapshot', 'downsample'];

const NO_SEARCHABLE_SNAPSHOTS =
  'policy defines the [searchable_snapshot] action but the current license is non-compliant for [searchable-snapshots]';
/** `deprecated` is for those who look at the policy, as `_meta` is. */
const POLICY_MEMBERS: readonly string[] = ['phases', '_meta', 'deprecated'];

/** @throws illegal_argument_exception or x_content_parse_exception */
export function parseLifecyclePolicy(policy: JsonPart): readonly LifecyclePhase[] {
  for (const key of Object.keys(policy)) {
    if (!POLICY_MEMBERS.includes(key)) throw notParsed('lifecycle_policy', `unknown field [${key}]`);
  }
  const phases = objectOf(policy.phases, 'phases');
  for (const name of Object.keys(phases)) {
    if (!PHASES.some((known) => known === name)) {
      throw illegalArgument(`Timeseries lifecycle does not support phase [${name}]`);
    }
  }
  return PHASES.flatMap((name) => (name in phases ? [readPhase(name, objectOf(phases[name], name))] : []));
}

function readPhase(name: PhaseName, body: JsonPart): LifecyclePhase {
  for (const key of Object.keys(body)) {
    if (key !== 'min_age' && key !== 'actions') throw notParsed('phase', `unknown field [${key}]`);
  }
  const given = objectOf(body.actions ?? {}, 'actions');
  for (const action of Object.keys(given)) {
    if (!VALID[name].includes(action)) throw illegalArgument(`invalid action [${action}] defined in phase [${name}]`);
    if (action === 'searchable_snapshot') throw illegalArgument(NO_SEARCHABLE_SNAPSHOTS);
    if (!ACTIONS.has(action)) throw illegalArgument(`action [${action}] in phase [${name}] is not supported`);
  }
  const orphan = name === 'hot' && !('rollover' in given) && NEEDS_ROLLOVER.find((action) => action in given);
  if (typeof orphan === 'string') {
    throw illegalArgument(
      `the [${orphan}] action(s) may not be used in the [hot] phase without an accompanying [rollover] action`,
    );
  }
  const minAge = body.min_age ?? '0ms';
  if (typeof minAge !== 'string') throw notParsed('phase', '[min_age] must be a time value');
  const order = [...ACTIONS.keys()].filter((action) => action in given);
  return {
    name,
    minAgeMs: parseTimeValue(minAge, 'min_age'),
    actions: order.flatMap((action) => ACTIONS.get(action)?.(objectOf(given[action], action)) ?? []),
    shown: { min_age: minAge, actions: shownActions(given) },
  };
}

/** The defaults that Elasticsearch shows, with what the user gave. */
function shownActions(given: JsonPart): JsonPart {
  if (!('delete' in given)) return given;
  return { ...given, delete: { delete_searchable_snapshot: true, ...objectOf(given.delete, 'delete') } };
}

function readConditions(body: JsonPart): readonly RolloverCondition[] {
  const conditions = parseConditions({ conditions: body });
  if (conditions.length === 0) throw illegalArgument('At least one rollover condition must be set.');
  return conditions;
}

function readPriority(body: JsonPart): LifecycleAction {
  only(body, ['priority'], null);
  const { priority } = body;
  if (priority === null) return { kind: 'set_priority', priority };
  if (typeof priority !== 'number' || !Number.isInteger(priority)) {
    throw notParsed('set_priority', '[priority] must be an integer or null');
  }
  if (priority < 0) throw illegalArgument('[priority] must be 0 or greater');
  return { kind: 'set_priority', priority };
}

/** Members of `allocate` that are numbers, with their settings and the least they may be. */
const ALLOCATED_COUNTS = [
  ['number_of_replicas', 'index.number_of_replicas', 0],
  ['total_shards_per_node', 'index.routing.allocation.total_shards_per_node', -1],
] as const;

function readAllocation(body: JsonPart): LifecycleAction {
  only(body, ['number_of_replicas', 'total_shards_per_node', 'include', 'exclude', 'require'], null);
  const settings: Record<string, string> = {};
  for (const kind of ['include', 'exclude', 'require'] as const) {
    for (const [attribute, value] of Object.entries(objectOf(body[kind] ?? {}, kind))) {
      if (typeof value !== 'string') throw notParsed('allocate', `[${kind}] must hold texts`);
      settings[`index.routing.allocation.${kind}.${attribute}`] = value;
    }
  }
  for (const [member, setting, least] of ALLOCATED_COUNTS) {
    const count = body[member] ?? null;
    if (count === null) continue;
    if (typeof count !== 'number' || !Number.isInteger(count) || count < least) {
      throw illegalArgument(`[${member}] must be >= ${least}`);
    }
    settings[setting] = String(count);
  }
  if (Object.keys(settings).length === 0) {
    throw illegalArgument(
      'At least one of [include], [exclude] or [require]must contain attributes for action [allocate]',
    );
  }
  return { kind: 'allocate', settings };
}

function readMigration(body: JsonPart): null {
  only(body, ['enabled'], null);
  if (typeof (body.enabled ?? true) !== 'boolean') throw notParsed('migrate', '[enabled] must be a boolean');
  return null;
}

function readShrink(body: JsonPart): LifecycleAction {
  only(body, ['number_of_shards', 'max_primary_shard_size', 'allow_write_after_shrink'], null);
  const { number_of_shards: shards, max_primary_shard_size: size } = body;
  if (shards !== undefined && size !== undefined) {
    throw illegalArgument('Cannot set both [number_of_shards] and [max_primary_shard_size]');
  }
  const allowsWrites = body.allow_write_after_shrink ?? false;
  if (typeof allowsWrites !== 'boolean') throw notParsed('shrink', '[allow_write_after_shrink] must be a boolean');
  if (typeof size === 'string') {
    const shardBytesMax = parseByteSize(size, 'max_primary_shard_size');
    if (shardBytesMax <= 0) throw illegalArgument('[max_primary_shard_size] must be greater than 0');
    return { kind: 'shrink', to: { shardBytesMax }, allowsWrites };
  }
  if (typeof shards !== 'number' || !Number.isInteger(shards)) {
    throw illegalArgument('Either [number_of_shards] or [max_primary_shard_size] must be set');
  }
  if (shards <= 0) throw illegalArgument('[number_of_shards] must be greater than 0');
  return { kind: 'shrink', to: { shards }, allowsWrites };
}

function readSnapshotWait(body: JsonPart): LifecycleAction {
  only(body, ['policy'], null);
  const { policy } = body;
  if (typeof policy !== 'string' || policy === '') throw illegalArgument('policy name must be specified');
  return { kind: 'wait_for_snapshot', policy };
}

function readForceMerge(body: JsonPart): LifecycleAction {
  only(body, ['max_num_segments'], null);
  const count = body.max_num_segments;
  if (typeof count !== 'number' || !Number.isInteger(count)) {
    throw notParsed('forcemerge', 'Required [max_num_segments]');
  }
  if (count <= 0) throw illegalArgument('[max_num_segments] must be a positive integer');
  return { kind: 'forcemerge', segmentsMax: count };
}

/** @returns `result`, when the body of the action has no other keys */
function only<T>(body: JsonPart, known: readonly string[], result: T): T {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) throw notParsed('action', `unknown field [${unknown}]`);
  return result;
}

function objectOf(value: unknown, name: string): JsonPart {
  const object = jsonPart(value);
  if (object === null) throw notParsed(name, 'must be an object');
  return object;
}

function notParsed(what: string, problem: string): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, `[${what}] ${problem}`);
}
