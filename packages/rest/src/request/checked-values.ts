/**
 * Values of bodies that are kept and shown as they were given, each checked against what it may be.
 */

import { isShoalError, ShoalError } from '@shoal/core';
import { parseSchedule } from '@shoal/schema';
import { isJsonObject, type JsonObject } from './json-body.ts';

/** Returns the value. @throws x_content_parse_exception for one that is not of the kind */
export type ValueCheck = (value: unknown, name: string) => unknown;

export const text: ValueCheck = (value, name) => (typeof value === 'string' ? value : refuse(value, name));
export const flag: ValueCheck = (value, name) => (typeof value === 'boolean' ? value : refuse(value, name));
export const count: ValueCheck = (value, name) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : refuse(value, name);
export const anything: ValueCheck = (value) => value;
/** An object of any members. */
export const openObject: ValueCheck = (value, name) => (isJsonObject(value) ? value : refuse(value, name));

/** A time as ISO 8601 writes it. */
export const instant: ValueCheck = (value, name) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : refuse(value, name);

/** A cron expression; intervals, which schedules of snapshots may have, are none. */
export const cron: ValueCheck = (value, name) => {
  try {
    if (typeof value === 'string' && /\s/.test(value.trim())) {
      parseSchedule(value);
      return value;
    }
  } catch (error) {
    if (!isShoalError(error)) throw error;
  }
  throw malformed(`[${name}] of [${String(value)}] is no cron expression`);
};

export function nullable(check: ValueCheck): ValueCheck {
  return (value, name) => (value === null ? null : check(value, name));
}

export function oneOf(words: readonly string[]): ValueCheck {
  return (value, name) => {
    if (typeof value === 'string' && words.includes(value.toLowerCase())) return value.toLowerCase();
    throw malformed(`[${name}] must be one of [${words.join(', ')}], not [${String(value)}]`);
  };
}

export function listOf(check: ValueCheck): ValueCheck {
  return (value, name) => (Array.isArray(value) ? value.map((item) => check(item, name)) : refuse(value, name));
}

/** An object whose names are free and whose values are of one kind. */
export function mapOf(check: ValueCheck): ValueCheck {
  return (value, name) => {
    if (!isJsonObject(value)) return refuse(value, name);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, check(item, `${name}.${key}`)]));
  };
}

/** An object of these members, of which some have to be there. */
export function objectOf(members: Readonly<Record<string, ValueCheck>>, required: readonly string[] = []): ValueCheck {
  return (value, name) => (isJsonObject(value) ? checkedMembers(value, members, required) : refuse(value, name));
}

/** The members of a body. @throws x_content_parse_exception for one that is unknown, missing, or of another kind */
export function checkedMembers(
  body: JsonObject,
  members: Readonly<Record<string, ValueCheck>>,
  required: readonly string[] = [],
): JsonObject {
  for (const name of required) if (body[name] === undefined) throw malformed(`Required [${name}]`);
  const checked = Object.entries(body).map(([name, value]) => {
    const check = Object.hasOwn(members, name) ? members[name] : undefined;
    if (check === undefined) throw malformed(`unknown field [${name}]`);
    return [name, check(value, name)] as const;
  });
  return Object.fromEntries(checked);
}

function refuse(value: unknown, name: string): never {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  throw malformed(`[${name}] must not be of type [${kind}]`);
}

function malformed(reason: string): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, reason);
}
