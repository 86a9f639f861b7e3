/**
 * Windows of pipelines: the buckets before one whose values it is given.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import type { OptionReader } from '../request/option-reader.ts';

export interface Window {
  /** Buckets in it, at most; at least 1. */
  readonly window: number;
  /** Positions by which it lies behind its bucket; 0: it ends in front of it. */
  readonly shift: number;
}

const INT_MAX = 0x7fff_ffff;

export function parseWindow(options: OptionReader): Window {
  const window = options.integer('window');
  if (window === null) throw illegalArgument('Required [window]');
  if (window <= 0) throw illegalArgument('[window] must be a positive, non-zero integer.');
  return { window, shift: options.integer('shift') ?? 0 };
}

export function readWindow(r: ValueReader): Window {
  return { window: r.integer('window', 1, INT_MAX), shift: r.integer('shift', -INT_MAX - 1, INT_MAX) };
}
