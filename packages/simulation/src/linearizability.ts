/**
 * Is there one order of all calls on a document that explains every answer? The search of Wing and Gong with Lowe's memory
 * of configurations already tried. Documents are independent, each is a register.
 */

/** One call on a document; a value is unique to its write, null: the document is not there. */
export interface RegisterCall {
  readonly calledAt: number;
  /** Infinity: nobody knows the outcome, it may take effect at any later time or never. */
  readonly returnedAt: number;
  readonly effect:
    | { readonly kind: 'write'; readonly value: string | null }
    /** `expects`: the value that the document had when the write took effect. */
    | { readonly kind: 'conditionalWrite'; readonly expects: string | null; readonly value: string | null }
    | { readonly kind: 'read'; readonly value: string | null };
}

/** Configurations that may be tried for one document before the check is given up with an error. */
const CONFIGURATIONS_MAX = 2_000_000;

/** Registers begin at null: the document is not there. */
export function isLinearizable(calls: readonly RegisterCall[]): boolean {
  const kept = withoutUnseen(calls);
  const required = kept.filter(({ returnedAt }) => returnedAt !== Number.POSITIVE_INFINITY).length;
  const tried = new Set<string>();
  const done = new Uint8Array(kept.length);
  const search = (value: string | null, requiredDone: number): boolean => {
    if (requiredDone === required) return true;
    const key = `${done.join('')}/${value}`;
    if (tried.has(key)) return false;
    tried.add(key);
    if (tried.size > CONFIGURATIONS_MAX) throw new Error(`too many orders of ${kept.length} calls`);
    let firstReturn = Number.POSITIVE_INFINITY;
    for (let at = 0; at < kept.length; at++) {
      if (done[at] === 0) firstReturn = Math.min(firstReturn, kept[at]?.returnedAt ?? firstReturn);
    }
    for (const [at, call] of kept.entries()) {
      if (done[at] === 1 || call.calledAt > firstReturn) continue;
      const next = apply(call, value);
      if (next === undefined) continue;
      done[at] = 1;
      if (search(next, requiredDone + (call.returnedAt === Number.POSITIVE_INFINITY ? 0 : 1))) return true;
      done[at] = 0;
    }
    return false;
  };
  return search(null, 0);
}

/** @returns the value after the call, undefined when it cannot happen here */
function apply({ effect }: RegisterCall, value: string | null): string | null | undefined {
  switch (effect.kind) {
    case 'read':
      return effect.value === value ? value : undefined;
    case 'write':
      return effect.value;
    case 'conditionalWrite':
      return effect.expects === value ? effect.value : undefined;
  }
}

/** Writes of unknown outcome whose value nobody saw need not have happened. */
function withoutUnseen(calls: readonly RegisterCall[]): readonly RegisterCall[] {
  const seen = new Set<string | null>();
  for (const { effect } of calls) {
    if (effect.kind === 'read') seen.add(effect.value);
    if (effect.kind === 'conditionalWrite') seen.add(effect.expects);
  }
  return calls.filter(({ returnedAt, effect }) => {
    if (returnedAt !== Number.POSITIVE_INFINITY) return true;
    return effect.kind !== 'read' && seen.has(effect.value);
  });
}
