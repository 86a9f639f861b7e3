/**
 * The columns `epoch` and `timestamp`: when a table was made.
 */
import { type CatCell, type CatColumn, column } from './cat-table.ts';

const SECOND_MS = 1000;

export const TIME_COLUMNS: readonly CatColumn[] = [
  column('epoch', 't,time', 'seconds since 1970-01-01 00:00:00'),
  column('timestamp', 'ts,hms,hhmmss', 'time in HH:MM:SS'),
];

/** The cells of `TIME_COLUMNS`. */
export function timeCells(nowMs: number): readonly CatCell[] {
  return [Math.floor(nowMs / SECOND_MS), new Date(nowMs).toISOString().slice(11, 19)];
}
