/**
 * An instant with nanoseconds, as `@timestamp` and the date filter have it. Immutable.
 */

const NANOS_PER_MILLI = 1_000_000;

export class Timestamp {
  /** Milliseconds since 1970-01-01 UTC. Integer, may be negative. */
  readonly epochMs: number;
  /** Beyond the millisecond: 0..999,999. */
  readonly nanos: number;

  constructor(epochMs: number, nanos = 0) {
    this.epochMs = epochMs;
    this.nanos = nanos;
  }

  /** ISO 8601 in UTC with at least 3 digits of fraction; further trailing zeros are cut. */
  toString(): string {
    const text = new Date(this.epochMs).toISOString();
    if (this.nanos === 0) return text;
    const digits = String(NANOS_PER_MILLI + this.nanos)
      .slice(1)
      .replace(/0+$/, '');
    return `${text.slice(0, -1)}${digits}Z`;
  }

  toJSON(): string {
    return this.toString();
  }

  equals(other: Timestamp): boolean {
    return this.epochMs === other.epochMs && this.nanos === other.nanos;
  }
}
