/**
 * Lifecycle of a data stream as requests and templates give it.
 */

import type { DataStreamLifecycle } from '@shoal/cluster-state';
import { illegalArgument, parseTimeValue, ShoalError } from '@shoal/core';

const KEYS: readonly string[] = ['data_retention', 'enabled'];

/** @throws x_content_parse_exception for a member that is none, illegal_argument_exception for a time that is none */
export function parseStreamLifecycle(body: Readonly<Record<string, unknown>>): DataStreamLifecycle {
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw notParsed(`unknown field [${unknown}]`);
  const { data_retention: given = null, enabled = null } = body;
  if (enabled !== null && typeof enabled !== 'boolean') {
    throw notParsed(`enabled doesn't support values of type: ${typeof enabled}`);
  }
  const isEnabled = enabled ?? true;
  if (given === null) return { isEnabled, retention: given };
  if (typeof given !== 'string') throw notParsed(`data_retention doesn't support values of type: ${typeof given}`);
  if (parseTimeValue(given, 'data_retention') <= 0) throw illegalArgument('Data retention must be positive');
  return { isEnabled, retention: given };
}

function notParsed(why: string): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, `[1:2] [lifecycle] ${why}`);
}
