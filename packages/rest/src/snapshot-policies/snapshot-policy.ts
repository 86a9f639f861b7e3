/**
 * A snapshot policy as users put it and see it: when snapshots are made, of what, and how long they are kept. Pure.
 */

import type { SnapshotPolicy } from '@shoal/cluster-state';
import { illegalArgument, parseJson, ShoalError, writeJson } from '@shoal/core';
import { parseDurationMs, parseSchedule, type Schedule } from '@shoal/schema';
import { isJsonObject, type JsonObject, textAt } from '../request/json-body.ts';
import { checkSnapshotKeys, SNAPSHOT_CONFIG_KEYS } from '../snapshots/snapshot-request.ts';

type PolicySnapshot = NonNullable<SnapshotPolicy['lastSuccess']>;

export interface Retention {
  /** Age from which a snapshot is deleted; null: none is for its age. */
  readonly expireAfterMs: number | null;
  /** Newest snapshots that are kept whatever their age. */
  readonly minCount: number | null;
  /** Snapshots above it are deleted whatever their age. */
  readonly maxCount: number | null;
}

export interface PolicyParts {
  /** Name of its snapshots, with date math. */
  readonly snapshotName: string;
  readonly schedule: Schedule;
  readonly repository: string;
  /** Body of the requests that make its snapshots. */
  readonly config: JsonObject;
  /** null: its snapshots stay. */
  readonly retention: Retention | null;
}

const KEYS: readonly string[] = ['name', 'schedule', 'repository', 'config', 'retention'];
const RETENTION_KEYS: readonly string[] = ['expire_after', 'min_count', 'max_count'];
/** Name in the metadata of a snapshot under which the policy stands that made it. */
export const POLICY_KEY = 'policy';
/** Times of a schedule that are looked at to find the shortest time between two. */
const TIMES_CHECKED = 100;

/** JSON of the policy as it is kept and shown. @throws ShoalError for what cannot be executed */
export function policyText(body: JsonObject, nowMs: number, intervalMsMin: number): string {
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw malformed(`[snapshot_lifecycle] unknown field [${unknown}]`);
  const missing = ['name', 'schedule', 'repository'].filter((key) => (body[key] ?? null) === null);
  if (missing.length > 0) throw malformed(`Required [${missing.join(', ')}]`);
  const { schedule } = partsOf(body);
  checkInterval(textAt(body, 'schedule') ?? '', schedule, nowMs, intervalMsMin);
  return Buffer.from(writeJson(body)).toString('utf8');
}

/** A policy of the cluster state: it was checked before it was put there. */
export function policyParts({ policy }: Pick<SnapshotPolicy, 'policy'>): PolicyParts {
  const body = parseJson(Buffer.from(policy));
  return partsOf(isJsonObject(body) ? body : {});
}

function partsOf(body: JsonObject): PolicyParts {
  const config = body.config ?? {};
  if (!isJsonObject(config)) throw malformed('[snapshot_lifecycle] failed to parse field [config]');
  checkSnapshotKeys(config, SNAPSHOT_CONFIG_KEYS);
  const metadata = config.metadata ?? {};
  if (!isJsonObject(metadata)) throw malformed('[snapshot_lifecycle] failed to parse field [metadata]');
  if (POLICY_KEY in metadata) {
    throw illegalArgument(
      `invalid configuration: metadata field name [${POLICY_KEY}] is reserved and will be added automatically`,
    );
  }
  return {
    snapshotName: textAt(body, 'name') ?? '',
    schedule: parseSchedule(textAt(body, 'schedule') ?? ''),
    repository: textAt(body, 'repository') ?? '',
    config,
    retention: retentionOf(body.retention ?? null),
  };
}

function retentionOf(value: unknown): Retention | null {
  if (value === null) return null;
  if (!isJsonObject(value)) throw malformed('[snapshot_lifecycle] failed to parse field [retention]');
  const unknown = Object.keys(value).find((key) => !RETENTION_KEYS.includes(key));
  if (unknown !== undefined) throw malformed(`[snapshot_retention] unknown field [${unknown}]`);
  const minCount = countAt(value, 'min_count');
  const maxCount = countAt(value, 'max_count');
  if (minCount !== null && maxCount !== null && minCount > maxCount) {
    throw illegalArgument(
      `minimum snapshot count ${minCount} cannot be larger than maximum snapshot count ${maxCount}`,
    );
  }
  const expires = textAt(value, 'expire_after');
  const expireAfterMs = expires === null ? null : parseDurationMs(expires);
  if (expires !== null && (expireAfterMs === null || expireAfterMs < 0)) {
    throw illegalArgument(`failed to parse setting [expire_after] with value [${expires}] as a time value`);
  }
  return { expireAfterMs, minCount, maxCount };
}

function countAt(body: JsonObject, key: string): number | null {
  const text = textAt(body, key);
  if (text === null) return null;
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) throw illegalArgument(`${key} must be at least 1, but was: ${text}`);
  return Number(text);
}

function checkInterval(text: string, schedule: Schedule, nowMs: number, intervalMsMin: number): void {
  let before = schedule(nowMs, nowMs);
  for (let i = 0; i < TIMES_CHECKED && before !== null; i++) {
    const next = schedule(before, nowMs);
    if (next !== null && next - before < intervalMsMin) {
      throw illegalArgument(
        `invalid schedule [${text}]: schedule would be too frequent, executing more than every [${intervalMsMin / 60_000}m]`,
      );
    }
    before = next;
  }
}

/** A policy with what became of it. */
export function policyBody(policy: SnapshotPolicy, nowMs: number, isHuman: boolean): JsonObject {
  const { name, version, modifiedMs, lastSuccess, lastFailure } = policy;
  const nextMs = policyParts(policy).schedule(nowMs, modifiedMs);
  const time = (key: string, ms: number): JsonObject => ({
    ...(isHuman ? { [key]: new Date(ms).toISOString() } : {}),
    [`${key}_millis`]: ms,
  });
  return {
    version,
    ...time('modified_date', modifiedMs),
    policy: parseJson(Buffer.from(policy.policy)),
    ...(lastSuccess === null ? {} : { last_success: invocationBody(lastSuccess, isHuman) }),
    ...(lastFailure === null ? {} : { last_failure: invocationBody(lastFailure, isHuman) }),
    ...(nextMs === null ? {} : time('next_execution', nextMs)),
    stats: { policy: name, ...countsBody(policy, '') },
  };
}

/** @param prefix of the names, such as `total_` */
export function countsBody(
  {
    taken,
    failed,
    deleted,
    deletionFailures,
  }: Pick<SnapshotPolicy, 'taken' | 'failed' | 'deleted' | 'deletionFailures'>,
  prefix: string,
): JsonObject {
  return {
    [`${prefix}snapshots_taken`]: taken,
    [`${prefix}snapshots_failed`]: failed,
    [`${prefix}snapshots_deleted`]: deleted,
    [`${prefix}snapshot_deletion_failures`]: deletionFailures,
  };
}

function invocationBody({ snapshot, startMs, endMs, failure }: PolicySnapshot, isHuman: boolean): JsonObject {
  return {
    snapshot_name: snapshot,
    ...(isHuman ? { start_time_string: new Date(startMs).toISOString() } : {}),
    start_time: startMs,
    ...(isHuman ? { time_string: new Date(endMs).toISOString() } : {}),
    time: endMs,
    ...(failure === null ? {} : { details: failure }),
  };
}

function malformed(reason: string): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, reason);
}
