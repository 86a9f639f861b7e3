/**
 * A call of a method without the block that it wants: the block comes later, perhaps with an index.
 */
import { ENUMERATOR, type RubyClass, RubyObject, type Value } from './ruby-value.ts';

export class RubyEnumerator extends RubyObject {
  readonly receiver: Value;
  readonly method: string;
  readonly args: readonly Value[];
  /** Items that `next` has given. */
  position = 0;

  constructor(receiver: Value, method: string, args: readonly Value[] = []) {
    super();
    this.receiver = receiver;
    this.method = method;
    this.args = args;
  }

  get rubyClass(): RubyClass {
    return ENUMERATOR;
  }
}
