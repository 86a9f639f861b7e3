/**
 * `action.auto_create_index`: whether a write to an index that is not there creates it.
 *
 * `true`, `false`, or patterns of names, the first that fits counting: `+logs-*,-*` or, the same, `logs-*`.
 */

import type { IndexTemplate } from '@shoal/cluster-state';
import { illegalArgument, ShoalError, simpleMatch } from '@shoal/core';

const NAME = 'action.auto_create_index';

interface NamePattern {
  readonly pattern: string;
  readonly isAllowed: boolean;
}

/** @throws ShoalError illegal_argument_exception for a value that is none */
export function checkAutoCreateIndex(value: string): void {
  patternsOf(value);
}

/**
 * Why an index of that name may not be created by a write; null when it may. A template that says it wins over the setting.
 *
 * @param template the index template of that name; null: none
 */
export function refusedAutoCreation(value: string, index: string, template: IndexTemplate | null): ShoalError | null {
  if (template?.allowsAutoCreate === true) return null;
  if (template?.allowsAutoCreate === false) {
    return notCreated(index, `composable template [${template.name}] forbids index auto creation`);
  }
  const patterns = patternsOf(value);
  if (patterns === 'none') return notCreated(index, `[${NAME}] is [false]`);
  if (patterns.length === 0) return null;
  const first = patterns.find(({ pattern }) => simpleMatch(pattern, index));
  if (first === undefined) return notCreated(index, `[${NAME}] ([${value}]) doesn't match`);
  if (first.isAllowed) return null;
  return notCreated(index, `[${NAME}] contains [-${first.pattern}] which forbids automatic creation of the index`);
}

/** Empty: every name may be created. */
function patternsOf(value: string): readonly NamePattern[] | 'none' {
  if (value === 'false') return 'none';
  if (value === 'true' || value.trim() === '') return [];
  return value.split(',').map((part) => patternOf(part.trim(), value));
}

function patternOf(part: string, value: string): NamePattern {
  if (part === '') {
    throw illegalArgument(
      `Can't parse [${value}] for setting [${NAME}] must be either [true, false, or a comma separated list of index patterns]`,
    );
  }
  const sign = part.charAt(0);
  if (sign !== '+' && sign !== '-') return { pattern: part, isAllowed: true };
  if (part.length === 1) {
    throw illegalArgument(`Can't parse [${value}] for setting [${NAME}] must contain an index name after [${sign}]`);
  }
  return { pattern: part.slice(1), isAllowed: sign === '+' };
}

function notCreated(index: string, why: string): ShoalError {
  return new ShoalError('index_not_found_exception', 404, `no such index [${index}] and ${why}`, {
    metadata: { index, index_uuid: '_na_' },
  });
}
