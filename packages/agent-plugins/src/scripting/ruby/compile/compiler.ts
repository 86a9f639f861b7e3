/**
 * What the parts of the compiler share: the scopes of variables, and the way back to the whole.
 */

import type { ShoalError } from '@shoal/core';
import type { ScriptMachine } from '../machine/script-machine.ts';
import { type RubySource, rubySourceError } from '../syntax/parse-ruby.ts';
import type { RubyNode } from '../syntax/ruby-tree.ts';
import type { Run } from './frame.ts';

/** What `next` and `break` end where they stand. */
export interface JumpTarget {
  readonly kind: 'loop' | 'block' | 'method';
  hasNext: boolean;
  hasBreak: boolean;
}

export class Scope {
  readonly parent: Scope | null;
  /** Innermost last. */
  readonly jumps: JumpTarget[];
  private readonly slots = new Map<string, number>();

  constructor(parent: Scope | null, jump: JumpTarget) {
    this.parent = parent;
    this.jumps = [jump];
  }

  /** Variables of a frame; read when the code runs, since compiling finds more. */
  get size(): number {
    return this.slots.size;
  }

  declare(name: string): number {
    const known = this.slots.get(name);
    if (known !== undefined) return known;
    this.slots.set(name, this.slots.size);
    return this.slots.size - 1;
  }

  own(name: string): number | undefined {
    return this.slots.get(name);
  }

  /** A slot without a name. */
  hidden(): number {
    return this.declare(`\0${this.slots.size}`);
  }

  find(name: string): VariablePlace | null {
    let depth = 0;
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent, depth++) {
      const slot = scope.slots.get(name);
      if (slot !== undefined) return { depth, slot };
    }
    return null;
  }
}

export interface VariablePlace {
  /** Frames outwards. */
  readonly depth: number;
  readonly slot: number;
}

export interface Compiler {
  readonly machine: ScriptMachine;
  readonly source: RubySource;
  /** Names that the script gives values to somewhere. */
  readonly assigned: ReadonlySet<string>;
  compile(node: RubyNode, scope: Scope): Run;
  /** Whether any value of a script has a method of this name. */
  knowsMethod(name: string): boolean;
}

export function refused(compiler: Compiler, node: { readonly at: number }, what: string): ShoalError {
  return rubySourceError(compiler.source, node.at, `${what} is not supported here`);
}

export function newScope(parent: Scope | null, kind: JumpTarget['kind']): Scope {
  return new Scope(parent, { kind, hasNext: false, hasBreak: false });
}
