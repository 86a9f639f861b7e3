/**
 * Names that a piece of a script sees: its variables, each with a type and a slot of the frame.
 */
import { compileFailure } from '../errors/script-error.ts';
import type { ScriptType } from '../types/script-type.ts';

export interface Variable {
  readonly name: string;
  readonly type: ScriptType;
  readonly slot: number;
  readonly isReadOnly: boolean;
}

/** One function, lambda, or the script itself: what one frame belongs to. */
export class FunctionScope {
  readonly returns: ScriptType;
  /** Scope around a lambda, whose variables it may take along; null elsewhere. */
  readonly outer: Scope | null;
  /** Variables taken along: from a slot of the outer frame to one of this. */
  readonly captures: { readonly from: number; readonly to: number }[] = [];
  slotCount = 0;

  constructor(returns: ScriptType, outer: Scope | null = null) {
    this.returns = returns;
    this.outer = outer;
  }

  /** A slot without a name. */
  newSlot(): number {
    return this.slotCount++;
  }
}

/** A loop around a statement. */
export interface LoopScope {
  hasBreak: boolean;
}

export class Scope {
  readonly fn: FunctionScope;
  readonly loop: LoopScope | null;
  readonly #parent: Scope | null;
  readonly #variables = new Map<string, Variable>();

  constructor(fn: FunctionScope, parent: Scope | null = null, loop: LoopScope | null = parent?.loop ?? null) {
    this.fn = fn;
    this.#parent = parent;
    this.loop = loop;
  }

  inner(loop: LoopScope | null = this.loop): Scope {
    return new Scope(this.fn, this, loop);
  }

  /** @throws CompileFailure where the name is taken */
  declare(name: string, type: ScriptType, at: number, isReadOnly = false): Variable {
    if (this.find(name) !== null) throw compileFailure(at, `variable [${name}] is already defined`);
    return this.#add(name, type, isReadOnly);
  }

  /** Takes variables of the scope around a lambda along. */
  find(name: string): Variable | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.#parent) {
      const found = scope.#variables.get(name);
      if (found !== undefined) return found;
    }
    const outer = this.fn.outer?.find(name) ?? null;
    if (outer === null) return null;
    const own = this.#root().#add(name, outer.type, true);
    this.fn.captures.push({ from: outer.slot, to: own.slot });
    return own;
  }

  #root(): Scope {
    let scope: Scope = this;
    while (scope.#parent !== null) scope = scope.#parent;
    return scope;
  }

  #add(name: string, type: ScriptType, isReadOnly: boolean): Variable {
    const variable = { name, type, slot: this.fn.newSlot(), isReadOnly };
    this.#variables.set(name, variable);
    return variable;
  }
}
