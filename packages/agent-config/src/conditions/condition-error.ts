/**
 * Two values that a condition cannot compare, found while an event runs: names the position and both values.
 */

import { type EventValue, jsonText, kindOf } from '@shoal/agent-event';
import { ShoalError } from '@shoal/core';
import { type Position, positionText } from '../source/position.ts';

export interface Comparison {
  readonly position: Position;
  /** Text of the condition in the configuration. */
  readonly source: string;
  /** undefined: the event has no such field. */
  readonly left: EventValue | undefined;
  readonly right: EventValue | undefined;
}

const SHOWN_MAX = 200;

export class ConditionError extends ShoalError {
  readonly comparison: Comparison;

  constructor(comparison: Comparison) {
    const { position, source, left, right } = comparison;
    super(
      'condition_exception',
      400,
      `${positionText(position)}: cannot compare in the condition "${source}": left is ${shown(left)}, right is ${shown(right)}`,
    );
    this.comparison = comparison;
  }
}

function shown(value: EventValue | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  const text = jsonText(value);
  return `the ${kindOf(value)} ${text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text}`;
}
