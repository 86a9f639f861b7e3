/**
 * Rules of index settings: the values that one accepts, and whether an open index may change it.
 */
import { illegalArgument, type ShoalError } from '@shoal/core';
import { parseBoolean, parseBytes, parseDurationMs } from './setting-values.ts';

export interface IndexSettingRule {
  /** `final`: only at creation; `closed`: also while the index is closed; `dynamic`: always; `private`: set by the cluster. */
  readonly change: 'final' | 'closed' | 'dynamic' | 'private';
  /** Throws `illegal_argument_exception` when `value` is not allowed. */
  check(key: string, value: string): void;
}

export type Change = IndexSettingRule['change'];

const INT_MAX = 0x7fff_ffff;

export function integer(change: Change, min: number, max: number = INT_MAX): IndexSettingRule {
  return {
    change,
    check: (key, value) => {
      if (!/^-?\d+$/.test(value)) throw notParsed(key, value);
      const number = Number(value);
      if (number < min)
        throw illegalArgument(`Failed to parse value [${value}] for setting [${key}] must be >= ${min}`);
      if (number > max)
        throw illegalArgument(`Failed to parse value [${value}] for setting [${key}] must be <= ${max}`);
    },
  };
}

/** A number that may have a fraction; bounds are inclusive. */
export function decimal(change: Change, min: number, max: number = Number.POSITIVE_INFINITY): IndexSettingRule {
  return {
    change,
    check: (key, value) => {
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)) throw notParsed(key, value);
      const number = Number(value);
      const outside = number < min ? `>= ${min.toFixed(1)}` : number > max ? `<= ${max.toFixed(1)}` : null;
      if (outside !== null)
        throw illegalArgument(`Failed to parse value [${value}] for setting [${key}] must be ${outside}`);
    },
  };
}

export function flag(change: Change): IndexSettingRule {
  return {
    change,
    check: (_key, value) => {
      if (parseBoolean(value) === null) {
        throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
      }
    },
  };
}

export function duration(change: Change, minMs: number): IndexSettingRule {
  return {
    change,
    check: (key, value) => {
      const ms = parseDurationMs(value);
      if (ms === null) {
        throw illegalArgument(
          `failed to parse setting [${key}] with value [${value}] as a time value: unit is missing or unrecognized`,
        );
      }
      if (ms < minMs) {
        throw illegalArgument(`failed to parse value [${value}] for setting [${key}], must be >= [${minMs}ms]`);
      }
    },
  };
}

/** `min`: least size, in bytes. */
export function bytes(change: Change, min: number = Number.NEGATIVE_INFINITY): IndexSettingRule {
  return {
    change,
    check: (key, value) => {
      const size = parseBytes(value);
      if (size === null) {
        throw illegalArgument(
          `failed to parse setting [${key}] with value [${value}] as a size in bytes: unit is missing or unrecognized`,
        );
      }
      if (size < min)
        throw illegalArgument(`failed to parse value [${value}] for setting [${key}], must be >= [${min}b]`);
    },
  };
}

export function choice(change: Change, choices: readonly string[]): IndexSettingRule {
  return {
    change,
    check: (key, value) => {
      if (!choices.includes(value.toLowerCase())) {
        throw illegalArgument(`unknown value for [${key}] must be one of [${choices.join(', ')}] but was: ${value}`);
      }
    },
  };
}

export function text(change: Change): IndexSettingRule {
  return { change, check: () => {} };
}

function notParsed(key: string, value: string): ShoalError {
  return illegalArgument(`Failed to parse value [${value}] for setting [${key}]`);
}

/** Rule of a setting that takes only values that ask for nothing. `what` says what is not built: `ingest pipelines are`. */
export function only(change: Change, values: readonly string[], what: string): IndexSettingRule {
  return {
    change,
    check: (key, value) => {
      if (values.includes(value)) return;
      throw illegalArgument(`setting [${key}] cannot be [${value}]: ${what} not supported by this server`);
    },
  };
}

const REPLICA_RANGE = /^(\d{1,9})-(\d{1,9}|all)$/;

/** Rule of `index.auto_expand_replicas`: `false`, `0-1` or `0-all`. */
export function replicaRange(): IndexSettingRule {
  return {
    change: 'dynamic',
    check: (key, value) => {
      if (value === 'false') return;
      const match = REPLICA_RANGE.exec(value);
      if (match === null) throw illegalArgument(`failed to parse [${key}] from value: [${value}] at index -1`);
      const [, min = '', max = ''] = match;
      if (max !== 'all' && Number(min) > Number(max)) {
        throw illegalArgument(`[${key}] minReplicas must be =< maxReplicas but wasn't ${min} > ${max}`);
      }
    },
  };
}

/** Fewest and most replicas of an index with a range, `all` as infinite; null without a range. */
export function replicaRangeOf(text: string | undefined): { readonly min: number; readonly max: number } | null {
  const match = text === undefined ? null : REPLICA_RANGE.exec(text);
  if (match === null) return null;
  const [, min = '', max = ''] = match;
  return { min: Number(min), max: max === 'all' ? Number.POSITIVE_INFINITY : Number(max) };
}

/** Rule of `index.write.wait_for_active_shards`. */
export function activeShards(): IndexSettingRule {
  return {
    change: 'dynamic',
    check: (_key, value) => {
      if (value !== 'all' && !/^\d{1,9}$/.test(value)) throw illegalArgument(`cannot parse ActiveShardCount[${value}]`);
    },
  };
}

/** Rule of `index.indexing.slowlog.source`: a flag, or how many characters of a document are logged. */
export function slowLogSource(): IndexSettingRule {
  return {
    change: 'dynamic',
    check: (key, value) => {
      if (value !== 'true' && value !== 'false' && !/^\d{1,9}$/.test(value)) throw notParsed(key, value);
    },
  };
}
