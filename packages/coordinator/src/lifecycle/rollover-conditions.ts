/**
 * Conditions of a rollover: what its body may ask for, and whether an index meets it.
 */
import { illegalArgument, nearestNames, parseByteSize, parseTimeValue, ShoalError } from '@shoal/core';
import { type JsonPart, jsonPart } from './json-part.ts';

/** The index that the conditions are about. */
export interface RolledIndex {
  readonly ageMs: number;
  readonly docs: number;
  readonly bytes: number;
  readonly largestShardDocs: number;
  readonly largestShardBytes: number;
}

export interface RolloverCondition {
  /** Name in a request, such as `max_docs`. */
  readonly name: string;
  /** Name and value in brackets, the key in the answer. */
  readonly shown: string;
  readonly isMinimum: boolean;
  readonly isMet: (index: RolledIndex) => boolean;
}

type Measure = keyof RolledIndex;
type Unit = 'time' | 'bytes' | 'count';

interface ConditionKind {
  readonly measure: Measure;
  readonly unit: Unit;
}

const MEASURES: Readonly<Record<string, ConditionKind>> = {
  age: { measure: 'ageMs', unit: 'time' },
  docs: { measure: 'docs', unit: 'count' },
  size: { measure: 'bytes', unit: 'bytes' },
  primary_shard_size: { measure: 'largestShardBytes', unit: 'bytes' },
  primary_shard_docs: { measure: 'largestShardDocs', unit: 'count' },
};
const NAMES: readonly string[] = ['max_', 'min_'].flatMap((prefix) =>
  Object.keys(MEASURES).map((name) => `${prefix}${name}`),
);

/** @throws x_content_parse_exception */
export function parseConditions(body: JsonPart): readonly RolloverCondition[] {
  const conditions = jsonPart(body.conditions ?? {});
  if (conditions === null) throw notParsed(illegalArgument('[conditions] must be an object'));
  const parsed = Object.entries(conditions).map(([name, value]) => parseCondition(name, value));
  if (parsed.length > 0 && parsed.every(({ isMinimum }) => isMinimum)) {
    throw new ShoalError(
      'action_request_validation_exception',
      400,
      'Validation Failed: 1: at least one max_* rollover condition must be set when using min_* conditions;',
    );
  }
  return parsed;
}

/** Any maximum reached, and every minimum; without conditions always. */
export function areMet(conditions: readonly RolloverCondition[], index: RolledIndex): boolean {
  if (conditions.length === 0) return true;
  const maxima = conditions.filter(({ isMinimum }) => !isMinimum);
  return (
    maxima.some((condition) => condition.isMet(index)) &&
    conditions.every((condition) => !condition.isMinimum || condition.isMet(index))
  );
}

function parseCondition(name: string, value: unknown): RolloverCondition {
  const kind = NAMES.includes(name) ? MEASURES[name.slice(4)] : undefined;
  if (kind === undefined) {
    const near = nearestNames(name, NAMES);
    const hint =
      near.length === 0
        ? ''
        : near.length === 1
          ? ` did you mean [${near[0]}]?`
          : ` did you mean any of [${near.join(', ')}]?`;
    throw notParsed(new ShoalError('x_content_parse_exception', 400, `[conditions] unknown field [${name}]${hint}`));
  }
  const limit = limitOf(name, value, kind.unit);
  return {
    name,
    shown: `[${name}: ${String(value)}]`,
    isMinimum: name.startsWith('min_'),
    isMet: (index) => index[kind.measure] >= limit,
  };
}

function limitOf(name: string, value: unknown, unit: Unit): number {
  if (unit === 'count') {
    const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof count === 'number' && Number.isSafeInteger(count)) return count;
    throw notParsed(unsupported(name, value));
  }
  if (typeof value !== 'string') throw notParsed(unsupported(name, value));
  return unit === 'time' ? parseTimeValue(value, name) : parseByteSize(value, name);
}

function unsupported(name: string, value: unknown): ShoalError {
  const token =
    typeof value === 'number' ? 'VALUE_NUMBER' : typeof value === 'string' ? 'VALUE_STRING' : 'START_OBJECT';
  return new ShoalError(
    'x_content_parse_exception',
    400,
    `[conditions] ${name} doesn't support values of type: ${token}`,
  );
}

function notParsed(causedBy: ShoalError): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, '[rollover] failed to parse field [conditions]', {
    causedBy,
  });
}
