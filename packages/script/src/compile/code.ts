/**
 * Compiled pieces of a script: functions of JavaScript over a frame. Values of primitive types are raw in them, all others
 * boxed.
 */
import type { ScriptMachine } from '../machine/script-machine.ts';
import type { ScriptType } from '../types/script-type.ts';

/** One call of a function or of the script itself. */
export class Frame {
  readonly machine: ScriptMachine;
  readonly slots: unknown[];
  /** Value of the `return` that ended it. */
  result: unknown = null;

  constructor(machine: ScriptMachine, slots: unknown[]) {
    this.machine = machine;
    this.slots = slots;
  }
}

export type Run = (frame: Frame) => unknown;

export interface Code {
  /** `null` for the literal, which is of every type that is no primitive. */
  readonly type: ScriptType;
  readonly at: number;
  readonly run: Run;
  /** Its value, where it is known beforehand. */
  readonly constant?: {
    readonly value: unknown;
    /** Made of literals alone: arithmetic of it is done, and fails, when the script is compiled. */
    readonly isLiteral: boolean;
  };
  /** Name of the class, where this is one and no value. */
  readonly className?: string;
}

export function code(type: ScriptType, at: number, run: Run): Code {
  return { type, at, run };
}

export function constant(type: ScriptType, at: number, value: unknown, isLiteral = true): Code {
  return { type, at, run: () => value, constant: { value, isLiteral } };
}

/** How a statement ended. */
export const DONE = 0;
export const BROKEN = 1;
export const CONTINUED = 2;
export const RETURNED = 3;
export type Completion = typeof DONE | typeof BROKEN | typeof CONTINUED | typeof RETURNED;

export interface Step {
  readonly run: (frame: Frame) => Completion;
  /** Nothing behind it in its block is ever reached. */
  readonly endsBlock: boolean;
  /** Every way through it returns or throws. */
  readonly returns: boolean;
  /** What it returns, where it does nothing else. */
  readonly value?: Run;
}
