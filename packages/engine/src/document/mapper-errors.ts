/**
 * Errors of documents that do not fit the mapping of their index, as Elasticsearch words them.
 */
import { ShoalError } from '@shoal/core';

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
