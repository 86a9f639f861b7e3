/**
 * What compiled code runs in: variables of a call, and the ways out of it.
 */
import type { RubyProc, Value } from '../values/ruby-value.ts';

/** One call of a method or lambda: what `return` ends. */
export class Activation {
  readonly block: RubyProc | null;

  constructor(block: RubyProc | null) {
    this.block = block;
  }
}

export class Frame {
  readonly variables: Value[];
  /** Frame of the code around a block. */
  readonly parent: Frame | null;
  readonly activation: Activation;
  /** What `break` in this block ends. */
  readonly breakTag: object | null;

  constructor(size: number, parent: Frame | null, activation: Activation, breakTag: object | null = null) {
    this.variables = new Array<Value>(size).fill(null);
    this.parent = parent;
    this.activation = activation;
    this.breakTag = breakTag;
  }
}

export type Run = (frame: Frame) => Value;

export class ReturnSignal {
  readonly activation: Activation;
  readonly value: Value;

  constructor(activation: Activation, value: Value) {
    this.activation = activation;
    this.value = value;
  }
}

/** Ends one run of a block, or one round of a loop: always the innermost. */
export class NextSignal {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/** Ends the innermost loop. */
export class LoopBreak {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/** Ends the call that a block was given to. */
export class BlockBreak {
  readonly tag: object;
  readonly value: Value;

  constructor(tag: object, value: Value) {
    this.tag = tag;
    this.value = value;
  }
}

export class RetrySignal {}
