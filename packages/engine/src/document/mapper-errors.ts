/**
 * Errors of documents that do not fit the mapping of their index, as Elasticsearch words them.
 */
import { illegalArgument, ShoalError } from '@shoal/core';

const PREVIEW_CHARS_MAX = 1_000;

export function mapperParsing(reason: string, causedBy?: ShoalError): ShoalError {
  return new ShoalError('mapper_parsing_exception', 400, reason, causedBy === undefined ? {} : { causedBy });
}

export function strictMapping(path: string): ShoalError {
  const dot = path.lastIndexOf('.');
  const within = dot < 0 ? '_doc' : path.slice(0, dot);
  return new ShoalError(
    'strict_dynamic_mapping_exception',
    400,
    `mapping set to strict, dynamic introduction of [${path.slice(dot + 1)}] within [${within}] is not allowed`,
  );
}

/** A value as Elasticsearch shows it: maps as `{a=1}`. */
export function preview(value: unknown): string {
  const text = printed(value);
  return text.length > PREVIEW_CHARS_MAX ? `${text.slice(0, PREVIEW_CHARS_MAX)}...` : text;
}

function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, entry]) => `${key}=${printed(entry)}`)
    .join(', ')}}`;
}

/** Refuses a value for a name that only refers to a field. */
export function notWritable(what: 'write' | 'copy', name: string): ShoalError {
  return mapperParsing('failed to parse', illegalArgument(`Cannot ${what} to a field alias [${name}].`));
}

/** @throws ShoalError for a name that no field may have */
export function checkName(name: string): void {
  const why =
    name === ''
      ? 'field name cannot be an empty string'
      : name.trim() === ''
        ? `field name cannot contain only whitespace: [${name}]`
        : name.split('.').some((part) => part.trim() === '')
          ? `object field starting or ending with a [.] makes object resolution ambiguous: [${name}]`
          : null;
  if (why !== null) throw mapperParsing('failed to parse', illegalArgument(why));
}

/** Refuses an object or a list, which is no value of a field. */
export function notScalar(value: unknown): ShoalError {
  return new ShoalError(
    'illegal_state_exception',
    400,
    `Can't get text on a ${Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT'}`,
  );
}

/** 400: the mapping has an object where the document has a value. */
export function noObject(path: string): ShoalError {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return mapperParsing(
    `object mapping for [${path}] tried to parse field [${name}] as object, but found a concrete value`,
  );
}
