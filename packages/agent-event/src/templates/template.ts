/**
 * Text with `%{field}` in it, compiled once.
 */
import type { LogEvent } from '../event/log-event.ts';

export interface Template {
  readonly text: string;
  /** No placeholder in it: the text is the value. */
  readonly isConstant: boolean;
  render(event: LogEvent): string;
}
