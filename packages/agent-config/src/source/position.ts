/**
 * Where something stands in a configuration: for errors, plugin ids and reports.
 */

export interface Position {
  /** Name of the source, such as its path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters as editors count them (UTF-16 units). */
  readonly column: number;
}

export function positionText(position: Position): string {
  return `${position.file}:${position.line}:${position.column}`;
}
