/**
 * Lifecycle policies: what a body may ask for, in Elasticsearch's words, and the phases that are made of it.
 *
 * An action that is not built here is refused when the policy is put: an index would wait in it for ever.
 */
import { illegalArgument, parseTimeValue, ShoalError } from '@shoal/core';
import { type JsonPart, jsonPart } from './json-part.ts';
import { parseConditions, type RolloverCondition } from './rollover-conditions.ts';

const PHASES = ['hot', 'warm', 'cold', 'delete'] as const;
export type PhaseName = (typeof PHASES)[number];

export type LifecycleAction =
  | { readonly kind: 'set_priority'; readonly priority: number | null }
  | { readonly kind: 'rollover'; readonly conditions: readonly RolloverCondition[] }
  | { readonly kind: 'readonly' }
  | { readonly kind: 'allocate'; readonly settings: Readonly<Record<string, string>> }
  | { readonly kind: 'forcemerge'; readonly segmentsMax: number }
  | { readonly kind: 'delete' };

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
  ['forcemerge', readForceMerge],
  ['delete', (body) => only(body, ['delete_searchable_snapshot'], { kind: 'delete' })],
]);
const VALID: { readonly [P in PhaseName]: readonly string[] } = {
  hot: ['set_priority', 'unfollow', 'rollover', 'readonly', 'shrink', 'forcemerge', 'searchable_snapshot'],
  warm: ['set_priority', 'unfollow', 'readonly', 'allocate', 'migrate', 'shrink', 'forcemerge'],
  cold: ['set_priority', 'unfollow', 'readonly', 'allocate', 'migrate', 'freeze', 'searchable_snapshot'],
  delete: ['wait_for_snapshot', 'delete'],
};
const NEEDS_ROLLOVER: readonly string[] = ['readonly', 'shrink', 'forcemerge', 'searchable_snapshot'];

/** @throws illegal_argument_exception or x_content_parse_exception */
export function parseLifecyclePolicy(policy: JsonPart): readonly LifecyclePhase[] {
  for (const key of Object.keys(policy)) {
    if (key !== 'phases' && key !== '_meta') throw notParsed('lifecycle_policy', `unknown field [${key}]`);
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

function readAllocation(body: JsonPart): LifecycleAction {
  only(body, ['number_of_replicas', 'include', 'exclude', 'require'], null);
  const settings: Record<string, string> = {};
  for (const kind of ['include', 'exclude', 'require'] as const) {
    for (const [attribute, value] of Object.entries(objectOf(body[kind] ?? {}, kind))) {
      if (typeof value !== 'string') throw notParsed('allocate', `[${kind}] must hold texts`);
      settings[`index.routing.allocation.${kind}.${attribute}`] = value;
    }
  }
  const replicas = body.number_of_replicas ?? null;
  if (replicas !== null) {
    if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0) {
      throw illegalArgument('[number_of_replicas] must be >= 0');
    }
    settings['index.number_of_replicas'] = String(replicas);
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
