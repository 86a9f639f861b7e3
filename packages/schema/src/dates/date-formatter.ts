/**
 * Reads and prints dates in the formats that a mapping or a range query names.
 */

export interface DateFormatter {
  /** Format as declared, such as `strict_date_optional_time||epoch_millis`. */
  readonly format: string;
  /**
   * Milliseconds since 1970 UTC. Throws `illegal_argument_exception` "failed to parse date field [x] with format [..]".
   * `roundUp` makes a missing time of day the latest one (`2024-01` is the last ms of January 1st): for range ends.
   */
  parseMs(text: string | number, options?: DateParseOptions): number;
  /** Nanoseconds since 1970 UTC, as `parseMs` reads milliseconds. */
  parseNanos(text: string | number, options?: DateParseOptions): bigint;
  /** Text of an instant in nanoseconds: formats that have no room for all digits cut them off. */
  printNanos(nanos: bigint, offsetMinutes?: number): string;
  /** Text in the first of the declared formats, on a clock `offsetMinutes` east of UTC (default 0). */
  print(ms: number, offsetMinutes?: number): string;
}

export interface DateParseOptions {
  readonly roundUp?: boolean;
  /** Offset of texts that name no zone, in minutes east of UTC. */
  readonly zoneOffsetMinutes?: number;
}
