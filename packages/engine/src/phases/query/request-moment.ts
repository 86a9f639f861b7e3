/**
 * The moment of a request, and whether anything in the request asked for it: an answer that did not is the same at any other moment.
 */
import type { RequestClock } from '../../field-types/contract/field-type.ts';

export class RequestMoment implements RequestClock {
  /** Set by the first reading. */
  wasRead = false;
  private readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }

  get nowMs(): number {
    this.wasRead = true;
    return this.ms;
  }
}
